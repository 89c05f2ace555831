package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.sched.Carrier;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import dev.coir.testing.VirtualThreads;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The attributes fibers are made with, and what is refused. */
class FiberBuilderTest {
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

    // ---- refusals --------------------------------------------------------------------------------------------------

    @Test
    void lightOnAnExecutorThatPromisesNoThreadIsRefusedWhenMade() {
        try (ExecutorService fixed = Executors.newFixedThreadPool(1);
                var forkJoin = new ForkJoinPool(1)) {
            for (Executor executor : List.of(fixed, forkJoin, Strand.over(fixed), Strand.over(start(1)))) {
                Fiber.Builder builder = Fiber.builder().kind(Kind.LIGHT).on(executor);
                for (Callable<?> making : List.<Callable<?>>of(
                        () -> builder.unstarted(() -> {}),
                        () -> builder.start(() -> {}),
                        () -> builder.startAll(List.of(() -> null)))) {
                    var refusal = assertThrows(IllegalArgumentException.class, making::call);
                    assertTrue(refusal.getMessage().startsWith("a LIGHT fiber on "), refusal::getMessage);
                    assertTrue(
                            refusal.getMessage()
                                    .endsWith(
                                            ": it must stay on one thread, which this executor does not promise; use a"
                                                    + " Scheduler or a ManualExecutor, or kind VIRTUAL"),
                            refusal::getMessage);
                }
            }
        }
    }

    @Test
    void aGroupThatIsNotThereIsRefused() {
        Scheduler two = start(Scheduler.builder().workers(2).groups(2));
        var refusal = assertThrows(
                IllegalArgumentException.class,
                () -> Fiber.builder().on(two).group(2).unstarted(() -> {}));
        assertEquals("group: 2 (expected: below 2, the number of groups)", refusal.getMessage());
        var negative = assertThrows(
                IllegalArgumentException.class, () -> Fiber.builder().group(-1));
        assertEquals("group: -1 (expected: 0 or more)", negative.getMessage());
    }

    @Test
    void groupsAndLocalFibersNeedAScheduler() {
        var manual = new ManualExecutor();
        var group = assertThrows(
                IllegalArgumentException.class,
                () -> Fiber.builder().on(manual).group(0).unstarted(() -> {}));
        assertEquals(
                "group(0) on " + manual + ": only a Scheduler has groups and threads to choose from",
                group.getMessage());
        var local = assertThrows(
                IllegalArgumentException.class,
                () -> Fiber.builder().on(manual).local(true).unstarted(() -> {}));
        assertTrue(local.getMessage().startsWith("local(true) on "), local::getMessage);
    }

    @Test
    void aLocalFiberNeedsAThreadToStayOn() {
        Scheduler none = start(0);
        var refusal = assertThrows(
                IllegalStateException.class,
                () -> Fiber.builder().on(none).local(true).unstarted(() -> {}));
        assertTrue(refusal.getMessage().endsWith("no thread yet to which a local fiber could be tied: bind one"));
    }

    @Test
    void startAllNeedsAScheduler() {
        var manual = new ManualExecutor();
        var refusal = assertThrows(
                IllegalStateException.class, () -> Fiber.builder().on(manual).startAll(List.of(() -> 1)));
        assertTrue(refusal.getMessage().startsWith("startAll needs a Scheduler and no local(true)"));
        assertEquals(0, manual.size());
        Scheduler one = start(1);
        assertThrows(
                IllegalStateException.class,
                () -> Fiber.builder().on(one).local(true).startAll(List.of(() -> 1)));
        assertThrows(NullPointerException.class, () -> Fiber.builder().on(one).startAll(Arrays.asList(() -> 1, null)));
        assertEquals(List.of(), Fiber.builder().on(one).startAll(List.of()));
    }

