package dev.coir.sync;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Opens when it has been counted down, and stays open: what {@code CountDownLatch} is for threads, for fibers of both kinds
 * and threads.
 */
public final class Latch {
    private static final String REASON = "count of a Latch";
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Latch.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int count; // moved down by CAS
    private final WaitRoom room = new WaitRoom();

    /**
     * A latch.
     *
     * @param count how often it must be counted down; 0: it is open
     * @throws IllegalArgumentException when negative
     */
    public Latch(int count) {
        if (count < 0) throw new IllegalArgumentException("count: " + count + " (expected: 0 or more)");
        this.count = count;
    }

    /** Counts down by one. Whoever waits goes on when that makes it zero; at zero nothing happens. */
    public void countDown() {
        StackRoom.ensure();
        int seen;
        do {
            seen = count;
            if (seen == 0) return;
        } while (!COUNT.compareAndSet(this, seen, seen - 1));
        if (seen == 1) room.tellAll();
    }

    /**
     * Waits until the count is zero.
     *
     * @throws InterruptedException when interrupted or cancelled
     */
    public void await() throws InterruptedException {
        if (room.await(this::isOpen, REASON, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED)
            throw new InterruptedException();
    }

    /**
     * Waits until the count is zero, not for ever.
     *
     * @param timeout how long; zero or less: not at all
     * @param unit of the time-out
     * @return whether the count is zero
     * @throws InterruptedException when interrupted or cancelled
     */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return room.awaitInterruptibly(
                this::isOpen,
                REASON,
                Waiter.deadlineIn(Objects.requireNonNull(unit, "unit").toNanos(timeout)));
    }

    private boolean isOpen() {
        return count == 0;
    }

    /**
     * How often it must still be counted down.
     *
     * @return 0 or more
     */
    public long getCount() {
        return count;
    }

    @Override
    public String toString() {
        return super.toString() + "[Count = " + count + "]";
    }
}
