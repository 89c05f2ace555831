package dev.coir.testing;

import dev.coir.executor.Reports;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Semaphore;

/**
 * Two threads that wake each other by Coir's semaphores, a fiber that one of them wakes now and then, and a main thread that waits for the
 * fiber: somebody can always wake it, though at most moments all look as if they waited. Prints what is reported.
 */
public final class TurnsOutside {
    private static final int WAKES = 3;
    private static final long BETWEEN_NANOS = 1_300_000_000; // more than the second after which the monitor looks

    private TurnsOutside() {}

    /**
     * Prints "none" if nothing was reported.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        var scheduler = Scheduler.builder()
                .workers(1)
                .reports(new Reports() {
                    @Override
                    public void allAsleep(AllAsleep asleep) {
                        System.out.println(asleep);
                    }
                })
                .start();
        var woken = new Semaphore(0);
        Fiber<Void> fiber = Fiber.go(scheduler, () -> {
            for (int i = 0; i < WAKES; i++) woken.acquire();
            return null;
        });
        var here = new Semaphore(0);
        var there = new Semaphore(0);
        new Thread(() -> takeTurns(here, there, fiber, () -> {})).start();
        new Thread(() -> takeTurns(there, here, fiber, woken::release)).start();
        here.release();
        fiber.join();
        System.out.println("none");
    }

    private static void takeTurns(Semaphore own, Semaphore other, Fiber<?> until, Runnable nowAndThen) {
        long next = System.nanoTime() + BETWEEN_NANOS;
        while (!until.isDone()) {
            own.acquireUninterruptibly();
            if (System.nanoTime() - next > 0) {
                nowAndThen.run();
                next += BETWEEN_NANOS;
            }
            other.release();
        }
        other.release();
    }
}
