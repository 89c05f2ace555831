package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Idleness, closing and shutting down, against everything that goes on meanwhile. */
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
class LifeStressTest {
    @Test
    void aClosedSchedulerIsIdle() throws Exception {
        var scheduler = Scheduler.start(2);
        scheduler.close();
        assertTrue(scheduler.awaitIdle(Duration.ofSeconds(2)));
    }

    @Test
    void closingByManyAtOnceEnds() throws Exception {
        for (int round = 0; round < 300; round++) {
            var scheduler = Scheduler.start(2);
            for (int i = 0; i < 10; i++) Fiber.go(scheduler, () -> Fiber.yield());
            Crowd.run(4, index -> {
                if (index == 0) scheduler.awaitIdle();
                else scheduler.close();
            });
        }
    }

    /** A fiber that was in its first slice when shutdownNow came is cancelled when it first waits. */
    @Test
    void shutdownNowReachesAFiberInItsFirstSlice() throws Exception {
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            var scheduler = Scheduler.start(1);
            var running = new CountDownLatch(1);
            var goOn = new AtomicBoolean();
            Fiber<?> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                running.countDown();
                while (!goOn.get()) Thread.onSpinWait();
                Fiber.sleep(Duration.ofHours(1));
                return null;
            });
            running.await();
            scheduler.shutdownNow();
            goOn.set(true);
            scheduler.close();
            assertTrue(fiber.isCancelled());
        }
    }

    /** A fiber that was cancelled without an interrupt goes on; shutdownNow must still end it. */
    @Test
    void shutdownNowInterruptsAFiberThatWasCancelledGently() throws Exception {
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            var scheduler = Scheduler.start(1);
            var running = new CountDownLatch(1);
            Fiber<?> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                running.countDown();
                Fiber.sleep(Duration.ofHours(1));
                return null;
            });
            running.await();
            scheduler.awaitIdle();
            assertTrue(fiber.cancel(false));
            scheduler.shutdownNow();
            scheduler.close();
        }
    }

    /** Spawns that are refused come and go while the scheduler falls idle: they must not hide its idleness. */
    @Test
    void refusedSpawnsDoNotHideIdleness() throws Exception {
        try (var scheduler = Scheduler.builder().workers(1).runQueueCapacity(16).start()) {
            var stop = new AtomicBoolean();
            var refused = Crowd.start("refused", i -> {
                Callable<Integer> one = () -> 1;
                while (!stop.get())
                    assertThrows(
                            RejectedExecutionException.class,
                            () -> Fiber.builder()
                                    .on(scheduler)
                                    .kind(Fiber.Kind.LIGHT)
                                    .startAll(Collections.nCopies(17, one)));
            });
            int accepted = 0;
            for (int i = 0; i < 3000; i++) {
                try {
                    scheduler.execute(() -> {});
                    accepted++;
                } catch (RejectedExecutionException spurious) {
                    // counted below
                }
                scheduler.awaitIdle();
            }
            stop.set(true);
            refused.get();
            assertEquals(3000, accepted, "an idle scheduler has room for one");
        }
    }

    @Test
    void closingWhileSixteenThreadsSpawnLosesNothing() throws Exception {
        for (int round = 0; round < 40; round++) {
            var scheduler = Scheduler.start(1 + round % 3);
            var counts = new LongAdder();
            var ran = new LongAdder();
            var go = new CountDownLatch(1);
            var closing = Crowd.start("closing", i -> {
                go.await();
                scheduler.close();
            });
            Crowd.run(16, index -> {
                try {
                    for (int i = 0; i < 500; i++) {
                        if (index == 0 && i == 20) go.countDown();
                        Runnable body = () -> {
                            Fiber.yield();
                            ran.increment();
                        };
                        switch (i % 3) {
                            case 0 -> scheduler.execute(body);
                            case 1 ->
                                Fiber.builder()
                                        .on(scheduler)
                                        .kind(Fiber.Kind.LIGHT)
                                        .start(body);
                            default -> Fiber.builder().on(scheduler).start(body);
                        }
                        counts.increment();
                    }
                } catch (RejectedExecutionException closed) {
                    go.countDown();
                }
            });
            closing.get();
            assertEquals(counts.sum(), ran.sum());
        }
    }
}
