package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.testing.Crowd;
import dev.coir.testing.NativeGate;
import dev.coir.testing.Watchdog;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that blocks its thread does not hold up the others: the worker goes on with another thread. */
@ExtendWith(Watchdog.class)
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
class HandoffTest {
    @TempDir
    Path folder;

    private static <T> Fiber<T> start(Scheduler scheduler, Kind kind, Callable<T> body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body);
    }

    /** Four block until the fifth has ticked ten times: on one worker that needs four handoffs. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fibersThatReadFromAFifoDoNotHoldUpTheTicker(Kind kind) throws Exception {
        List<Path> fifos = new ArrayList<>();
        for (int i = 0; i < 4; i++) fifos.add(fifo("fifo" + i));
        try (var scheduler = Scheduler.start(1)) {
            List<Fiber<Integer>> readers = new ArrayList<>();
            for (Path fifo : fifos) {
                readers.add(start(scheduler, kind, () -> {
                    try (var in = new FileInputStream(fifo.toFile())) {
                        return in.read();
                    }
                }));
            }
            ticks(scheduler, 10).join();
            for (Path fifo : fifos) {
                try (var out = new FileOutputStream(fifo.toFile())) {
                    out.write(7);
                }
            }
            for (Fiber<Integer> reader : readers) assertEquals(7, reader.join());
        }
    }

    /** Fibers that never wait keep the spare busy, and what the blocked thread had queued can only be stolen. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatABlockedThreadHasQueuedIsStartedByABusySpare(Kind kind) throws Exception {
        var all = new CountDownLatch(200);
        var over = new AtomicBoolean();
        var gate = new CountDownLatch(1);
        try (var scheduler = Scheduler.start(1)) {
            scheduler.execute(() -> {
                for (int i = 0; i < 200; i++) {
                    start(scheduler, kind, () -> {
                        all.countDown();
                        while (!over.get()) Fiber.yield();
                        return null;
                    });
                }
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            all.await();
            over.set(true);
            gate.countDown();
        }
    }

    private Path fifo(String name) throws Exception {
        Path path = folder.resolve(name);
        assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
        assertTrue(Files.exists(path));
        return path;
    }

    private static Fiber<Void> ticks(Scheduler scheduler, int count) {
        return Fiber.go(scheduler, () -> {
            for (int i = 0; i < count; i++) Fiber.sleep(Duration.ofMillis(1));
            return null;
        });
    }

    /** In native code the thread looks as if it ran; its processor time tells. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fibersInsideNativeCallsDoNotHoldUpTheTicker(Kind kind) {
        try (var gate = new NativeGate();
                var scheduler = Scheduler.start(1)) {
            var begun = new AtomicInteger();
            List<Fiber<Void>> inside = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                inside.add(start(scheduler, kind, () -> {
                    begun.incrementAndGet();
                    gate.await();
                    return null;
                }));
            }
            ticks(scheduler, 10).join();
            assertEquals(4, begun.get(), "they do not wait side by side");
            gate.letPass(4);
            inside.forEach(Fiber::join);
        }
    }

    @Test
    void theMonitorSleepsWhenNothingRunsAndWakesWithTheFirstTask() throws Exception {
        try (var scheduler = Scheduler.builder().workers(1).name("quiet").start()) {
            Fiber.go(scheduler, () -> 1).join();
            Thread monitor = Thread.getAllStackTraces().keySet().stream()
                    .filter(each -> each.getName().equals("quiet-monitor"))
                    .findFirst()
                    .orElseThrow();
            Crowd.until(() -> monitor.getState() == Thread.State.WAITING); // for ever, where it else waits for a time
            var release = new CountDownLatch(1);
            scheduler.execute(() -> awaitOnThread(release)); // undeclared: only the monitor can help
            assertEquals(2, Fiber.go(scheduler, () -> 2).join());
            release.countDown();
        }
    }

    private static void awaitOnThread(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static volatile CountDownLatch mayInitialise = new CountDownLatch(0);

    private static final class SlowToInitialise {
        static {
            try {
                mayInitialise.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static void touch() {}
    }

    /** A virtual thread cannot leave its carrier inside a class initialiser. */
    @Test
    void aFiberThatWaitsInAClassInitialiserDoesNotHoldUpOthers() {
        mayInitialise = new CountDownLatch(1);
        try (var scheduler = Scheduler.start(1)) {
            Fiber<Void> pinned = start(scheduler, Kind.VIRTUAL, () -> {
                SlowToInitialise.touch();
                return null;
            });
            ticks(scheduler, 10).join();
            mayInitialise.countDown();
            pinned.join();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aDeclaredCallIsHandedOffAtOnce(Kind kind) throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .timeSlice(Duration.ofDays(1)) // so the monitor does nothing
                .start()) {
            var release = new CountDownLatch(4);
            List<Fiber<Integer>> blocked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int result = i;
                blocked.add(start(
                        scheduler,
                        kind,
                        () -> Fiber.blocking(() -> {
                            release.countDown();
                            release.await();
                            return result;
                        })));
            }
            for (int i = 0; i < 4; i++) assertEquals(i, blocked.get(i).join());
        }
    }

    /** Light fibers cannot leave their thread: they wait for it, whoever has its slot meanwhile. */
    @Test
    void lightFibersOfABlockedThreadWaitForItAndThenGoOn() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var release = new CountDownLatch(1);
            var begun = new CountDownLatch(8);
            var steps = new AtomicInteger();
            List<Fiber<Thread>> bound = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                bound.add(start(scheduler, Kind.LIGHT, () -> {
                    begun.countDown();
                    Thread own = Thread.currentThread();
                    while (steps.get() == 0) Fiber.sleep(Duration.ofMillis(1));
                    for (int k = 0; k < 100; k++) Fiber.yield();
                    assertEquals(own, Thread.currentThread());
                    return own;
                }));
            }
            begun.await();
            Fiber<Thread> blocking = start(
                    scheduler,
                    Kind.LIGHT,
                    () -> Fiber.blocking(() -> {
                        release.await();
                        return Thread.currentThread();
                    }));
            // It begins on the thread that stands in, and stays with it.
            var begunElsewhere = new CountDownLatch(1);
            Fiber<Thread> elsewhere = start(scheduler, Kind.LIGHT, () -> {
                begunElsewhere.countDown();
                while (steps.get() == 0) Fiber.yield();
                return Thread.currentThread();
            });
            begunElsewhere.await();
            release.countDown();
            Thread blockedOn = blocking.join();
            steps.set(1);
            for (Fiber<Thread> each : bound) each.join(); // on the blocked thread, unless the machine is crowded
            assertTrue(elsewhere.join() != blockedOn);
        }
    }

    /** Each waits for the other, on one worker: neither can run on top of the other. */
    @Test
    void plainTasksThatWaitForEachOtherOnOneWorkerFinish() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var toFirst = new AtomicReference<Fiber<Integer>>();
            var toSecond = new AtomicReference<Fiber<Integer>>();
            var gates = new CountDownLatch(2);
            Fiber<Integer> first = Fiber.builder().on(scheduler).unstarted(() -> 1);
            Fiber<Integer> second = Fiber.builder().on(scheduler).unstarted(() -> 2);
            toFirst.set(first);
            toSecond.set(second);
            var sum = new AtomicInteger();
            var done = new CountDownLatch(2);
            scheduler.execute(() -> {
                gates.countDown();
                sum.addAndGet(toFirst.get().join());
                done.countDown();
            });
            scheduler.execute(() -> {
                gates.countDown();
                toFirst.get().start();
                sum.addAndGet(toSecond.get().join());
                done.countDown();
            });
            gates.await();
            scheduler.execute(() -> toSecond.get().start());
            done.await();
            assertEquals(3, sum.get());
        }
    }

    /** Tasks that wait a thousand deep need no deep stack: each waits on a thread of its own, up to the limit. */
    @Test
    void waitingTasksStandOnThreadsOfTheirOwn() throws Exception {
        try (var scheduler = Scheduler.builder().workers(1).maxSpareCarriers(16).start()) {
            var done = new CountDownLatch(100);
            var last = new CountDownLatch(1);
            for (int i = 0; i < 100; i++) {
                scheduler.execute(() -> {
                    assertEquals(1, Fiber.go(scheduler, () -> 1).join());
                    done.countDown();
                });
            }
            scheduler.execute(last::countDown);
            done.await();
            last.await();
        }
    }

    @Test
    void whenNoThreadIsLeftItIsReportedOnceAndTheCallIsMadeAllTheSame() throws Exception {
        List<Reports.Exhaustion> reported = new ArrayList<>();
        var reports = new Reports() {
            @Override
            public synchronized void sparesExhausted(Exhaustion exhaustion) {
                reported.add(exhaustion);
            }
        };
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .maxSpareCarriers(0)
                .reports(reports)
                .start()) {
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        7, Fiber.go(scheduler, () -> Fiber.blocking(() -> 7)).join());
            }
        }
        synchronized (reports) {
            assertEquals(1, reported.size());
            assertTrue(reported.getFirst().toString().contains("maxSpareCarriers"), reported::toString);
        }
    }

    @Test
    void closeWaitsForABlockedCall() throws Exception {
        var release = new CountDownLatch(1);
        var inside = new CountDownLatch(1);
        var scheduler = Scheduler.start(1);
        Fiber<Integer> blocked = Fiber.go(
                scheduler,
                () -> Fiber.blocking(() -> {
                    inside.countDown();
                    release.await();
                    return 5;
                }));
        inside.await();
        var closing = Crowd.start("closing", i -> scheduler.close());
        release.countDown();
        closing.get();
        assertEquals(5, blocked.join());
    }

    /** One that is asked to end in a call which the monitor does not see: only the interrupt can end it. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shutdownNowInterruptsABlockedCall(Kind kind) throws Exception {
        var inside = new CountDownLatch(1);
        var scheduler = Scheduler.start(1);
        Fiber<Integer> blocked = start(
                scheduler,
                kind,
                () -> Fiber.blocking(() -> {
                    inside.countDown();
                    new CountDownLatch(1).await();
                    return 5;
                }));
        inside.await();
        scheduler.shutdownNow();
        scheduler.close();
        assertTrue(blocked.isCancelled());
    }

    private static final CountDownLatch WAITS_IN_INITIALISER = new CountDownLatch(1);

    private static final class NeverInitialised {
        static {
            WAITS_IN_INITIALISER.countDown();
            try {
                Fiber.sleep(Duration.ofDays(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException("told to end", e);
            }
        }

        static void touch() {}
    }

    @Test
    void shutdownNowInterruptsALightFiberThatCannotLeaveItsThread() throws Exception {
        var scheduler = Scheduler.start(1);
        Fiber<Void> pinned = start(scheduler, Kind.LIGHT, () -> {
            NeverInitialised.touch();
            return null;
        });
        WAITS_IN_INITIALISER.await();
        scheduler.shutdownNow();
        scheduler.close();
        assertTrue(pinned.isCancelled());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aBlockedCallIsInterruptedThoughNoThreadCouldTakeOver(Kind kind) throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .maxSpareCarriers(0)
                .reports(Reports.NONE)
                .start()) {
            var inside = new CountDownLatch(1);
            var interrupted = new CountDownLatch(1);
            Fiber<Void> blocked = start(
                    scheduler,
                    kind,
                    () -> Fiber.blocking(() -> {
                        inside.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                        }
                        return null;
                    }));
            inside.await();
            blocked.cancel(true);
            interrupted.await();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anInterruptThatEndedABlockedCallDoesNotEndTheNextWait(Kind kind) throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var inside = new CountDownLatch(1);
            var outcome = new CompletableFuture<String>();
            Fiber<Void> fiber = start(scheduler, kind, () -> {
                try {
                    Fiber.blocking(() -> {
                        inside.countDown();
                        return new CountDownLatch(1).await(1, TimeUnit.DAYS);
                    });
                } catch (InterruptedException once) {
                    try {
                        outcome.complete(Fiber.await(CompletableFuture.supplyAsync(() -> "waited")));
                    } catch (InterruptedException twice) {
                        outcome.complete("interrupted twice");
                    }
                }
                return null;
            });
            inside.await();
            fiber.cancel(true);
            assertEquals("waited", outcome.get());
        }
    }

    /** A fiber suspends inside a declared call. Its thread then runs another, which is not to be interrupted in its place. */
    @Test
    void theInterruptOfAFiberThatSuspendsInsideACallIsNotSeenByTheNextOnItsThread() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var runs = new CountDownLatch(1);
            var goOn = new AtomicBoolean();
            var first = new AtomicReference<Fiber<Void>>();
            var firstEnds = new CompletableFuture<Boolean>();
            var second = new AtomicReference<Fiber<Boolean>>();
            start(scheduler, Kind.LIGHT, () -> {
                        var here = Fiber.builder().kind(Kind.LIGHT).local(true);
                        first.set(here.start(() -> {
                            try {
                                Fiber.blocking(() -> {
                                    Fiber.sleep(Duration.ofDays(1));
                                    return null;
                                });
                                firstEnds.complete(false);
                            } catch (InterruptedException e) {
                                firstEnds.complete(true);
                            }
                            return null;
                        }));
                        second.set(here.start(() -> {
                            runs.countDown();
                            while (!goOn.get()) Thread.onSpinWait();
                            return Thread.currentThread().isInterrupted();
                        }));
                        return null;
                    })
                    .join();
            runs.await();
            first.get().cancel(true);
            goOn.set(true);
            assertFalse(second.get().join(), "the other fiber's interrupt");
            assertTrue(firstEnds.get(), "its own interrupt");
        }
    }

    /** Such a thread is on the scheduler's threads, but may be on another of them when the call is over. */
    @Test
    void aVirtualThreadThatIsNoFiberMayMakeABlockingCall() {
        try (var scheduler = Scheduler.start(1)) {
            Fiber.go(scheduler, () -> {
                        for (int i = 0; i < 50; i++) {
                            var called = new CompletableFuture<Integer>();
                            Thread.ofVirtual()
                                    .start(() -> {
                                        try {
                                            called.complete(Fiber.blocking(() -> {
                                                Thread.sleep(1);
                                                return 3;
                                            }));
                                        } catch (Exception e) {
                                            called.completeExceptionally(e);
                                        }
                                    })
                                    .join();
                            assertEquals(3, called.get());
                        }
                        return null;
                    })
                    .join();
        }
    }

    @Test
    void aManualExecutorsFiberMayMakeABlockingCallOnAWorker() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var result = new CompletableFuture<Integer>();
            scheduler.execute(() -> {
                var manual = new ManualExecutor();
                Fiber<Integer> fiber =
                        Fiber.builder().on(manual).kind(Kind.LIGHT).start(() -> Fiber.blocking(() -> 5));
                manual.drain();
                fiber.toCompletableFuture().whenComplete((value, failure) -> {
                    if (failure == null) result.complete(value);
                    else result.completeExceptionally(failure);
                });
            });
            assertEquals(5, result.get());
        }
    }

    /** Fibers that follow each other on one stack have to make room for one that has waited for its thread's turn. */
    @Test
    void aFiberThatReturnsFromACallIsNotStarvedByThoseThatRunStraightThrough() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var inside = new CountDownLatch(1);
            var release = new CountDownLatch(1);
            var returned = new AtomicBoolean();
            var started = new AtomicInteger();
            Fiber<Void> caller = start(scheduler, Kind.LIGHT, () -> {
                Fiber.blocking(() -> {
                    inside.countDown();
                    release.await();
                    return null;
                });
                returned.set(true);
                return null;
            });
            inside.await();
            var straight = Fiber.builder().on(scheduler).kind(Kind.LIGHT);
            straight.start(new Runnable() {
                @Override
                public void run() {
                    started.incrementAndGet();
                    if (!returned.get()) straight.start(this);
                }
            });
            Crowd.until(() -> started.get() > 1000);
            release.countDown();
            caller.join();
        }
    }

    /**
     * A task waits while no thread could take over, so its thread runs others meanwhile, and sleeps. Then a thread becomes
     * free: the monitor must not take the slot of the sleeping one, or wake-ups would go astray.
     */
    @Test
    void whoWaitsAndWorksKeepsItsSlotWhileItSleeps() throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(2)
                .maxSpareCarriers(1)
                .timeSlice(Duration.ofNanos(100_000))
                .stallThreshold(Duration.ZERO)
                .reports(Reports.NONE)
                .start()) {
            for (int round = 0; round < 3; round++) {
                var inside = new CountDownLatch(1);
                var release = new CountDownLatch(1);
                var ended = new CountDownLatch(2);
                var wanted = new CompletableFuture<Void>();
                scheduler.execute(() -> {
                    call(() -> Fiber.blocking(() -> {
                        inside.countDown();
                        release.await();
                        return null;
                    }));
                    ended.countDown();
                });
                inside.await();
                var waits = new CountDownLatch(1);
                scheduler.execute(() -> {
                    waits.countDown();
                    call(() -> Fiber.await(wanted));
                    ended.countDown();
                });
                waits.await();
                release.countDown();
                for (int i = 0; i < 20; i++) {
                    assertEquals(1, Fiber.go(scheduler, () -> 1).join());
                    assertEquals(
                            2,
                            ticks(scheduler, 1)
                                    .toCompletableFuture()
                                    .thenApply(v -> 2)
                                    .get());
                }
                wanted.complete(null);
                ended.await();
                for (int i = 0; i < 20; i++) {
                    ticks(scheduler, 1).join();
                    assertEquals(1, Fiber.go(scheduler, () -> 1).join());
                }
                assertTrue(scheduler.awaitIdle(Duration.ofDays(1)));
            }
        }
    }

    /** The only slot is held by a task that waits for one that has none: it must give way. */
    @Test
    void whoWaitsAndWorksGivesWayToOneWithoutASlot() throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .maxSpareCarriers(1)
                .timeSlice(Duration.ofDays(1)) // so the monitor does nothing
                .reports(Reports.NONE)
                .start()) {
            var inside = new CountDownLatch(1);
            var release = new CountDownLatch(1);
            var waits = new CountDownLatch(1);
            var over = new CompletableFuture<Void>();
            var ended = new CountDownLatch(1);
            scheduler.execute(() -> {
                call(() -> Fiber.blocking(() -> {
                    inside.countDown();
                    release.await();
                    return null;
                }));
                over.complete(null);
            });
            inside.await();
            scheduler.execute(() -> {
                waits.countDown();
                call(() -> Fiber.await(over));
                ended.countDown();
            });
            waits.await();
            scheduler.execute(release::countDown); // runs on top of that wait
            ended.await();
        }
    }

    /** What a thread without a slot has queued is stolen by another group, when its own is busy. */
    @Test
    void anotherGroupStealsFromAThreadWithoutASlot() throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(2)
                .groups(2)
                .stealEvery(1)
                .timeSlice(Duration.ofDays(1)) // so the monitor does nothing
                .start()) {
            var inside = new CountDownLatch(1);
            var busy = new CountDownLatch(1);
            var stolen = new AtomicBoolean();
            Fiber<Void> blocked = Fiber.builder()
                    .on(scheduler)
                    .group(0)
                    .kind(Kind.LIGHT)
                    .start(() -> Fiber.blocking(() -> {
                        inside.countDown();
                        busy.await();
                        Fiber.builder().on(scheduler).group(0).start(() -> stolen.set(true));
                        while (!stolen.get()) Thread.onSpinWait();
                        return null;
                    }));
            inside.await();
            var holder = Fiber.builder().on(scheduler).group(0).local(true).start(() -> {
                busy.countDown();
                while (!stolen.get()) Thread.onSpinWait();
            });
            blocked.join();
            holder.join();
        }
    }

    private static <T> T call(Callable<T> body) {
        try {
            return body.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
