package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler.Policy;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scheduler as an executor of plain tasks. */
class SchedulerTest {
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
    void closeAll() {
        started.forEach(Schedulers::close);
    }

    /** Keeps a worker busy until released. */
    private static CountDownLatch block(Scheduler scheduler) throws InterruptedException {
        var release = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        scheduler.execute(() -> {
            blocked.countDown();
            while (release.getCount() != 0) Thread.onSpinWait(); // if it blocked, another thread would take over
        });
        blocked.await();
        return release;
    }

    // ---- tasks -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Policy.class)
    void everyTaskRunsOnce(Policy policy) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(4).policy(policy));
        var ran = new AtomicInteger();
        Crowd.run(4, index -> {
            for (int i = 0; i < 2000; i++) scheduler.execute(ran::incrementAndGet);
        });
        scheduler.awaitIdle();
        assertEquals(8000, ran.get());
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void tasksMaySubmitTasks(Policy policy) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(2).policy(policy));
        var ran = new AtomicInteger();
        scheduler.execute(() -> grow(scheduler, 11, ran));
        scheduler.awaitIdle();
        assertEquals((1 << 12) - 1, ran.get());
    }

    private static void grow(Scheduler scheduler, int depth, AtomicInteger ran) {
        ran.incrementAndGet();
        if (depth == 0) return;
        scheduler.execute(() -> grow(scheduler, depth - 1, ran));
        scheduler.execute(() -> grow(scheduler, depth - 1, ran));
    }

    @Test
    void onOneWorkerTasksFromOutsideRunInOrder() throws Exception {
        Scheduler scheduler = start(1);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            scheduler.execute(() -> order.add(number));
        }
        scheduler.awaitIdle();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) expected.add(i);
        assertEquals(expected, order);
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void allWorkersWorkAtOnce(Policy policy) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(8).policy(policy));
        for (int round = 0; round < 20; round++) {
            var all = new Phaser(8);
            for (int i = 0; i < 8; i++) scheduler.execute(all::arriveAndAwaitAdvance);
            scheduler.awaitIdle();
            assertEquals(1, all.getPhase());
        }
    }

    /** The tasks queue on the worker that submits them, and it never runs one itself: others must steal them. */
    @Test
    void whatABusyWorkerQueuesIsStolen() throws Exception {
        Scheduler scheduler = start(4);
        var done = new CountDownLatch(300);
        scheduler.execute(() -> {
            for (int i = 0; i < 300; i++) scheduler.execute(done::countDown);
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        done.await();
        scheduler.awaitIdle();
        assertTrue(scheduler.stats().stolen() > 0, () -> scheduler.stats().toString());
    }

    /** As above, with the worker's group to itself: who may steal from other groups must be woken to do it. */
    @Test
    void whatABlockedGroupQueuesIsStolenByAnother() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(2).groups(2).stealEvery(1));
        for (int round = 0; round < 50; round++) {
            var done = new CountDownLatch(1);
            Fiber<?> blocked = Fiber.builder().on(scheduler).group(0).start(() -> {
                Fiber.builder().group(0).start(done::countDown);
                while (done.getCount() != 0) Thread.onSpinWait();
            });
            blocked.join();
            var fromOutside = new CountDownLatch(1);
            var running = new CountDownLatch(1);
            Fiber<?> other = Fiber.builder().on(scheduler).group(0).start(() -> {
                running.countDown();
                while (fromOutside.getCount() != 0) Thread.onSpinWait();
            });
            running.await();
            Fiber.builder().on(scheduler).group(0).start(fromOutside::countDown);
            other.join();
        }
    }

    @Test
    void aThrowingTaskIsReportedAndHarmsNoOther() throws Exception {
        var reported = new ConcurrentLinkedQueue<Throwable>();
        var where = new ConcurrentLinkedQueue<Thread>();
        Scheduler scheduler =
                start(Scheduler.builder().name("throwing").workers(1).uncaughtHandler((thread, failure) -> {
                    reported.add(failure);
                    where.add(thread);
                }));
        var ran = new AtomicInteger();
        List<Throwable> thrown = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            var error = new AssertionError(i);
            thrown.add(error);
            scheduler.execute(() -> {
                throw error;
            });
            scheduler.execute(ran::incrementAndGet);
        }
        scheduler.awaitIdle();
        assertEquals(10, ran.get());
        assertEquals(thrown, List.copyOf(reported));
        where.forEach(thread -> assertEquals("throwing-0-0", thread.getName()));
    }

    @Test
    void anInterruptedTaskLeavesNothingToTheNext() throws Exception {
        Scheduler scheduler = start(1);
        var seen = new AtomicBoolean();
        scheduler.execute(() -> Thread.currentThread().interrupt());
        scheduler.execute(() -> seen.set(Thread.currentThread().isInterrupted()));
        scheduler.awaitIdle();
        assertFalse(seen.get());
        long parkedBefore = scheduler.stats().workers().getFirst().parked();
        scheduler.execute(() -> Thread.currentThread().interrupt());
        scheduler.awaitIdle();
        Fiber.go(scheduler, () -> {
                    Fiber.sleep(Duration.ofMillis(20));
                    return null;
                })
                .join();
        long parked = scheduler.stats().workers().getFirst().parked() - parkedBefore;
        assertTrue(parked < 200, () -> "an interrupted idle loop spins: it fell asleep " + parked + " times");
    }

    @Test
    void aTaskMayWaitForAFiberOfItsOwnSchedulerOnItsOnlyWorker() throws Exception {
        Scheduler scheduler = start(1);
        var result = new CompletableFuture<String>();
        scheduler.execute(() -> result.complete(Fiber.go(() -> {
                    Fiber.yield();
                    return Fiber.go(() -> "nested").join();
                })
                .join()));
        assertEquals("nested", result.get());
    }

    @Test
    void nullTasksAreRefused() {
        Scheduler scheduler = start(1);
        assertThrows(NullPointerException.class, () -> scheduler.execute(null));
        assertThrows(NullPointerException.class, () -> scheduler.schedule(null, Duration.ZERO));
        assertThrows(NullPointerException.class, () -> scheduler.schedule(() -> {}, null));
        assertThrows(NullPointerException.class, () -> scheduler.scheduleEvery(null, Duration.ofDays(1)));
        assertThrows(NullPointerException.class, () -> scheduler.scheduleEvery(() -> {}, null));
        assertThrows(NullPointerException.class, () -> scheduler.awaitIdle(null));
    }

    // ---- the bounded queue -----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Policy.class)
    void anOverrunIsRefusedAndLosesNothing(Policy policy) throws Exception {
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).policy(policy).runQueueCapacity(8));
        CountDownLatch release = block(scheduler);
        var ran = new AtomicInteger();
        var refused = new AtomicInteger();
        var text = new AtomicReference<String>();
        Crowd.run(4, index -> {
            for (int i = 0; i < 50; i++) {
                try {
                    scheduler.execute(ran::incrementAndGet);
                } catch (RejectedExecutionException e) {
                    refused.incrementAndGet();
                    text.set(e.getMessage());
                }
            }
        });
        assertEquals(192, refused.get());
        assertTrue(
                text.get()
                        .startsWith("no room in group 0 of scheduler "
                                + scheduler.stats().name()),
                text::get);
        assertTrue(
                text.get()
                        .endsWith("(runQueueCapacity: 8); wait for some to finish, or give the scheduler a larger"
                                + " runQueueCapacity"),
                text::get);
        release.countDown();
        scheduler.awaitIdle();
        assertEquals(8, ran.get());
        scheduler.execute(ran::incrementAndGet);
        scheduler.awaitIdle();
        assertEquals(9, ran.get());
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void aFullQueueNeverRefusesAResume(Policy policy) throws Exception {
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).policy(policy).runQueueCapacity(8));
        var gate = new CompletableFuture<String>();
        List<Fiber<String>> fibers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            var kind = i % 2 == 0 ? Fiber.Kind.VIRTUAL : Fiber.Kind.LIGHT;
            Fiber<String> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                Fiber.sleep(Duration.ofNanos(1));
                return Fiber.await(gate);
            });
            fibers.add(fiber);
            Crowd.until(() -> fiber.status() == Fiber.Status.WAITING);
        }
        CountDownLatch release = block(scheduler);
        for (int i = 0; i < 8; i++) scheduler.execute(() -> {});
        assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
        gate.complete("all of them");
        release.countDown();
        for (Fiber<String> each : fibers) assertEquals("all of them", each.join());
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void aTaskThatOverrunsTheQueueIsRefusedToo(Policy policy) throws Exception {
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).policy(policy).runQueueCapacity(8));
        var accepted = new AtomicInteger();
        var refused = new AtomicInteger();
        var ran = new AtomicInteger();
        scheduler.execute(() -> {
            for (int i = 0; i < 2000; i++) {
                try {
                    scheduler.execute(ran::incrementAndGet);
                    accepted.incrementAndGet();
                } catch (RejectedExecutionException e) {
                    refused.incrementAndGet();
                }
            }
        });
        scheduler.awaitIdle();
        assertEquals(accepted.get(), ran.get());
        assertEquals(2000, accepted.get() + refused.get());
        assertTrue(refused.get() > 1000, () -> "refused: " + refused);
    }

    // ---- idleness --------------------------------------------------------------------------------------------------

    @Test
    void awaitIdleWaitsForTheTaskThatRuns() throws Exception {
        Scheduler scheduler = start(2);
        CountDownLatch release = block(scheduler);
        assertFalse(scheduler.awaitIdle(Duration.ofMillis(2)));
        assertFalse(scheduler.awaitIdle(Duration.ZERO));
        assertFalse(scheduler.awaitIdle(Duration.ofDays(-1)));
        FutureTask<Void> waiting = Crowd.start("waits for idleness", i -> scheduler.awaitIdle());
        release.countDown();
        waiting.get();
        assertTrue(scheduler.awaitIdle(Duration.ofSeconds(Long.MAX_VALUE)));
        while (!scheduler.awaitIdle(Duration.ZERO)) Thread.onSpinWait(); // a worker may just look around
    }

    @Test
    void awaitIdleWaitsForATaskThatWaits() throws Exception {
        Scheduler scheduler = start(1);
        var ended = new AtomicBoolean();
        scheduler.execute(() -> {
            try {
                Fiber.sleep(Duration.ofMillis(5));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            ended.set(true);
        });
        scheduler.awaitIdle();
        assertTrue(ended.get(), "a plain task that waits is still running");
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void parkedFibersDoNotCountAsWork(Fiber.Kind kind) throws Exception {
        Scheduler scheduler = start(2);
        var gate = new CompletableFuture<Void>();
        Fiber<?> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(gate));
        scheduler.awaitIdle();
        assertEquals(Fiber.Status.WAITING, fiber.status());
        assertEquals(1, scheduler.stats().suspendedFibers());
        gate.complete(null);
        scheduler.awaitIdle();
        assertEquals(Fiber.Status.DONE, fiber.status());
        assertEquals(0, scheduler.stats().suspendedFibers());
    }

    @Test
    void awaitIdleFromInsideIsRefused() {
        Scheduler scheduler = start(Scheduler.builder().name("asked").workers(1));
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            Fiber<String> fiber = Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .start(() -> assertThrows(IllegalStateException.class, scheduler::awaitIdle)
                            .getMessage());
            assertEquals(
                    "awaitIdle on scheduler asked from one of its own tasks, which would wait for itself: call it from"
                            + " outside",
                    fiber.join());
        }
        var plain = new CompletableFuture<Throwable>();
        scheduler.execute(() -> plain.complete(
                assertThrows(IllegalStateException.class, () -> scheduler.awaitIdle(Duration.ofMillis(1)))));
        plain.join();
    }

    @Test
    void awaitIdleIsInterruptible() throws Exception {
        Scheduler scheduler = start(1);
        CountDownLatch release = block(scheduler);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, scheduler::awaitIdle);
        assertFalse(Thread.currentThread().isInterrupted());
        release.countDown();
    }

    @Test
    void manyMayAwaitIdlenessAgainAndAgain() throws Exception {
        Scheduler scheduler = start(4);
        var ran = new AtomicInteger();
        Crowd.run(4, index -> {
            for (int i = 0; i < 200; i++) {
                scheduler.execute(ran::incrementAndGet);
                scheduler.awaitIdle();
            }
        });
        assertEquals(800, ran.get());
    }

    @Test
    void whatWasSubmittedBeforeHasRunWhenIdle() throws Exception {
        Scheduler scheduler = start(3);
        for (int round = 0; round < 500; round++) {
            var ran = new AtomicInteger();
            for (int i = 0; i < 3; i++) scheduler.execute(ran::incrementAndGet);
            scheduler.awaitIdle();
            assertEquals(3, ran.get());
        }
    }

    // ---- timers ----------------------------------------------------------------------------------------------------

    @Test
    void aScheduledTaskRunsOnceAndNotTooEarly() throws Exception {
        Scheduler scheduler = start(1);
        var at = new CompletableFuture<Long>();
        long begin = System.nanoTime();
        ScheduledTask task = scheduler.schedule(() -> at.complete(System.nanoTime()), Duration.ofMillis(3));
        ScheduledTask tomorrow = scheduler.schedule(() -> {}, Duration.ofDays(1));
        assertFalse(tomorrow.isDone());
        assertTrue(tomorrow.cancel());
        assertTrue(at.get() - begin >= 3_000_000);
        Crowd.until(task::isDone);
        assertFalse(task.cancel());
        var atOnce = new CompletableFuture<Void>();
        scheduler.schedule(() -> atOnce.complete(null), Duration.ofSeconds(-5));
        atOnce.get();
        assertEquals(0, scheduler.stats().timers());
    }

    @Test
    void aCancelledTaskDoesNotRun() throws Exception {
        Scheduler scheduler = start(1);
        var ran = new AtomicInteger();
        ScheduledTask later = scheduler.schedule(ran::incrementAndGet, Duration.ofDays(1));
        assertEquals(1, scheduler.stats().timers());
        assertTrue(later.cancel());
        assertFalse(later.cancel());
        assertTrue(later.isDone());
        assertEquals(0, scheduler.stats().timers());
        ScheduledTask never = scheduler.schedule(ran::incrementAndGet, Duration.ofSeconds(Long.MAX_VALUE));
        assertTrue(never.cancel());
        CountDownLatch release = block(scheduler);
        ScheduledTask queued = scheduler.schedule(ran::incrementAndGet, Duration.ZERO);
        assertTrue(queued.cancel());
        release.countDown();
        scheduler.awaitIdle();
        assertEquals(0, ran.get());
    }

    @Test
    void aTaskThatRunsItsOnlyTimeCannotBeCancelledAnyMore() throws Exception {
        Scheduler scheduler = start(1);
        var handle = new CompletableFuture<ScheduledTask>();
        var cancelled = new CompletableFuture<Boolean>();
        handle.complete(
                scheduler.schedule(() -> cancelled.complete(handle.join().cancel()), Duration.ofMillis(1)));
        assertFalse(cancelled.get(), "there would have been no further run");
    }

    @Test
    void aPeriodicTaskRunsUntilItIsCancelled() throws Exception {
        Scheduler scheduler = start(2);
        var handle = new CompletableFuture<ScheduledTask>();
        var ran = new AtomicInteger();
        var last = new CompletableFuture<Boolean>();
        handle.complete(scheduler.scheduleEvery(
                () -> {
                    if (ran.incrementAndGet() == 5) last.complete(handle.join().cancel());
                },
                Duration.ofMillis(1)));
        assertTrue(last.get());
        assertTrue(handle.get().isDone());
        scheduler.awaitIdle();
        assertEquals(0, scheduler.stats().timers());
        assertEquals(5, ran.get());
    }

    @Test
    void aPeriodicTaskThatThrowsIsReportedAndGoesOn() throws Exception {
        var reported = new AtomicInteger();
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).uncaughtHandler((thread, failure) -> reported.incrementAndGet()));
        var third = new CountDownLatch(3);
        ScheduledTask task = scheduler.scheduleEvery(
                () -> {
                    third.countDown();
                    throw new IllegalStateException("again");
                },
                Duration.ofNanos(1));
        third.await();
        task.cancel();
        scheduler.awaitIdle();
        assertTrue(reported.get() >= 3);
    }

    @Test
    void aPeriodIsMoreThanZero() {
        Scheduler scheduler = start(1);
        var refusal =
                assertThrows(IllegalArgumentException.class, () -> scheduler.scheduleEvery(() -> {}, Duration.ZERO));
        assertEquals("period: PT0S (expected: more than zero)", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> scheduler.scheduleEvery(() -> {}, Duration.ofSeconds(-1)));
    }

    @Test
    void timersGoOffWhileAllOthersWorkersAreBlocked() throws Exception {
        Scheduler scheduler = start(2);
        for (int round = 0; round < 50; round++) {
            var fired = new CountDownLatch(1);
            scheduler.schedule(fired::countDown, Duration.ofNanos(300_000));
            scheduler.execute(() -> {
                try {
                    fired.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            fired.await();
        }
    }

    // ---- numbers and names -----------------------------------------------------------------------------------------

    @Test
    void statsCountWhatWasDone() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().name("counted").workers(2));
        scheduler.awaitIdle();
        for (int i = 0; i < 100; i++) scheduler.execute(() -> {});
        scheduler.awaitIdle();
        SchedulerStats stats = scheduler.stats();
        assertEquals("counted", stats.name());
        assertEquals(2, stats.workers().size());
        assertEquals(100, stats.ran());
        assertEquals(0, stats.sharedQueued());
        assertEquals(0, stats.suspendedFibers());
        assertEquals(0, stats.timers());
        assertEquals(0, stats.workers().getFirst().index());
        assertEquals(1, stats.workers().getLast().index());
        stats.workers().forEach(worker -> {
            assertEquals(0, worker.queued());
            assertTrue(worker.parked() > 0);
        });
        CountDownLatch one = block(scheduler);
        CountDownLatch two = block(scheduler);
        for (int i = 0; i < 7; i++) scheduler.execute(() -> {});
        assertEquals(7, scheduler.stats().sharedQueued());
        one.countDown();
        two.countDown();
    }

    @Test
    void anIdleSchedulerSleeps() throws Exception {
        Scheduler scheduler = start(4);
        scheduler.execute(() -> {});
        scheduler.awaitIdle();
        long before = scheduler.stats().workers().stream()
                .mapToLong(SchedulerStats.WorkerStats::parked)
                .sum();
        // a JDK virtual thread's nap: nothing of the scheduler's may wake meanwhile
        Thread nap = Thread.startVirtualThread(() -> java.util.concurrent.locks.LockSupport.parkNanos(30_000_000));
        nap.join();
        long after = scheduler.stats().workers().stream()
                .mapToLong(SchedulerStats.WorkerStats::parked)
                .sum();
        assertTrue(after - before <= 4, () -> "workers woke " + (after - before) + " times");
    }

    /** Its own threads' time, so that it does not matter what else the JVM does. */
    @Test
    void anIdleSchedulerUsesNoProcessor() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(4).name("idle"));
        var waiting = new CompletableFuture<Void>();
        List<Fiber<Void>> crowd = new ArrayList<>();
        for (int i = 0; i < 1000; i++) crowd.add(Fiber.go(scheduler, () -> Fiber.await(waiting)));
        scheduler.awaitIdle();
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("idle-"))
                .toList();
        assertEquals(5, threads.size(), threads::toString); // four workers and the monitor
        long nanos = 1_000_000_000;
        long before = cpuNanos(threads);
        new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
        long used = cpuNanos(threads) - before;
        assertTrue(used < nanos / 100, () -> "nanoseconds used in one second: " + used);
        waiting.complete(null);
        crowd.forEach(Fiber::join);
    }

    private static long cpuNanos(List<Thread> threads) {
        var bean = ManagementFactory.getThreadMXBean();
        return threads.stream()
                .mapToLong(each -> bean.getThreadCpuTime(each.threadId()))
                .sum();
    }

    @Test
    void byDefaultThereIsAWorkerPerProcessor() {
        Scheduler scheduler = start(Scheduler.builder());
        assertEquals(
                Runtime.getRuntime().availableProcessors(),
                scheduler.stats().workers().size());
        assertEquals(
                Runtime.getRuntime().availableProcessors(),
                Scheduler.common().stats().workers().size());
    }

    @Test
    void toStringIsADiagnosis() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().name("shown").workers(2));
        scheduler.awaitIdle();
        assertTrue(
                scheduler.toString().startsWith("Scheduler shown [OPEN; group 0: 0 shared, 2 asleep"),
                scheduler::toString);
        assertTrue(scheduler.toString().endsWith("0 suspended; 0 timers]"), scheduler::toString);
    }

    @Test
    void moreThanSixtyFourWorkersFormGroups() throws Exception {
        Scheduler scheduler = start(65);
        assertEquals(65, scheduler.stats().workers().size());
        assertEquals(1, scheduler.stats().workers().getLast().group());
        var ran = new AtomicInteger();
        for (int i = 0; i < 500; i++) scheduler.execute(ran::incrementAndGet);
        scheduler.awaitIdle();
        assertEquals(500, ran.get());
    }

    @Test
    void workersAreNamedDaemons() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().name("named").workers(3));
        var thread = new CompletableFuture<Thread>();
        scheduler.execute(() -> thread.complete(Thread.currentThread()));
        assertTrue(thread.get().isDaemon());
        assertTrue(thread.get().getName().startsWith("named-0-"), thread.get()::getName);
        assertEquals(4, Schedulers.threadsOf("named").size(), "three workers and the monitor");
    }

    @Test
    void aStartThatFailsLeavesNoThreadBehind() {
        long moreThanAnAddressCanName = 1L << 50;
        var builder = Scheduler.builder().name("never").workers(3).workerStackSize(moreThanAnAddressCanName);
        assertThrows(OutOfMemoryError.class, builder::start);
        assertEquals(List.of(), Schedulers.threadsOf("never"));
    }

    @Test
    void theCommonSchedulerIsSharedAndStaysOpen() {
        Scheduler common = Scheduler.common();
        assertSame(common, Scheduler.common());
        assertNotSame(common, start(1));
        var refusal = assertThrows(IllegalStateException.class, common::close);
        assertEquals("close of the common scheduler, which all share: start your own", refusal.getMessage());
        var now = assertThrows(IllegalStateException.class, common::shutdownNow);
        assertEquals("shutdownNow of the common scheduler, which all share: start your own", now.getMessage());
        assertEquals("common", common.stats().name());
        assertEquals("alive", Fiber.go(() -> "alive").join());
    }

    @Test
    void wrongSettingsAreRefusedWithTheValueAndTheCure() {
        refused("workers: -1 (expected: 0 or more)", () -> Scheduler.builder().workers(-1));
        refused("workers: -1 (expected: 0 or more)", () -> Scheduler.start(-1));
        for (int workers : new int[] {8193, Integer.MAX_VALUE - 63, Integer.MAX_VALUE}) {
            refused(
                    "workers: " + workers
                            + " (expected: at most 8192, each is a thread of the system; fibers wait without"
                            + " one, and for calls that block there is Fiber.blocking)",
                    () -> Scheduler.start(workers));
        }
        refused("groups: 0 (expected: 1 or more)", () -> Scheduler.builder().groups(0));
        refused(
                "groups: 3 (expected: no more than the 2 workers, or one; in a group without threads nobody would run the"
                        + " tasks)",
                () -> Scheduler.builder().workers(2).groups(3).start());
        refused(
                "groups: 1 for 65 workers (expected: 2 or more, 64 workers each)",
                () -> Scheduler.builder().workers(65).groups(1).start());
        for (int wrong : new int[] {0, -8, 3, 12, Integer.MIN_VALUE}) {
            refused(
                    "runQueueCapacity: " + wrong + " (expected: a power of two)",
                    () -> Scheduler.builder().runQueueCapacity(wrong));
        }
        refused(
                "stealEvery: -1 (expected: 0 or more)",
                () -> Scheduler.builder().stealEvery(-1));
        refused(
                "crossNodeStealEvery: -1 (expected: 0 or more)",
                () -> Scheduler.builder().crossNodeStealEvery(-1));
        refused(
                "workerStackSize: -1 (expected: 0 or more bytes)",
                () -> Scheduler.builder().workerStackSize(-1));
        refused(
                "maxSpareCarriers: -1 (expected: 0 or more)",
                () -> Scheduler.builder().maxSpareCarriers(-1));
        refused(
                "timeSlice: PT0S (expected: more than zero)",
                () -> Scheduler.builder().timeSlice(Duration.ZERO));
        refused(
                "timeSlice: PT-1S (expected: more than zero)",
                () -> Scheduler.builder().timeSlice(Duration.ofSeconds(-1)));
        assertThrows(NullPointerException.class, () -> Scheduler.builder().name(null));
        assertThrows(NullPointerException.class, () -> Scheduler.builder().policy(null));
        assertThrows(NullPointerException.class, () -> Scheduler.builder().timeSlice(null));
        assertThrows(NullPointerException.class, () -> Scheduler.builder().uncaughtHandler(null));
    }

    @Test
    void aSettingOfCenturiesMeansNever() {
        var centuries = Duration.ofSeconds(Long.MAX_VALUE);
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).timeSlice(centuries).stallThreshold(centuries));
        assertEquals("ran", Fiber.go(scheduler, () -> "ran").join());
    }

    private static void refused(String text, Runnable setting) {
        assertEquals(
                text, assertThrows(IllegalArgumentException.class, setting::run).getMessage());
    }

    /** A wake-up that is lost leaves a task queued while a worker sleeps. */
    @ParameterizedTest
    @EnumSource(Policy.class)
    void noWakeUpIsLostBetweenIdleWorkersAndLoneTasks(Policy policy) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(3).policy(policy));
        var all = new AtomicInteger();
        Crowd.run(2, index -> {
            for (int i = 0; i < 2000; i++) {
                var ran = new CountDownLatch(1);
                scheduler.execute(ran::countDown);
                ran.await();
                all.incrementAndGet();
            }
        });
        assertEquals(4000, all.get());
    }
}