    // ---- groups and threads ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberStartsInItsGroup(Kind kind) {
        Scheduler scheduler = start(
                Scheduler.builder().name("grouped-" + kind).workers(2).groups(2).stealEvery(0));
        for (int group = 0; group < 2; group++) {
            Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind).group(group);
            Set<String> threads = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                threads.add(
                        builder.start(() -> VirtualThreads.carrier().getName()).join());
            }
            assertEquals(Set.of("grouped-" + kind + "-" + group + "-0"), threads);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLocalFiberStaysOnOneThread(Kind kind) {
        for (Scheduler.Policy policy : Scheduler.Policy.values()) {
            Scheduler scheduler = start(Scheduler.builder().workers(3).policy(policy));
            List<Fiber<Set<Thread>>> all = new ArrayList<>();
            Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind).local(true);
            for (int i = 0; i < 60; i++) {
                all.add(builder.start(() -> {
                    Set<Thread> threads = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
                    for (int j = 0; j < 20; j++) {
                        threads.add(VirtualThreads.carrier());
                        if (j % 5 == 4) Fiber.sleep(java.time.Duration.ofNanos(100_000));
                        else Fiber.yield();
                    }
                    return threads;
                }));
            }
            Set<Thread> used = new HashSet<>();
            for (Fiber<Set<Thread>> each : all) {
                Set<Thread> threads = each.join();
                assertEquals(1, threads.size(), threads::toString);
                used.addAll(threads);
            }
            assertTrue(used.size() > 1, "from outside the threads take turns");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLocalFiberMadeOnAWorkerStaysOnThatOne(Kind kind) {
        Scheduler scheduler = start(4);
        Fiber<Boolean> parent = Fiber.builder().on(scheduler).local(true).start(() -> {
            Thread mine = VirtualThreads.carrier();
            List<Fiber<Boolean>> children = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                children.add(Fiber.builder().kind(kind).local(true).start(() -> {
                    boolean same = VirtualThreads.carrier() == mine;
                    Fiber.yield();
                    return same && VirtualThreads.carrier() == mine;
                }));
            }
            return children.stream().allMatch(Fiber::join);
        });
        assertTrue(parent.join());
    }

    /** A start that every worker sleeps through must still end the wait for idleness. */
    @Test
    void awaitIdleSeesTheEndOfLocalFibers() throws Exception {
        Scheduler scheduler = start(2);
        Fiber.Builder builder = Fiber.builder().on(scheduler).local(true);
        var ran = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            builder.start((Runnable) ran::incrementAndGet);
            if (i % 4 == 0) scheduler.awaitIdle();
        }
        scheduler.awaitIdle();
        assertEquals(500, ran.get());
    }

    // ---- batches ---------------------------------------------------------------------------------------------------

    /** The collection may be one that others take from. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void startAllStartsNothingWhereTheBodiesAreGoneWhenTheyAreCounted(Kind kind) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(1));
        var emptied = new AbstractCollection<Callable<Integer>>() {
            @Override
            public boolean isEmpty() {
                return false;
            }

            @Override
            public int size() {
                return 0;
            }

            @Override
            public Iterator<Callable<Integer>> iterator() {
                return Collections.emptyIterator();
            }
        };
        Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind);
        assertEquals(List.of(), builder.startAll(emptied));
        assertEquals(1, builder.start(() -> 1).join()); // its only worker lives
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void startAllStartsAllOrNone(Kind kind) throws Exception {
        for (Scheduler.Policy policy : Scheduler.Policy.values()) {
            Scheduler scheduler =
                    start(Scheduler.builder().workers(1).policy(policy).runQueueCapacity(8));
            var release = new CountDownLatch(1);
            var blocked = new CountDownLatch(1);
            scheduler.execute(() -> {
                blocked.countDown();
                awaitQuietly(release);
            });
            blocked.await();
            var ran = new AtomicInteger();
            Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind);
            List<Fiber<Integer>> five = builder.startAll(Collections.nCopies(5, ran::incrementAndGet));
            var refusal = assertThrows(
                    RejectedExecutionException.class,
                    () -> builder.startAll(Collections.nCopies(4, ran::incrementAndGet)));
            assertTrue(refusal.getMessage().contains("runQueueCapacity: 8"), refusal::getMessage);
            List<Fiber<Integer>> three = builder.startAll(Collections.nCopies(3, ran::incrementAndGet));
            assertThrows(RejectedExecutionException.class, () -> builder.startAll(List.of(ran::incrementAndGet)));
            for (Fiber<Integer> each : five) assertEquals(Status.QUEUED, each.status());
            release.countDown();
            five.forEach(Fiber::join);
            three.forEach(Fiber::join);
            scheduler.awaitIdle();
            assertEquals(8, ran.get());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aBatchLargerThanAnyRingRunsInFull(Kind kind) {
        Scheduler scheduler = start(2);
        List<Callable<Integer>> bodies = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            int number = i;
            bodies.add(() -> {
                if (number % 3 == 0) Fiber.yield();
                return number;
            });
        }
        List<Fiber<Integer>> fibers = Fiber.builder().on(scheduler).kind(kind).startAll(bodies);
        for (int i = 0; i < 3000; i++) assertEquals(i, fibers.get(i).join());
        Fiber<Integer> inside = Fiber.builder().on(scheduler).kind(kind).start(() -> {
            int sum = 0;
            for (Fiber<Integer> each : Fiber.builder().kind(kind).startAll(bodies.subList(0, 100))) sum += each.join();
            return sum;
        });
        assertEquals(4950, inside.join());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRefusedFiberCanBeStartedLater(Kind kind) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(1).runQueueCapacity(1));
        var release = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        scheduler.execute(() -> {
            blocked.countDown();
            awaitQuietly(release);
        });
        blocked.await();
        Fiber<Integer> first = Fiber.builder().on(scheduler).kind(kind).start(() -> 1);
        Fiber<Integer> second =
                Fiber.builder().on(scheduler).kind(kind).name("second").unstarted(() -> 2);
        var refusal = assertThrows(RejectedExecutionException.class, second::start);
        assertTrue(refusal.getMessage().contains("no room in group 0"), refusal::getMessage);
        assertEquals(Status.NEW, second.status());
        assertEquals("second", second.name());
        assertFalse(second.isDone());
        release.countDown();
        assertEquals(1, first.join());
        assertEquals(2, second.start().join());
    }

    @Test
    void aForeignExecutorMayRefuseToo() {
        var refusing = new Object() {
            boolean refuse = true;
            final ManualExecutor manual = new ManualExecutor();

            void execute(Runnable task) {
                if (refuse) throw new RejectedExecutionException("not now");
                manual.execute(task);
            }
        };
        Fiber<Integer> fiber = Fiber.builder().on(refusing::execute).unstarted(() -> 7);
        var refusal = assertThrows(RejectedExecutionException.class, fiber::start);
        assertEquals("not now", refusal.getMessage());
        assertEquals(Status.NEW, fiber.status());
        refusing.refuse = false;
        fiber.start();
        refusing.manual.drain();
        assertEquals(7, fiber.join());
    }

    /** A fiber over an executor that has shut down meanwhile must still be able to end. */
    @Test
    void aFiberOutlivesItsForeignExecutor() {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber;
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            fiber = Fiber.go(pool, () -> Fiber.await(gate));
            Crowd.until(() -> fiber.status() == Status.WAITING);
        }
        gate.complete("went on elsewhere");
        assertEquals("went on elsewhere", fiber.join());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- LIGHT over a manual executor ------------------------------------------------------------------------------

    @Test
    void aLightFiberOnAManualExecutorStaysWithItsThread() throws Exception {
        var manual = new ManualExecutor();
        Fiber<Integer> fiber = Fiber.builder().on(manual).kind(Kind.LIGHT).start(() -> {
            Fiber.yield();
            return 5;
        });
        assertTrue(manual.runNext());
        Crowd.onAnotherThread(i -> {
            var refusal = assertThrows(WrongThreadException.class, manual::runNext);
            assertTrue(
                    refusal.getMessage().startsWith("a LIGHT fiber stays with the thread that first ran it"),
                    refusal::getMessage);
        });
        assertEquals(1, manual.drain());
        assertEquals(5, fiber.join());
    }

    /** Inside a virtual thread that thread would be taken for the fiber: by current, by waits, by fiber locals. */
    @Test
    void aLightFiberOnAManualExecutorNeedsAPlatformThread() {
        var manual = new ManualExecutor();
        Fiber<Fiber<?>> light = Fiber.builder().on(manual).kind(Kind.LIGHT).start(() -> {
            Fiber.yield();
            return Fiber.current();
        });
        Fiber<String> draining = Fiber.go(
                start(1),
                () -> assertThrows(WrongThreadException.class, manual::drain).getMessage());
        assertTrue(
                draining.join().startsWith("a LIGHT fiber runs on a platform thread (caller: VirtualThread["),
                draining::join);
        assertEquals(1, manual.size());
        assertEquals(2, manual.drain());
        assertSame(light, light.join());
    }

    // ---- bridges ---------------------------------------------------------------------------------------------------

    @Test
    void theThreadFactoryMakesThreadsThatRunOnTheExecutor() throws Exception {
        Scheduler scheduler = start(Scheduler.builder().name("bridged").workers(1));
        ThreadFactory factory = Fibers.threadFactory(scheduler);
        var carrier = new CompletableFuture<String>();
        Thread thread = factory.newThread(
                () -> carrier.complete(VirtualThreads.carrier().getName()));
        assertTrue(thread.isVirtual());
        assertEquals(Thread.State.NEW, thread.getState());
        thread.start();
        thread.join();
        assertEquals("bridged-0-0", carrier.get());
        assertThrows(NullPointerException.class, () -> Fibers.threadFactory(null));
    }

    @Test
    void theExecutorServiceRunsEachTaskInAFiberAndLeavesTheExecutorOpen() throws Exception {
        Scheduler scheduler = start(2);
        List<Fiber<?>> seen = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService service = Fibers.executorService(scheduler)) {
            var sum = new AtomicInteger();
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                tasks.add(() -> {
                    seen.add(Fiber.current());
                    Fiber.yield();
                    return sum.incrementAndGet();
                });
            }
            for (var each : service.invokeAll(tasks)) assertTrue(each.get() > 0);
            assertEquals(100, sum.get());
        }
        assertEquals(100, new HashSet<>(seen).size());
        assertFalse(seen.contains(null));
        assertEquals("open", Fiber.go(scheduler, () -> "open").join());
    }

    // ---- reports ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theSchedulersHandlerGetsWhatFibersWithoutAResultThrow(Kind kind) throws Exception {
        List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
        Scheduler scheduler = start(Scheduler.builder().workers(1).uncaughtHandler((thread, failure) -> {
            reported.add(failure);
            throw new IllegalStateException("a handler that throws harms nobody");
        }));
        var first = new IllegalArgumentException("a runnable's");
        var second = new AssertionError("a plain task's");
        Fiber.builder().on(scheduler).kind(kind).start((Runnable) () -> {
            throw first;
        });
        scheduler.execute(() -> {
            throw second;
        });
        Fiber.builder().on(scheduler).kind(kind).start((Callable<Void>) () -> {
            throw new IllegalArgumentException("a callable's: the result says so");
        });
        assertEquals("alive", Fiber.go(scheduler, () -> "alive").join());
        scheduler.awaitIdle();
        assertEquals(2, reported.size(), reported::toString);
        assertSame(first, reported.get(0));
        assertSame(second, reported.get(1));
    }

    @Test
    void aCancelledFiberReportsNothing() throws Exception {
        List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
        Scheduler scheduler =
                start(Scheduler.builder().workers(1).uncaughtHandler((thread, failure) -> reported.add(failure)));
        var gate = new CompletableFuture<Void>();
        Fiber<Void> fiber = Fiber.go(scheduler, () -> {
            gate.join();
            throw new IllegalArgumentException("dropped");
        });
        Crowd.until(() -> fiber.status() == Status.WAITING);
        fiber.cancel(false);
        gate.complete(null);
        Schedulers.close(scheduler);
        assertEquals(List.of(), reported);
    }

    // ---- where they go ---------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"VIRTUAL, 2", "VIRTUAL, 3", "VIRTUAL, 4", "LIGHT, 2", "LIGHT, 3", "LIGHT, 4"})
    void localFibersFromOutsideAreSpreadOverAllThreads(Kind kind, int groups) {
        int workers = 2 * groups;
        Scheduler scheduler = start(Scheduler.builder().workers(workers).groups(groups));
        var builder = Fiber.builder().on(scheduler).kind(kind).local(true);
        List<Fiber<Thread>> fibers = new ArrayList<>();
        for (int i = 0; i < 6 * workers; i++) {
            fibers.add(builder.start((Callable<Thread>)
                    () -> Objects.requireNonNull(Carrier.current()).thread()));
        }
        Set<Thread> threads = new HashSet<>();
        for (Fiber<Thread> each : fibers) threads.add(each.join());
        assertEquals(workers, threads.size(), threads::toString);
    }

    @ParameterizedTest
    @EnumSource
    void batchesFromOutsideTakeTurnsAmongTheGroups(Kind kind) {
        Scheduler scheduler =
                start(Scheduler.builder().workers(2).groups(2).stealEvery(0).crossNodeStealEvery(0));
        for (int size = 1; size <= 4; size++) {
            List<Integer> firsts = new ArrayList<>();
            for (int batch = 0; batch < 4; batch++) {
                Callable<Integer> body =
                        () -> Objects.requireNonNull(Carrier.current()).group().number();
                List<Fiber<Integer>> fibers =
                        Fiber.builder().on(scheduler).kind(kind).startAll(Collections.nCopies(size, body));
                Set<Integer> groups = new HashSet<>();
                for (Fiber<Integer> each : fibers) groups.add(each.join());
                assertEquals(1, groups.size(), "groups of one batch");
                firsts.addAll(groups);
            }
            assertEquals(Set.of(0, 1), Set.copyOf(firsts), "batches of " + size);
        }
    }
}
