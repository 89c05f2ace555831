package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Dumps, thousands of them, while fibers come and go, switch, wake each other and are cancelled. */
class DumpStormTest {
    private static final boolean LONG_DOSE = "long".equals(System.getProperty("coir.dose"));
    private static final int DUMPS = LONG_DOSE ? 20_000 : 400;
    private static final long DOSE_NANOS =
            LONG_DOSE ? 300_000_000_000L : 3_000_000_000L; // enough even if not all were taken
    private static final int FEWEST = 20;
    private static final int PARKED = 20;
    private static final Duration LONG = Duration.ofSeconds(50);

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "VIRTUAL,8", "LIGHT,0", "LIGHT,1", "LIGHT,2", "LIGHT,8"})
    void whoIsKnownToWaitIsInEveryDump(Kind kind, int workers) throws Exception {
        try (var ground = new Ground(workers)) {
            Map<Long, Fiber<?>> parked = new TreeMap<>();
            for (int i = 0; i < PARKED; i++) {
                Fiber<?> each = ground.park(i % 2 == 0 ? Kind.VIRTUAL : Kind.LIGHT, "parked-" + i);
                parked.put(each.id(), each);
            }
            churn(ground, kind);
            var inside = ground.start(kind, "dumps inside", () -> {
                for (int i = 0; i < DUMPS / 10 && !ground.stop.get(); i++) {
                    check(FiberDump.of(ground.scheduler, LONG), parked);
                    Fiber.yield();
                }
                return true;
            });
            dumpAndCheck(ground, parked);
            ground.stop.set(true);
            assertTrue(inside.get());
        }
    }

    private static void dumpAndCheck(Ground ground, Map<Long, Fiber<?>> parked) {
        long begun = System.nanoTime();
        for (int i = 0; i < DUMPS && (i < FEWEST || System.nanoTime() - begun < DOSE_NANOS); i++)
            check(FiberDump.of(ground.scheduler, LONG), parked);
    }

    private static void check(FiberDump dump, Map<Long, Fiber<?>> parked) {
        var seen = new ArrayList<Long>();
        for (FiberView each : dump.fibers()) {
            if (!parked.containsKey(each.id())) continue;
            seen.add(each.id());
            assertTrue(Ground.shows(each, "waitAtTheGate"), dump::toString);
        }
        assertEquals(new ArrayList<>(parked.keySet()), seen, dump::toString);
    }

    /** Fibers that yield, that wake each other in turn, that sleep, that start others which end at once. */
    private static void churn(Ground ground, Kind kind) {
        for (int i = 0; i < 3; i++) ground.start(kind, "yields", () -> deep(ground, 10));
        var ping = new Semaphore(1);
        var pong = new Semaphore(0);
        ground.start(kind, "pings", () -> turns(ground, ping, pong));
        ground.start(kind, "pongs", () -> turns(ground, pong, ping));
        ground.start(kind, "sleeps", () -> {
            while (!ground.stop.get()) Fiber.sleep(Duration.ofNanos(100_000));
            return true;
        });
        ground.start(kind, "starts", () -> {
            while (!ground.stop.get()) {
                Fiber.builder().kind(kind).start(() -> Fiber.yield()).join();
                Fiber.builder().kind(kind).start(() -> {}).join();
            }
            return true;
        });
    }

    private static boolean deep(Ground ground, int depth) {
        if (depth > 0) return deep(ground, depth - 1);
        while (!ground.stop.get()) Fiber.yield();
        return true;
    }

    private static boolean turns(Ground ground, Semaphore own, Semaphore other) throws InterruptedException {
        while (!ground.stop.get()) {
            own.tryAcquire(1, TimeUnit.MILLISECONDS);
            other.release();
        }
        return true;
    }

    /** S1 of Survey: whoever suspended before the dump began is in it, be it only just. */
    @ParameterizedTest
    @CsvSource({"VIRTUAL,1", "VIRTUAL,2", "LIGHT,1", "LIGHT,2"})
    void whoHasOnlyJustSuspendedIsThere(Kind kind, int workers) throws Exception {
        for (int round = 0; round < DUMPS / 20; round++) {
            try (var ground = new Ground(workers)) {
                List<Fiber<?>> fibers = new ArrayList<>();
                for (int i = 0; i < 300; i++) fibers.add(ground.start(kind, "f", ground::waitAtTheGate));
                Set<Long> waiting;
                do {
                    waiting = waiting(fibers);
                    Set<Long> missing = new TreeSet<>(waiting);
                    for (FiberView each :
                            FiberDump.of(ground.scheduler, Duration.ZERO).fibers()) missing.remove(each.id());
                    assertEquals(Set.of(), missing);
                } while (waiting.size() < fibers.size());
            }
        }
    }

    private static Set<Long> waiting(List<Fiber<?>> fibers) {
        Set<Long> waiting = new TreeSet<>();
        for (Fiber<?> each : fibers.reversed()) { // those that suspend just now first
            if (each.status() == Fiber.Status.WAITING) waiting.add(each.id());
        }
        return waiting;
    }

    /** Each round a scheduler is closed, or shut down, in the middle of it. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void dumpsWhileSchedulersClose(Kind kind) throws Exception {
        for (int round = 0; round < DUMPS / 20; round++) {
            var ground = new Ground(1 + round % 3);
            for (int i = 0; i < 10; i++) ground.park(kind, "f" + i);
            var dumping = new AtomicInteger(2);
            List<Thread> askers = new ArrayList<>();
            var failed = new ArrayList<Throwable>();
            for (int i = 0; i < 2; i++) {
                askers.add(Thread.ofPlatform().start(() -> {
                    try {
                        dumping.decrementAndGet();
                        while (!FiberDump.of(ground.scheduler, LONG).state().equals("STOPPED")) Thread.onSpinWait();
                    } catch (Throwable failure) {
                        synchronized (failed) {
                            failed.add(failure);
                        }
                    }
                }));
            }
            Ground.await(() -> dumping.get() == 0);
            if (round % 2 == 0) ground.scheduler.shutdownNow();
            ground.close();
            for (Thread each : askers) each.join();
            assertEquals(List.of(), failed);
        }
    }

    /** Threads block and are replaced meanwhile, so that carriers come, go and wait for a slot. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void dumpsWhileWorkersAreHandedOff(Kind kind) throws Exception {
        try (var ground = new Ground(2)) {
            Map<Long, Fiber<?>> parked = new TreeMap<>();
            for (int i = 0; i < 4; i++) {
                ground.start(kind, "blocks", () -> {
                    while (!ground.stop.get()) {
                        Fiber.blocking(() -> {
                            Thread.sleep(0, 300_000);
                            return 1;
                        });
                        Fiber.yield();
                    }
                    return true;
                });
            }
            for (int i = 0; i < PARKED; i++) {
                Fiber<?> each = ground.park(i % 2 == 0 ? Kind.VIRTUAL : Kind.LIGHT, "parked-" + i);
                parked.put(each.id(), each);
            }
            dumpAndCheck(ground, parked);
        }
    }

    /** The stacks of three thousand fibers of one thread are told in portions, between which it runs what waits. */
    @Test
    void manyFibersOfOneThreadDoNotHoldItUp() throws Exception {
        int many = 3_000;
        var noSpare = Scheduler.builder().workers(1).timeSlice(Duration.ofHours(1));
        try (var ground = new Ground(noSpare, 1)) {
            var waiting = new AtomicInteger();
            for (int i = 0; i < many; i++) {
                ground.start(Kind.LIGHT, "f", () -> {
                    waiting.incrementAndGet();
                    ground.gate.await();
                    return 1;
                });
            }
            Ground.await(() -> waiting.get() == many);
            ground.scheduler.awaitIdle();
            long slices = ran(ground.scheduler);
            FiberDump dump = FiberDump.of(ground.scheduler, LONG);
            assertEquals(many, dump.fibers().size());
            for (FiberView each : dump.fibers()) assertTrue(each.stackMissing().isEmpty(), each::toString);
            assertTrue(ran(ground.scheduler) > slices + 1, "told at a stretch");
        }
    }

    private static long ran(Scheduler scheduler) {
        return scheduler.stats().workers().getFirst().ran();
    }
}
