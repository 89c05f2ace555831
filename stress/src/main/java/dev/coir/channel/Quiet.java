package dev.coir.channel;

import java.util.concurrent.atomic.AtomicBoolean;

/** A channel for parties that wait by spinning: no thread parks, no continuation is involved. */
public final class Quiet<T> extends Conduit<T> {
    /** A deadline that has passed: who has to wait stands in the queue, and gives up at once. */
    static final long PAST = 1;

    public Quiet(int capacity) {
        super(capacity);
    }

    @Override
    Node newNode(Object caller) {
        return new Spinning();
    }

    /** The value, 0 when the time was up, -1 when closed. */
    static int receive(Quiet<Integer> channel, long deadlineNanos) {
        try {
            Integer value = channel.receiveUntil(deadlineNanos, channel);
            return value == null ? 0 : value;
        } catch (ChannelClosedException e) {
            return -1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** 1 when sent, 0 when the time was up, -1 when closed. */
    static int send(Quiet<Integer> channel, int value, long deadlineNanos) {
        try {
            return channel.sendUntil(value, deadlineNanos, channel) ? 1 : 0;
        } catch (ChannelClosedException e) {
            return -1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As {@link #receive} that gives up at once. */
    public static int receiveOrGiveUp(Quiet<Integer> channel) {
        return receive(channel, PAST);
    }

    /** As {@link #send} that gives up at once. */
    public static int sendOrGiveUp(Quiet<Integer> channel, int value) {
        return send(channel, value, PAST);
    }

    /** How many stand in its queues. */
    int standing() {
        return core.senders.size() + core.receivers.size();
    }

    /** A permit, as every way of parking has. */
    @SuppressWarnings("ThreadPriorityCheck") // the other may have lost its processor
    static void spin(AtomicBoolean permit) {
        while (!permit.getAndSet(false)) Thread.yield();
    }

    private static final class Spinning extends Node {
        private final AtomicBoolean permit = new AtomicBoolean();

        Spinning() {
            super("spinning");
        }

        @Override
        protected void park(String reason, long deadlineNanos) {
            spin(permit);
        }

        @Override
        public void unpark() {
            permit.set(true);
        }

        @Override
        public boolean takeInterrupt() {
            return false;
        }
    }
}
