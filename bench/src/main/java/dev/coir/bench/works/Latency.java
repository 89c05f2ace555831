package dev.coir.bench.works;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How long it takes from a wake-up by an outside thread until the woken runs, in microseconds. Between two wake-ups the
 * outside thread sleeps, so that the workers have gone to sleep too; a tenth as long while a JVM warms up, or the JIT would
 * not get to see enough of them.
 */
public final class Latency {
    private static final long PAUSE_NANOS = 200_000;
    private static final long HIGHEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static volatile long pauseNanos = PAUSE_NANOS; // written by who asks for rounds

    private final Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
    private volatile long sentAt; // written by the outside thread
    private volatile int arrivals; // written by the woken, one at a time

    /** Whether the rounds that follow are there to warm up. */
    static void warmUp(boolean warms) {
        pauseNanos = warms ? PAUSE_NANOS / 10 : PAUSE_NANOS;
    }

    /** To be called first thing by the woken. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the next wake-up waits for this one
    public void arrived() {
        histogram.recordValue(Math.min(System.nanoTime() - sentAt, HIGHEST_NANOS));
        arrivals++;
    }

    /**
     * Wakes and waits, {@code times} times, on the calling thread.
     *
     * @return the 50th, 99th and 99.9th percentiles
     */
    public double[] run(int times, Runnable wake) {
        for (int i = 0; i < times; i++) {
            LockSupport.parkNanos(pauseNanos);
            sentAt = System.nanoTime();
            wake.run();
            while (arrivals == i) LockSupport.parkNanos(pauseNanos);
        }
        return new double[] {
            histogram.getValueAtPercentile(50) / 1e3,
            histogram.getValueAtPercentile(99) / 1e3,
            histogram.getValueAtPercentile(99.9) / 1e3
        };
    }
}
