package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Work and timers that wait while a worker sleeps: it must not happen. */
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
class WakeStressTest {
    /**
     * A light fiber that its timer woke computes until the other worker's sleeper has woken. It was the poller's owner that
     * woke it, so another worker must take the poller over.
     */
    @Test
    void aComputingLightFiberDoesNotHoldUpTheTimersOfOthers() throws Exception {
        for (int round = 0; round < 50; round++) {
            try (var scheduler = Scheduler.start(2)) {
                List<Fiber<Integer>> fibers = new ArrayList<>();
                var both = new CountDownLatch(2);
                var late = new AtomicBoolean();
                for (int i = 0; i < 2; i++) {
                    int index = i;
                    fibers.add(Fiber.builder()
                            .on(scheduler)
                            .kind(Fiber.Kind.LIGHT)
                            .start(() -> {
                                both.countDown();
                                both.await(); // one on each thread
                                Fiber.sleep(Duration.ofMillis(index == 0 ? 5 : 10));
                                if (index == 1) late.set(true);
                                else while (!late.get()) Thread.onSpinWait();
                                return 1;
                            }));
                }
                for (Fiber<Integer> fiber : fibers) assertEquals(1, fiber.join());
            }
        }
    }

    /**
     * A virtual fiber yields while its worker has a light fiber to run, which computes until the virtual one has gone on. The
     * other worker sleeps, and can run it.
     */
    @Test
    void aYieldedFiberDoesNotWaitBehindABoundOneWhileAWorkerSleeps() throws Exception {
        for (int round = 0; round < 30; round++) {
            try (var scheduler = Scheduler.start(2)) {
                var hold = new CountDownLatch(1);
                var held = new CountDownLatch(1);
                scheduler.execute(() -> {
                    held.countDown();
                    awaitQuietly(hold);
                });
                held.await();
                var wentOn = new AtomicBoolean();
                Fiber<Integer> light = Fiber.builder()
                        .on(scheduler)
                        .kind(Fiber.Kind.LIGHT)
                        .start(() -> {
                            Fiber.go(scheduler, () -> {
                                hold.countDown();
                                while (scheduler.toString().contains(" 0 asleep")) Thread.onSpinWait();
                                Fiber.yield();
                                wentOn.set(true);
                            });
                            Fiber.yield();
                            while (!wentOn.get()) Thread.onSpinWait();
                            return 1;
                        });
                assertEquals(1, light.join());
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInterruptThatATaskLeavesBehindReachesNoOtherTask() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            scheduler.execute(() -> Thread.currentThread().interrupt());
            var seen = new AtomicBoolean();
            var done = new CountDownLatch(1);
            scheduler.execute(() -> {
                seen.set(Thread.currentThread().isInterrupted());
                done.countDown();
            });
            done.await();
            assertFalse(seen.get());
        }
    }

    @Test
    void aWorkerWhoseTaskLeftAnInterruptStillSleeps() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var worker = new AtomicReference<Thread>();
            scheduler.execute(() -> {
                worker.set(Thread.currentThread());
                Thread.currentThread().interrupt();
            });
            scheduler.awaitIdle();
            Crowd.untilWaiting(worker.get());
            assertFalse(worker.get().isInterrupted());
        }
    }

    /** Tasks that wait run other tasks meanwhile, on the same stack: not so many that it overflows. */
    @Test
    void tenThousandTasksThatWaitDoNotOverflowTheStack() throws Exception {
        var failures = new AtomicInteger();
        var done = new CountDownLatch(10_000);
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .uncaughtHandler((thread, failure) -> {
                    failures.incrementAndGet();
                    done.countDown();
                })
                .start()) {
            for (int i = 0; i < 10_000; i++) {
                scheduler.execute(() -> {
                    try {
                        Fiber.sleep(Duration.ofMillis(5));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    done.countDown();
                });
            }
            done.await();
            assertEquals(0, failures.get());
        }
    }
}
