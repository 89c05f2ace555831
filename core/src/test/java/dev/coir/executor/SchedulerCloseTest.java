package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a scheduler ends: what was accepted ends first, and nothing is left. */
class SchedulerCloseTest {
    private final List<Scheduler> started = new ArrayList<>();

    private Scheduler start(Scheduler.Builder settings) {
        Scheduler scheduler = Schedulers.start(settings);
        started.add(scheduler);
        return scheduler;
    }

    private Scheduler start(int workers) {
        return start(Scheduler.builder().workers(workers));
    }

    @AfterEach
    void nothingIsLeft() {
        started.forEach(Schedulers::close);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void untilClosing(Scheduler scheduler) {
        Crowd.until(() -> scheduler.toString().contains("[CLOSING"));
    }

    // ---- close -----------------------------------------------------------------------------------------------------

    @Test
    void closeWaitsForWhatRunsAndWhatIsQueued() throws Exception {
        Scheduler scheduler = start(1);
        var release = new CountDownLatch(1);
        var ran = new AtomicInteger();
        scheduler.execute(() -> awaitQuietly(release));
        for (int i = 0; i < 100; i++) scheduler.execute(ran::incrementAndGet);
        FutureTask<Void> closing = Crowd.start("closes", i -> scheduler.close());
        untilClosing(scheduler);
        assertFalse(closing.isDone());
        release.countDown();
        closing.get();
        assertEquals(100, ran.get());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closeWaitsForFibersThatSleep(Kind kind) {
        Scheduler scheduler = start(2);
        List<Fiber<Integer>> sleepers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            sleepers.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                Fiber.sleep(Duration.ofMillis(1 + number % 5));
                Fiber.sleep(Duration.ofMillis(1));
                return number;
            }));
        }
        scheduler.close();
        for (int i = 0; i < 20; i++) {
            assertTrue(sleepers.get(i).isDone());
            assertEquals(i, sleepers.get(i).join());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closeWaitsForFibersThatAreWokenFromOutside(Kind kind) throws Exception {
        Scheduler scheduler = start(2);
        var gate = new CompletableFuture<String>();
        var second = new CompletableFuture<String>();
        List<Fiber<String>> fibers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            fibers.add(Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(gate) + Fiber.await(second)));
        }
        FutureTask<Void> closing = Crowd.start("closes", i -> scheduler.close());
        untilClosing(scheduler);
        fibers.forEach(each -> Crowd.until(() -> each.status() == Status.WAITING));
        gate.complete("a");
        fibers.forEach(each -> Crowd.until(() -> each.status() == Status.WAITING));
        assertFalse(closing.isDone());
        second.complete("b");
        closing.get();
        for (Fiber<String> each : fibers) assertEquals("ab", each.join());
    }

    @Test
    void closeWaitsForAScheduledTaskAndEndsPeriodicOnes() throws Exception {
        Scheduler scheduler = start(1);
        var once = new AtomicInteger();
        var often = new AtomicInteger();
        scheduler.schedule(once::incrementAndGet, Duration.ofMillis(5));
        ScheduledTask periodic = scheduler.scheduleEvery(often::incrementAndGet, Duration.ofNanos(100_000));
        Crowd.until(() -> often.get() > 2);
        scheduler.close();
        assertEquals(1, once.get());
        assertTrue(periodic.isDone());
        assertEquals(0, scheduler.stats().timers());
    }

    @Test
    void aClosedSchedulerRefusesEverythingNew() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().name("shut").workers(1));
        scheduler.close();
        String text = "scheduler shut is closed (STOPPED): it takes no new tasks";
        List<Runnable> uses = List.of(
                () -> scheduler.execute(() -> {}),
                () -> scheduler.schedule(() -> {}, Duration.ZERO),
                () -> scheduler.scheduleEvery(() -> {}, Duration.ofDays(1)),
                () -> Fiber.go(scheduler, () -> {}),
                () -> Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> {}),
                () -> Fiber.builder().on(scheduler).local(true).start(() -> {}),
                () -> Fiber.builder().on(scheduler).startAll(List.of(() -> 1)));
        for (Runnable use : uses) {
            assertEquals(
                    text,
                    assertThrows(RejectedExecutionException.class, use::run).getMessage());
        }
        assertEquals(
                "bind to a closed scheduler: shut",
                assertThrows(IllegalStateException.class, scheduler::bind).getMessage());
        assertTrue(scheduler.awaitIdle(Duration.ZERO));
        scheduler.awaitIdle();
        scheduler.shutdownNow();
    }

    @Test
    void whileItClosesAFiberOfItsOwnMayFinishButNotStartOthers() throws Exception {
        Scheduler scheduler = start(1);
        var gate = new CompletableFuture<Void>();
        Fiber<String> fiber = Fiber.go(scheduler, () -> {
            Fiber.await(gate);
            Fiber.yield();
            String text = assertThrows(RejectedExecutionException.class, () -> Fiber.go(() -> {}))
                    .getMessage();
            Fiber.sleep(Duration.ofMillis(1));
            return text;
        });
        FutureTask<Void> closing = Crowd.start("closes", i -> scheduler.close());
        untilClosing(scheduler);
        gate.complete(null);
        closing.get();
        assertTrue(fiber.join().endsWith("is closed (CLOSING): it takes no new tasks"), fiber::join);
    }

    @Test
    void closingTwiceAndByManyIsHarmless() throws Exception {
        for (int round = 0; round < 50; round++) {
            Scheduler scheduler = start(2);
            var ran = new AtomicInteger();
            for (int i = 0; i < 10; i++) scheduler.execute(ran::incrementAndGet);
            Crowd.run(3, index -> {
                scheduler.close();
                assertEquals(10, ran.get());
                assertEquals(List.of(), Schedulers.threadsOf(scheduler.stats().name()));
            });
            scheduler.close();
            started.remove(scheduler);
            Schedulers.close(scheduler);
        }
    }

    @Test
    void closeWhileSixteenThreadsSpawn() throws Exception {
        for (int round = 0; round < 40; round++) {
            Scheduler scheduler = start(Scheduler.builder()
                    .workers(1 + round % 4)
                    .policy(round % 2 == 0 ? Scheduler.Policy.WORK_STEALING : Scheduler.Policy.SHARED_QUEUE));
            var accepted = new AtomicInteger();
            var ran = new AtomicInteger();
            var enough = new CountDownLatch(20);
            Crowd.run(17, index -> {
                if (index == 16) {
                    enough.await();
                    scheduler.close();
                    return;
                }
                try {
                    for (int i = 0; i < 200; i++) { // mostly cut short by the refusal
                        switch ((index + i) % 4) {
                            case 0 -> scheduler.execute(ran::incrementAndGet);
                            case 1 ->
                                Fiber.go(scheduler, () -> {
                                    Fiber.yield();
                                    ran.incrementAndGet();
                                });
                            case 2 ->
                                Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> {
                                    Fiber.yield();
                                    ran.incrementAndGet();
                                });
                            default -> Fiber.builder().on(scheduler).local(true).start((Runnable) ran::incrementAndGet);
                        }
                        accepted.incrementAndGet();
                        enough.countDown();
                    }
                } catch (RejectedExecutionException closed) {
                    assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
                }
            });
            assertEquals(accepted.get(), ran.get());
            started.remove(scheduler);
            Schedulers.close(scheduler);
        }
    }

    @Test
    void closeFromInsideIsRefused() {
        Scheduler scheduler = start(Scheduler.builder().name("own").workers(2));
        String text =
                "close on scheduler own from one of its own tasks, which would wait for itself: call it from outside";
        for (Kind kind : Kind.values()) {
            assertEquals(
                    text,
                    Fiber.builder()
                            .on(scheduler)
                            .kind(kind)
                            .start(() -> assertThrows(IllegalStateException.class, scheduler::close)
                                    .getMessage())
                            .join());
        }
        var plain = new CompletableFuture<String>();
        scheduler.execute(() -> plain.complete(
                assertThrows(IllegalStateException.class, scheduler::close).getMessage()));
        assertEquals(text, plain.join());
        var inherited = new CompletableFuture<String>();
        Fiber.go(scheduler, () -> {
            Thread.startVirtualThread(() -> inherited.complete(
                    assertThrows(IllegalStateException.class, scheduler::close).getMessage()));
        });
        assertEquals(text, inherited.join());
        assertEquals("still open", Fiber.go(scheduler, () -> "still open").join());
    }

    @Test
    void aFiberMayCloseAnotherScheduler() {
        Scheduler outer = start(1);
        Scheduler inner = start(1);
        var ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            Fiber.go(inner, () -> {
                Fiber.yield();
                ran.incrementAndGet();
            });
        }
        Fiber.go(outer, inner::close).join();
        assertEquals(20, ran.get());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anInterruptWhileClosingCancelsTheFibers(Kind kind) throws Exception {
        Scheduler scheduler = start(1);
        Fiber<?> stuck = Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(new CompletableFuture<>()));
        var thread = new AtomicReference<Thread>();
        var remembered = new AtomicBoolean();
        FutureTask<Void> closing = Crowd.start("closes", i -> {
            thread.set(Thread.currentThread());
            scheduler.close();
            remembered.set(Thread.interrupted());
        });
        untilClosing(scheduler);
        Crowd.untilWaiting(thread.get());
        thread.get().interrupt();
        closing.get();
        assertTrue(remembered.get());
        assertTrue(stuck.isCancelled());
        assertEquals(Status.DONE, stuck.status());
    }

    // ---- shutdownNow -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shutdownNowCancelsFibersThatWait(Kind kind) {
        Scheduler scheduler = start(2);
        List<Fiber<Boolean>> waiting = new ArrayList<>();
        var unwound = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            int number = i;
            waiting.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                try {
                    if (number % 2 == 0) Fiber.sleep(Duration.ofDays(1));
                    else Fiber.await(new CompletableFuture<>());
                    return false;
                } catch (InterruptedException e) {
                    unwound.incrementAndGet();
                    return true;
                }
            }));
        }
        waiting.forEach(each -> Crowd.until(() -> each.waitReason().isPresent()));
        scheduler.shutdownNow();
        scheduler.close();
        waiting.forEach(each -> assertTrue(each.isCancelled()));
        assertEquals(20, unwound.get());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void afterShutdownNowQueuedFibersNeverRun(Kind kind) throws Exception {
        Scheduler scheduler = start(1);
        var release = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        scheduler.execute(() -> {
            blocked.countDown();
            awaitQuietly(release);
        });
        blocked.await();
        var ran = new AtomicInteger();
        List<Fiber<Integer>> queued = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            queued.add(Fiber.builder().on(scheduler).kind(kind).start(ran::incrementAndGet));
        }
        scheduler.shutdownNow();
        release.countDown();
        scheduler.close();
        assertEquals(0, ran.get());
        for (Fiber<Integer> each : queued) assertThrows(CancellationException.class, each::join);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shutdownNowReachesAFiberThatRunsAtItsNextWait(Kind kind) throws Exception {
        for (boolean suspendedBefore : new boolean[] {false, true}) {
            Scheduler scheduler = start(1);
            var running = new CountDownLatch(1);
            var release = new AtomicBoolean();
            var outcome = new CompletableFuture<String>();
            Fiber<?> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                if (suspendedBefore) Fiber.yield();
                running.countDown();
                while (!release.get()) Thread.onSpinWait();
                try {
                    Fiber.await(new CompletableFuture<>());
                    outcome.complete("returned");
                } catch (InterruptedException e) {
                    outcome.complete("interrupted");
                }
                return null;
            });
            running.await();
            scheduler.shutdownNow();
            release.set(true);
            assertEquals("interrupted", outcome.get());
            scheduler.close();
            assertTrue(fiber.isCancelled());
        }
    }

    /** A fiber of kind VIRTUAL has a thread, whose interrupt it can ask for without waiting. */
    @Test
    void shutdownNowInterruptsAFiberThatOnlyComputesOnceItHasSuspended() throws Exception {
        Scheduler scheduler = start(1);
        var running = new CountDownLatch(1);
        Fiber<?> fiber = Fiber.go(scheduler, () -> {
            Fiber.yield();
            running.countDown();
            while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
        });
        running.await();
        scheduler.shutdownNow();
        scheduler.close();
        assertTrue(fiber.isCancelled());
    }

    @Test
    void shutdownNowCancelsScheduledTasks() {
        Scheduler scheduler = start(1);
        var ran = new AtomicInteger();
        ScheduledTask later = scheduler.schedule(ran::incrementAndGet, Duration.ofDays(1));
        ScheduledTask often = scheduler.scheduleEvery(ran::incrementAndGet, Duration.ofDays(1));
        scheduler.shutdownNow();
        assertTrue(later.isDone());
        assertTrue(often.isDone());
        scheduler.close();
        assertEquals(0, ran.get());
    }

    @Test
    void shutdownNowMayComeFromInside() {
        for (Kind kind : Kind.values()) {
            Scheduler scheduler = start(2);
            Fiber<?> waiting =
                    Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(new CompletableFuture<>()));
            Crowd.until(() -> waiting.status() == Status.WAITING);
            Fiber<?> ending = Fiber.builder().on(scheduler).kind(kind).start(scheduler::shutdownNow);
            scheduler.close();
            assertTrue(waiting.isCancelled());
            assertTrue(ending.isDone());
        }
    }

    @Test
    void shutdownNowWhileSixteenThreadsSpawnLeavesNoFiberUndone() throws Exception {
        for (int round = 0; round < 12; round++) {
            Scheduler scheduler = start(2);
            var enough = new CountDownLatch(20);
            List<List<Fiber<?>>> accepted = new ArrayList<>();
            for (int i = 0; i < 16; i++) accepted.add(new ArrayList<>());
            Crowd.run(17, index -> {
                if (index == 16) {
                    enough.await();
                    scheduler.shutdownNow();
                    scheduler.close();
                    return;
                }
                try {
                    for (int i = 0; i < 200; i++) {
                        Kind kind = i % 2 == 0 ? Kind.VIRTUAL : Kind.LIGHT;
                        accepted.get(index)
                                .add(Fiber.builder()
                                        .on(scheduler)
                                        .kind(kind)
                                        .start(() -> Fiber.await(new CompletableFuture<>())));
                        enough.countDown();
                    }
                } catch (RejectedExecutionException closed) {
                    assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
                }
            });
            accepted.forEach(some -> some.forEach(each -> assertTrue(each.isCancelled(), each::toString)));
            started.remove(scheduler);
            Schedulers.close(scheduler);
        }
    }

    // ---- many schedulers -------------------------------------------------------------------------------------------

    @Test
    void fibersOfTwoSchedulersWaitForEachOther() {
        Scheduler left = start(Scheduler.builder().name("left").workers(1));
        Scheduler right = start(Scheduler.builder().name("right").workers(1));
        for (Kind kind : Kind.values()) {
            Fiber.Builder onLeft = Fiber.builder().on(left).kind(kind);
            Fiber.Builder onRight = Fiber.builder().on(right).kind(kind);
            Fiber<Integer> sum = onLeft.start(() -> {
                int total = 0;
                for (int i = 0; i < 100; i++) {
                    int number = i;
                    total += onRight.start(() -> onLeft.start(() -> number).join())
                            .join();
                }
                return total;
            });
            assertEquals(4950, sum.join());
        }
        left.close();
        assertEquals("open", Fiber.go(right, () -> "open").join());
    }

    @Test
    void twoThousandSchedulersLeaveNoThread() throws Exception {
        int before = Thread.activeCount();
        Crowd.run(4, index -> {
            for (int i = 0; i < 500; i++) {
                Scheduler scheduler = Schedulers.start(
                        Scheduler.builder().name("brief-" + index).workers(1 + i % 3));
                if (i % 4 == 0) scheduler.execute(() -> {});
                if (i % 4 == 1) Fiber.go(scheduler, () -> Fiber.yield());
                scheduler.close();
                Schedulers.forget(scheduler);
            }
        });
        for (int i = 0; i < 4; i++) assertEquals(List.of(), Schedulers.threadsOf("brief-" + i));
        Crowd.until(() -> Thread.activeCount() <= before); // the crowd's own threads end after their results are there
    }
}
