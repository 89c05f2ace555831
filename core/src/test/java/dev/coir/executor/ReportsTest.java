package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.testing.AllAsleep;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.NativeGate;
import dev.coir.testing.NativeSleep;
import dev.coir.testing.TurnsOutside;
import dev.coir.testing.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the monitor tells. */
@ExtendWith(Watchdog.class)
class ReportsTest {
    private static final class Stalls implements Reports {
        final BlockingQueue<Stall> seen = new LinkedBlockingQueue<>();

        @Override
        public void stalled(Stall stall) {
            seen.add(stall);
        }
    }

    private static Scheduler start(Reports reports) {
        return Scheduler.builder()
                .name("watched")
                .workers(1)
                .stallThreshold(Duration.ofMillis(30))
                .reports(reports)
                .start();
    }

    private static void loopUntil(AtomicBoolean told) {
        while (!told.get()) Thread.onSpinWait(); // the line that the report names
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anEndlessLoopIsReportedWithItsLine(Kind kind) throws Exception {
        var stalls = new Stalls();
        try (var scheduler = start(stalls)) {
            var told = new AtomicBoolean();
            Fiber<Void> busy = Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .name("loops")
                    .start(() -> {
                        loopUntil(told);
                        return null;
                    });
            Reports.Stall stall = stalls.seen.take();
            told.set(true);
            busy.join();
            assertEquals("watched", stall.scheduler());
            assertTrue(stall.thread().startsWith("watched-0-"), stall::thread);
            assertTrue(stall.task().contains("loops") && stall.task().contains(kind.name()), stall::task);
            assertFalse(stall.blocked());
            assertTrue(stall.duration().toMillis() >= 30);
            assertTrue(
                    stall.stack().stream()
                            .anyMatch(frame -> frame.getMethodName().equals("loopUntil")
                                    && frame.getLineNumber() > 0
                                    && "ReportsTest.java".equals(frame.getFileName())),
                    stall::toString);
            assertTrue(stall.toString().contains("Fiber.yield"), stall::toString);
        }
        assertTrue(stalls.seen.isEmpty(), "reported once");
    }

    @Test
    void aBlockedThreadIsReportedWithTheStackThatBlocks() throws Exception {
        var stalls = new Stalls();
        try (var gate = new NativeGate();
                var scheduler = start(stalls)) {
            gate.letPass(1);
            gate.await(); // the first call takes longer than the threshold, and is no block
            Fiber<Void> blocked = Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> {
                gate.await();
                return null;
            });
            Reports.Stall stall = stalls.seen.take();
            gate.letPass(1);
            assertTrue(stall.blocked(), stall::toString);
            assertTrue(stall.toString().contains("NativeGate.await"), stall::toString);
            assertTrue(stall.toString().contains("Fiber.blocking"), stall::toString);
            blocked.join();
        }
    }

    @Test
    void aDeclaredBlockingCallIsNoStall() throws Exception {
        NativeSleep.micros(1);
        var stalls = new Stalls();
        try (var scheduler = start(stalls)) {
            Fiber.go(
                            scheduler,
                            () -> Fiber.blocking(() -> {
                                NativeSleep.micros(200_000);
                                return null;
                            }))
                    .join();
        }
        assertTrue(stalls.seen.isEmpty(), stalls.seen::toString);
    }

    @Test
    void aListenerThatThrowsDoesNotEndTheMonitor() throws Exception {
        List<Integer> calls = new ArrayList<>();
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        try (var scheduler = start(new Reports() {
            @Override
            public void stalled(Stall stall) {
                calls.add(1);
                seen.add(calls.size());
                throw new IllegalStateException("of the test's own");
            }
        })) {
            for (int i = 1; i <= 2; i++) {
                var told = new AtomicBoolean();
                Fiber<Void> busy = Fiber.go(scheduler, () -> {
                    loopUntil(told);
                    return null;
                });
                assertEquals(i, seen.take());
                told.set(true);
                busy.join();
            }
        }
    }

    @Test
    void fibersThatWaitForEachOtherAreReportedWithWhatTheyWaitFor() throws Exception {
        var child = ChildJvm.run(ChildJvm.FLAGS, AllAsleep.class);
        assertEquals(7, child.exit(), child::output);
        assertTrue(child.output().contains("all 2 fibers of scheduler sleepy wait"), child::output);
        assertTrue(child.output().contains("Fiber[first, VIRTUAL, WAITING in join of a fiber]"), child::output);
        assertTrue(child.output().contains("Fiber[second, VIRTUAL, WAITING in join of a fiber]"), child::output);
    }

    /** A thread that has been woken but has no processor yet looks like one that waits. */
    @Test
    void whoIsWokenByThreadsThatWakeEachOtherIsNotReported() throws Exception {
        var child = ChildJvm.run(ChildJvm.FLAGS, TurnsOutside.class);
        assertEquals("none", child.output().strip());
    }
}
