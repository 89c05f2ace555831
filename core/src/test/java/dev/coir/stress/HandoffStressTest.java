package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.testing.Crowd;
import dev.coir.testing.NativeSleep;
import dev.coir.testing.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots that change hands while blocked calls return: L1, L2 and L3 of Slots. */
@ExtendWith(Watchdog.class)
class HandoffStressTest {
    private static final int ROUNDS = 10_000 / 50;
    private static final int HANDOFFS = 10_000;

    /**
     * Fibers of both kinds that block for about as long as a slice may take, so that the monitor takes the slot just when
     * the call returns; others declare it, yield, spawn, and wake each other. Each counts its steps.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 64})
    void nothingIsLostWhenCallsReturnWhileTheirSlotIsTaken(int workers) throws Exception {
        long seed = Long.getLong("coir.seed", 42L + workers);
        long threads = carriers();
        var steps = new AtomicLong();
        long expected = 0;
        try (var scheduler = Scheduler.builder()
                .workers(workers)
                .timeSlice(Duration.ofNanos(200_000))
                .stallThreshold(Duration.ZERO)
                .start()) {
            var random = new SplittableRandom(seed);
            List<Fiber<Void>> fibers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                var own = random.split();
                Kind kind = i % 2 == 0 ? Kind.VIRTUAL : Kind.LIGHT;
                int rounds = Chaos.isLongDose() ? 10 * ROUNDS : ROUNDS;
                expected += rounds;
                fibers.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    for (int k = 0; k < rounds; k++) {
                        step(scheduler, own);
                        steps.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (Fiber<Void> fiber : fibers) fiber.join();
            assertTrue(scheduler.stats().handoffs() > expected / 10, () -> "few handoffs: " + scheduler.stats());
            long taken = Objects.requireNonNull(SchedulerCore.of((Executor) scheduler))
                    .numbers()
                    .slotsTaken();
            if (workers <= 2) assertTrue(taken > 100, () -> "the monitor took few slots: " + taken);
        }
        assertEquals(expected, steps.get(), "seed " + seed);
        Crowd.until(() -> carriers() <= threads);
    }

    /** Ten thousand times a worker goes on with another thread; in the end there are as many threads as in the beginning. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tenThousandHandoffsLeaveNoThreadAndLoseNoFiber(int workers) throws Exception {
        var ended = new AtomicLong();
        long made = 0;
        long threads = carriers();
        var settings = Scheduler.builder().workers(workers).stallThreshold(Duration.ZERO);
        try (var scheduler = settings.start()) {
            while (scheduler.stats().handoffs() < HANDOFFS) {
                var here = new CountDownLatch(8);
                List<Fiber<?>> batch = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Kind kind = i % 2 == 0 ? Kind.VIRTUAL : Kind.LIGHT;
                    made++;
                    batch.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                        Fiber.blocking(
                                () -> { // all of them block at once
                                    here.countDown();
                                    here.await();
                                    return null;
                                });
                        ended.incrementAndGet();
                        return null;
                    }));
                }
                for (Fiber<?> each : batch) each.join();
            }
            assertEquals(made, ended.get());
            assertTrue(carriers() <= threads + workers + 16, () -> "spare threads are not used again: " + carriers());
        }
        Crowd.until(() -> carriers() <= threads);
    }

    /**
     * A virtual thread leaves its carrier at a contended monitor. Were there one on the way to the handoff, it would give
     * away the slot of a carrier that it is no longer on, and which may sleep.
     */
    @Test
    void callsThatBeginAtOnceGiveUpOnlyTheirOwnSlots() throws Exception {
        for (int round = 0; round < 100; round++) {
            try (var scheduler = Scheduler.start(4)) {
                var release = new CountDownLatch(1);
                List<Fiber<Integer>> blocked = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    blocked.add(Fiber.go(
                            scheduler,
                            () -> Fiber.blocking(() -> {
                                release.await();
                                return 1;
                            })));
                }
                Fiber.go(scheduler, () -> 1).join();
                release.countDown();
                for (Fiber<Integer> each : blocked) assertEquals(1, each.join());
                assertEquals(
                        2, Fiber.go(scheduler, () -> Fiber.blocking(() -> 2)).join());
            }
        }
    }

    private static void step(Scheduler scheduler, SplittableRandom random) throws Exception {
        switch (random.nextInt(8)) {
            case 6 -> blockThread(random); // of a LIGHT fiber the thread itself
            case 7 -> {
                var ended = new CountDownLatch(1);
                scheduler.execute(() -> {
                    blockThread(random.split());
                    ended.countDown();
                });
                ended.await();
            }
            case 0 -> NativeSleep.micros(random.nextInt(400));
            case 1 ->
                Fiber.blocking(() -> {
                    NativeSleep.micros(random.nextInt(50));
                    return null;
                });
            case 2 -> Fiber.yield();
            case 3 -> Fiber.go(scheduler, () -> NativeSleep.micros(20)).join();
            case 4 -> Fiber.sleep(Duration.ofNanos(random.nextInt(100_000)));
            default -> {
                long until = System.nanoTime() + random.nextInt(300_000);
                while (System.nanoTime() < until) Thread.onSpinWait();
            }
        }
    }

    /** For so long that the monitor sees it, and about as long as it needs for that. */
    private static void blockThread(SplittableRandom random) {
        LockSupport.parkNanos(random.nextBoolean() ? random.nextInt(400_000) : random.nextInt(4_000_000));
    }

    private static long carriers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("coir-"))
                .count();
    }
}
