package dev.coir.bench.works;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many timers, all set before the first is due. What counts is the time until all are set and the time from the first
 * being due until all have fired; the waiting in between does not.
 */
public final class Timers {
    private static final long HORIZON_NANOS_PER_TIMER = 3_000;
    private static final long LEAST_HORIZON_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int SPREAD_MICROS = 1000; // so that they are not all one deadline

    private final int timers;
    private final long start = System.nanoTime();
    private final long due;
    private final AtomicInteger set = new AtomicInteger();
    private final CountDownLatch fired;
    private volatile long allSetAt;

    public Timers(int timers) {
        this.timers = timers;
        this.due = start + Math.max(LEAST_HORIZON_NANOS, timers * HORIZON_NANOS_PER_TIMER);
        this.fired = new CountDownLatch(timers);
    }

    /** How long fiber {@code number} has to sleep from now on. */
    public long sleepNanos(int number) {
        long now = System.nanoTime();
        if (set.incrementAndGet() == timers) allSetAt = now;
        return Math.max(1, due - now) + number % SPREAD_MICROS * 1000L;
    }

    /** To be called when it has slept. */
    public void fired() {
        fired.countDown();
    }

    /** Waits for all; the nanoseconds per timer. */
    public double[] await() throws InterruptedException {
        fired.await();
        long end = System.nanoTime();
        return new double[] {(allSetAt - start + end - Math.max(due, allSetAt)) / (double) timers};
    }
}
