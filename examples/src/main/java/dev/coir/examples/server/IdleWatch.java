package dev.coir.examples.server;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends clients that keep a connection and say nothing. Somebody calls {@link #tick} every second; then all clients are looked at.
 * So a request sets no timer, which would almost never go off: it raises a flag that is mostly up already.
 */
public final class IdleWatch {
    /** Makes a client's next read find the end. */
    public interface Ending {
        void endInput() throws IOException;
    }

    /** A client that is watched, until it is closed. */
    public final class Client implements AutoCloseable {
        private final Ending ending;
        private volatile boolean isBusy = true; // raised by who serves it, lowered by who ticks
        private volatile boolean isOver; // set by who ticks, once
        private int quietTicks; // who ticks

        private Client(Ending ending) {
            this.ending = ending;
        }

        /** The client has done what it is allowed to stay for. */
        public void touch() {
            if (!isBusy) isBusy = true;
        }

        /** Whether its time was up before it had sent more. */
        public boolean isOver() {
            return isOver;
        }

        @Override
        public void close() {
            clients.remove(this);
        }
    }

    private final int limit;
    private final Set<Client> clients = ConcurrentHashMap.newKeySet();

    /** A watch that lets clients be quiet for so many ticks; 0: as long as they like. */
    public IdleWatch(int limit) {
        this.limit = limit;
    }

    /** Watches a client from now on. */
    public Client add(Ending ending) {
        var client = new Client(ending);
        if (limit != 0) clients.add(client);
        return client;
    }

    /** Looks at all clients, and ends those that were not touched during the last ticks. One thread at a time. */
    public void tick() {
        for (Client each : clients) {
            if (each.isBusy) {
                each.isBusy = false;
                each.quietTicks = 0;
            } else if (++each.quietTicks == limit) {
                end(each);
            }
        }
    }

    private static void end(Client client) {
        client.isOver = true;
        try {
            client.ending.endInput();
        } catch (IOException gone) {
            // by itself, just now
        }
    }
}
