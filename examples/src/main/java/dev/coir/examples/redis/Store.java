package dev.coir.examples.redis;

import dev.coir.sync.Mutex;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * All keys, shared by all connections. Redis has one thread, so that each command happens at once for all others; here
 * many threads serve, and a {@link Mutex} does the same. It is held for the time a command takes, never while waiting
 * for a client.
 */
final class Store {
    private static final int SWEPT_AT_ONCE = 16 * 1024;

    private final Mutex lock = new Mutex();
    private final Keyspace keys;
    private final Commands commands;
    private final ServerCommands server;

    Store(LongSupplier clock, long seed, IntSupplier clients) {
        keys = new Keyspace(clock, seed);
        server = new ServerCommands(keys, clients);
        commands = new Commands(keys, server);
    }

    /** Runs one command and puts its answer; false when the client wants no more. */
    boolean run(Arguments words, Replies replies) {
        lock.lock();
        try {
            server.count();
            return commands.run(words, replies);
        } catch (CommandError e) {
            replies.error(e.text());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Drops some of the keys that nobody asked for since they expired. */
    void sweep() {
        lock.lock();
        try {
            keys.sweep(SWEPT_AT_ONCE);
        } finally {
            lock.unlock();
        }
    }
}
