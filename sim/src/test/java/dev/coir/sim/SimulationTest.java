package dev.coir.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SimulationTest {
    // ---- the seed decides ------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void theSameSeedGivesTheSameRun(Fiber.Kind kind) throws Exception {
        for (long seed = 0; seed < 40; seed++) {
            var first = Simulation.builder().kind(kind).run(seed, new Bazaar(kind));
            var again = Simulation.builder().kind(kind).run(seed, new Bazaar(kind));
            assertEquals(first, again);
        }
    }

    @Test
    void anotherJvmGivesTheSameRun() throws Exception {
        List<String> flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.add("-Xint");
        String printed = ChildJvm.run(flags, Bazaar.class, "7");
        assertEquals(Bazaar.shown(Simulation.run(7, new Bazaar(Fiber.Kind.VIRTUAL))), printed);
    }

    @ParameterizedTest
    @EnumSource
    void otherSeedsGiveOtherRuns(Fiber.Kind kind) throws Exception {
        Set<Long> fingerprints = new HashSet<>();
        for (long seed = 0; seed < 100; seed++)
            fingerprints.add(Simulation.run(seed, new Bazaar(kind)).fingerprint());
        assertEquals(100, fingerprints.size());
    }

    @Test
    void everyOrderOfThreeFibersComesUp() throws Exception {
        Set<List<Integer>> orders = new HashSet<>();
        Simulation.explore(200, () -> {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                Fiber.go(() -> {
                    order.add(number);
                });
            }
            while (order.size() < 3) Fiber.yield();
            orders.add(order);
        });
        assertEquals(6, orders.size());
    }

    @Test
    void whatTheProgramDrawsIsTheSeedsAndChangesNothingElse() throws Exception {
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 2; i++)
            Simulation.run(5, () -> drawn.add(Simulation.random().nextLong()));
        assertEquals(drawn.getFirst(), drawn.getLast());
        Simulation.Program yields = () -> {
            for (int i = 0; i < 10; i++) Fiber.go(() -> Fiber.yield());
        };
        var without = Simulation.run(5, yields);
        var with = Simulation.run(5, () -> {
            Simulation.random().nextLong();
            yields.run();
        });
        assertEquals(without, with);
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aYearOfSleepTakesNoTimeOfOurs(Fiber.Kind kind) throws Exception {
        long start = System.nanoTime();
        var report = Simulation.builder().kind(kind).run(1, () -> {
            Fiber.sleep(Duration.ofDays(365));
            assertTrue(Simulation.elapsed().compareTo(Duration.ofDays(365)) >= 0);
        });
        assertTrue(report.elapsed().compareTo(Duration.ofDays(365)) >= 0, report::toString);
        assertTrue(report.elapsed().compareTo(Duration.ofDays(365).plusSeconds(1)) < 0, report::toString);
        assertTrue(System.nanoTime() - start < Duration.ofSeconds(30).toNanos());
    }

    @Test
    void sleepersWakeInTheOrderOfTheirTimes() throws Exception {
        Simulation.explore(50, () -> {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int hours = (i * 7) % 20 + 1;
                Fiber.go(() -> {
                    Fiber.sleep(Duration.ofHours(hours));
                    return order.add(hours);
                });
            }
            Fiber.sleep(Duration.ofDays(2));
            assertEquals(order.stream().sorted().toList(), order);
            assertEquals(20, order.size());
        });
    }

    // ---- how a run fails -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void whatTheProgramThrowsFailsTheRun(Fiber.Kind kind) {
        var thrown = new IllegalStateException("as planned");
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().kind(kind).run(9, () -> {
                    throw thrown;
                }));
        assertSame(thrown, failure.getCause());
        assertTrue(
                failure.getMessage().startsWith("seed 9: java.lang.IllegalStateException: as planned"),
                failure::getMessage);
        assertTrue(failure.getMessage().contains("-Dcoir.sim.seed=9"), failure::getMessage);
        assertEquals(9, failure.report().seed());
    }

    @ParameterizedTest
    @EnumSource
    void soDoesAFiberWhoseOutcomeNobodyAsksFor(Fiber.Kind kind) {
        var thrown = new IllegalStateException("as planned");
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(4, () -> {
                    Fiber.builder().kind(kind).start((Runnable) () -> {
                        throw thrown;
                    });
                    new Latch(1).await();
                }));
        assertSame(thrown, failure.getCause());
    }

    @Test
    void aPlainTaskThatThrowsFailsTheRun() {
        var thrown = new IllegalStateException("as planned");
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(4, () -> {
                    var strand = dev.coir.executor.Strand.over(Fibers.currentExecutor());
                    strand.execute(() -> {
                        throw new AssertionError("goes to the strand's handler");
                    });
                    Fibers.currentExecutor().execute(() -> {
                        throw thrown;
                    });
                }));
        assertSame(thrown, failure.getCause());
    }

    @Test
    void aFailureThatSomebodyTakesFailsNothing() throws Exception {
        Simulation.explore(20, () -> {
            Fiber<Object> child = Fiber.go(() -> {
                throw new IllegalStateException("as planned");
            });
            assertThrows(java.util.concurrent.CompletionException.class, child::join);
        });
    }

    @ParameterizedTest
    @EnumSource
    void fibersThatNothingCanWakeAreNamed(Fiber.Kind kind) {
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(3, () -> {
                    var latch = new Latch(1);
                    Fiber.builder().kind(kind).name("waits for ever").start(() -> {
                        latch.await();
                        return null;
                    });
                }));
        assertTrue(failure.getMessage().contains("1 fiber waits"), failure::getMessage);
        assertTrue(failure.getMessage().contains("waits for ever: count of a Latch"), failure::getMessage);
    }

    @Test
    void finallyBlocksOfThoseLeftRun() {
        var unwound = new AtomicInteger();
        assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(3, () -> {
                    for (Fiber.Kind kind : Fiber.Kind.values()) {
                        Fiber.builder().kind(kind).start(() -> {
                            try {
                                new Latch(1).await();
                            } finally {
                                Fiber.sleep(Duration.ZERO);
                                unwound.incrementAndGet();
                            }
                            return null;
                        });
                    }
                    Fiber.sleep(Duration.ofSeconds(1));
                    throw new IllegalStateException("as planned");
                }));
        assertEquals(2, unwound.get());
    }

    @Test
    void aRunWithoutEndIsGivenUp() {
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().maxSteps(1_000).run(3, () -> {
                    while (true) {
                        Fiber.yield();
                        if (Thread.currentThread().isInterrupted()) return;
                    }
                }));
        assertTrue(failure.getMessage().contains("no end after 1000 steps"), failure::getMessage);
        assertEquals(1_000, failure.report().steps());
    }

    @Test
    void aStepThatBlocksTheThreadIsShown() throws Exception {
        var release = new AtomicBoolean();
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().stepLimit(Duration.ofMillis(300)).run(3, () -> spin(release)));
        release.set(true);
        assertTrue(failure.getMessage().contains("has not come back for 300 ms"), failure::getMessage);
        assertTrue(failure.getMessage().contains("SimulationTest.spin"), failure::getMessage);
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatBlocksTheThreadIsInterrupted(Fiber.Kind kind) throws Exception {
        var interrupted = new CountDownLatch(1);
        assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder()
                        .kind(kind)
                        .stepLimit(Duration.ofMillis(300))
                        .run(
                                3,
                                () -> Fiber.blocking(() -> {
                                    try {
                                        Fibers.blockTheThread();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    }
                                    return null;
                                })));
        interrupted.await();
    }

    private static void spin(AtomicBoolean release) {
        while (!release.get()) Thread.onSpinWait();
    }

    @Test
    void aWaitInTheMachinesTimeIsExplained() {
        var failure = assertThrows(SimulationFailure.class, () -> Simulation.run(3, () -> Thread.sleep(3_600_000)));
        assertTrue(failure.getMessage().contains("Fiber.sleep"), failure::getMessage);
        assertTrue(failure.getMessage().contains("SimulationTest"), failure::getMessage);
    }

    @Test
    void whatTheProgramThrowsCountsThoughOthersWouldGoOnForEver() {
        var thrown = new IllegalStateException("as planned");
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().maxSteps(1_000).run(2, () -> {
                    Fiber.go(() -> {
                        while (true) Fiber.sleep(Duration.ofSeconds(1));
                    });
                    Fiber.sleep(Duration.ofSeconds(3));
                    throw thrown;
                }));
        assertSame(thrown, failure.getCause());
    }

    @ParameterizedTest
    @EnumSource
    void whatACancelledProgramThrowsFailsTheRun(Fiber.Kind kind) {
        var thrown = new IllegalStateException("as planned");
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().kind(kind).run(2, () -> {
                    Fiber.current().cancel(false);
                    throw thrown;
                }));
        assertSame(thrown, failure.getCause());
    }

    /** It failed first, and that is to be told: the block is a consequence. */
    @Test
    void aFinallyBlockThatHangsDoesNotHideWhyTheRunFailed() {
        var thrown = new IllegalStateException("as planned");
        var release = new AtomicBoolean();
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.builder().stepLimit(Duration.ofMillis(300)).run(2, () -> {
                    Fiber.go(() -> {
                        try {
                            new Latch(1).await();
                        } finally {
                            spin(release);
                        }
                        return null;
                    });
                    Fiber.sleep(Duration.ofSeconds(1));
                    throw thrown;
                }));
        release.set(true);
        assertSame(thrown, failure.getCause());
    }

    /** Each gets its turn while the run is unwound, also beside one that never ends. */
    @Test
    void oneWhoNeverEndsDoesNotKeepTheOthersFromUnwinding() {
        var unwound = new AtomicInteger();
        var release = new AtomicBoolean();
        assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(2, () -> {
                    for (int i = 0; i < 3; i++) {
                        Fiber.go(() -> {
                            try {
                                new Latch(1).await();
                            } finally {
                                for (int turn = 0; turn < 10; turn++) Fiber.yield();
                                if (unwound.incrementAndGet() == 3) release.set(true);
                            }
                            return null;
                        });
                        Fiber.go(() -> {
                            while (!release.get()) Fiber.yield();
                        });
                    }
                    Fiber.sleep(Duration.ofMillis(1));
                    throw new IllegalStateException("as planned");
                }));
        assertEquals(3, unwound.get());
    }

    @Test
    void aTaskThatInterruptsTheThreadEndsNothing() {
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(2, () -> {
                    Fibers.currentExecutor()
                            .execute(() -> Thread.currentThread().interrupt());
                    while (!Thread.currentThread().isInterrupted()) java.util.concurrent.locks.LockSupport.park();
                }));
        assertTrue(failure.getMessage().contains("1 fiber waits"), failure::getMessage);
    }

    @Test
    void aFailureWhoseTextIsBrokenIsToldAllTheSame() {
        @SuppressWarnings({"serial", "OverrideThrowableToString"})
        var thrown = new IllegalStateException("as planned") {
            @Override
            public String toString() {
                throw new UnsupportedOperationException("no text");
            }
        };
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(2, () -> {
                    throw thrown;
                }));
        assertSame(thrown, failure.getCause());
    }

    @Test
    void timeThatRunsOutAfterCenturiesIsSaid() {
        var failure = assertThrows(
                SimulationFailure.class,
                () -> Simulation.run(2, () -> {
                    while (true) Fiber.sleep(Duration.ofDays(365 * 100));
                }));
        assertTrue(failure.getMessage().contains("ends after 291 years"), failure::getMessage);
    }

    /** Both ways to choose; the number of steps times the number of fibers would be hundreds of millions. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void tenThousandFibersAreNotTooMany(long seed) throws Exception {
        var report = Simulation.run(seed, () -> {
            var all = new Latch(10_000);
            for (int i = 0; i < 10_000; i++) {
                Fiber.go(() -> {
                    Fiber.yield();
                    all.countDown();
                });
            }
            all.await();
        });
        assertTrue(report.steps() >= 20_000, report::toString);
    }

    // ---- what leaves the world -------------------------------------------------------------------------------------

    @Test
    void monitorsWorkThoughTheJdkWakesFromAnotherThread() throws Exception {
        Simulation.explore(50, () -> {
            var monitor = new Object();
            int[] inside = {0};
            List<Fiber<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                all.add(Fiber.go(() -> {
                    synchronized (monitor) {
                        assertEquals(1, ++inside[0]);
                        Fiber.sleep(Duration.ofMillis(5));
                        inside[0]--;
                    }
                    return true;
                }));
            }
            for (var each : all) assertTrue(each.join());
        });
    }

    @Test
    void aBlockingCallIsMadeOnTheWorldsThread() throws Exception {
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            Simulation.builder().kind(kind).run(2, () -> {
                String thread = Fiber.blocking(() -> Thread.currentThread().toString());
                assertTrue(thread.contains(kind == Fiber.Kind.LIGHT ? "coir-simulation-2" : "main"), thread);
            });
        }
    }

    @Test
    void whatAnotherThreadBringsIsTaken() throws Exception {
        var arrived = new CountDownLatch(1);
        Simulation.run(2, () -> {
            var thread = Thread.currentThread();
            Thread.ofPlatform().start(() -> {
                while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
                arrived.countDown();
                java.util.concurrent.locks.LockSupport.unpark(thread);
            });
            while (arrived.getCount() > 0) java.util.concurrent.locks.LockSupport.park();
        });
    }

    // ---- misuse ----------------------------------------------------------------------------------------------------

    @Test
    void oneSimulationInsideAnotherIsRefused() {
        var failure = assertThrows(SimulationFailure.class, () -> Simulation.run(0, () -> Simulation.run(1, () -> {})));
        assertTrue(failure.getCause() instanceof IllegalStateException, failure::toString);
    }

    @Test
    void whatIsForItsFibersIsRefusedOutside() {
        assertFalse(Simulation.isInside());
        Simulation.point();
        assertThrows(IllegalStateException.class, Simulation::elapsed);
        assertThrows(IllegalStateException.class, Simulation::random);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void limitsArePositive(long n) {
        assertThrows(IllegalArgumentException.class, () -> Simulation.builder().maxSteps(n));
        assertThrows(IllegalArgumentException.class, () -> Simulation.builder().stepLimit(Duration.ofNanos(n)));
        assertThrows(IllegalArgumentException.class, () -> Simulation.explore((int) n, () -> {}));
    }

    @Test
    void aProgramMustBeGiven() {
        assertThrows(NullPointerException.class, () -> Simulation.run(1, null));
    }

    @Test
    void anInterruptedCallerGivesTheRunUp() throws Exception {
        var began = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var outcome = new AtomicBoolean();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                Simulation.builder().maxSteps(Long.MAX_VALUE).run(1, () -> {
                    began.countDown();
                    try {
                        while (true) Fiber.sleep(Duration.ofMillis(1));
                    } finally {
                        ended.countDown();
                    }
                });
            } catch (InterruptedException e) {
                outcome.set(true);
            }
        });
        began.await();
        caller.interrupt();
        caller.join();
        assertTrue(outcome.get());
        ended.await();
    }

    @Test
    void theSeedOfThePropertyIsTheOnlyOneTried() throws Exception {
        var runs = new AtomicInteger();
        System.setProperty(Simulation.SEED_PROPERTY, "77");
        try {
            var failure = assertThrows(
                    SimulationFailure.class,
                    () -> Simulation.explore(1_000, () -> {
                        runs.incrementAndGet();
                        throw new IllegalStateException("as planned");
                    }));
            assertEquals(77, failure.report().seed());
            System.setProperty(Simulation.SEED_PROPERTY, "seventy");
            assertThrows(IllegalArgumentException.class, () -> Simulation.explore(1, () -> {}));
        } finally {
            System.clearProperty(Simulation.SEED_PROPERTY);
        }
        assertEquals(1, runs.get());
    }
}
