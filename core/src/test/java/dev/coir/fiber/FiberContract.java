package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.task.Party;
import dev.coir.testing.Crowd;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What holds of every fiber, whatever its stack is made of and whatever it runs on. */
abstract class FiberContract extends FiberWaitContract {
    // ---- results ---------------------------------------------------------------------------------------------------

    @Test
    void joinAndGetGiveTheResult() throws Exception {
        Fiber<String> fiber = call(() -> "result");
        assertEquals("result", fiber.join());
        assertEquals("result", fiber.get());
        assertEquals("result", fiber.get(0, TimeUnit.NANOSECONDS));
        assertEquals("result", fiber.resultNow());
        assertEquals(Future.State.SUCCESS, fiber.state());
        assertTrue(fiber.isDone());
        assertFalse(fiber.isCancelled());
    }

    @Test
    void nullIsAResult() throws Exception {
        Fiber<String> fiber = call(() -> null);
        assertNull(fiber.join());
        assertNull(fiber.get());
        assertTrue(fiber.isDone());
        assertNull(fibers().start(() -> {}).join());
    }

    @Test
    void anExceptionIsTheCauseOfWhatJoinAndGetThrow() {
        var thrown = new IOException("why");
        Fiber<String> fiber = call(() -> {
            throw thrown;
        });
        assertSame(thrown, assertThrows(CompletionException.class, fiber::join).getCause());
        assertSame(thrown, assertThrows(ExecutionException.class, fiber::get).getCause());
        assertSame(
                thrown,
                assertThrows(ExecutionException.class, () -> fiber.get(1, TimeUnit.DAYS))
                        .getCause());
        assertSame(thrown, fiber.exceptionNow());
        assertEquals(Future.State.FAILED, fiber.state());
    }

    @Test
    void anErrorIsTheCauseOfWhatJoinAndGetThrow() {
        var thrown = new AssertionError("why");
        Fiber<String> fiber = call(() -> {
            throw thrown;
        });
        assertSame(thrown, assertThrows(ExecutionException.class, fiber::get).getCause());
        assertSame(thrown, assertThrows(CompletionException.class, fiber::join).getCause());
    }

    @Test
    void whatARunnableThrowsIsTheCauseOfWhatJoinThrowsAndIsReportedOnce() {
        Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
        var usual = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.add(failure));
        try {
            var thrown = new IllegalArgumentException("why");
            Fiber<Void> fiber = fibers().start((Runnable) () -> {
                throw thrown;
            });
            assertSame(
                    thrown, assertThrows(CompletionException.class, fiber::join).getCause());
            Crowd.until(() -> !reported.isEmpty());
            Fiber<Void> callable = fibers().start((Callable<Void>) () -> {
                throw new IllegalArgumentException("of a callable: its result says so");
            });
            assertThrows(CompletionException.class, callable::join);
            untilStatus(callable, Status.DONE);
            assertEquals(List.of(thrown), List.copyOf(reported));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(usual);
        }
    }

    @Test
    void aDoneFiberGivesItsResultToAnInterruptedCallerToo() throws Exception {
        Fiber<String> fiber = call(() -> "result");
        fiber.join();
        Thread.currentThread().interrupt();
        assertEquals("result", fiber.get(), "as FutureTask and CompletableFuture do: there is nothing to wait for");
        assertEquals("result", fiber.get(1, TimeUnit.SECONDS));
        assertEquals("result", fiber.join());
        assertTrue(Thread.interrupted());
    }

    // ---- yielding and joining --------------------------------------------------------------------------------------

    @Test
    void yieldLetsTheOthersRun() {
        var flag = new AtomicBoolean();
        Fiber<Integer> asking = call(() -> {
            int asked = 0;
            while (!flag.get()) {
                asked++;
                Fiber.yield();
            }
            return asked;
        });
        Fiber<Void> telling = fibers().start(() -> flag.set(true));
        telling.join();
        assertTrue(asking.join() >= 0);
    }

    @Test
    void fibersThatYieldOnOneThreadTakeTurns() {
        List<String> steps = Collections.synchronizedList(new ArrayList<>());
        Fiber<Void> both = fibers().start(() -> {
            Fiber<Void> a = fibers().start(() -> step("a", steps));
            Fiber<Void> b = fibers().start(() -> step("b", steps));
            a.join();
            b.join();
        });
        both.join();
        assertEquals(16, steps.size());
        if (ground.threads() > 1) return;
        assertTrue(steps.indexOf("b0") < steps.indexOf("a7"), steps::toString);
        assertTrue(steps.indexOf("a0") < steps.indexOf("b7"), steps::toString);
    }

    private static void step(String who, List<String> steps) {
        for (int i = 0; i < 8; i++) {
            steps.add(who + i);
            Fiber.yield();
        }
    }

    /** The example of the seed on fibers. */
    @Test
    void aHundredAndTwentyEightFibersYieldSevenTimesEach() throws Exception {
        var done = new CountDownLatch(128);
        var yields = new AtomicInteger();
        for (int i = 0; i < 128; i++) {
            fibers().start(() -> {
                for (int j = 0; j < 7; j++) {
                    Fiber.yield();
                    yields.incrementAndGet();
                }
                done.countDown();
            });
        }
        done.await();
        assertEquals(128 * 7, yields.get());
    }

    /** The example of the seed on the library of executors. */
    @Test
    void twoHundredAndFiftySixFibersYieldThreeTimesEach() {
        var yields = new AtomicInteger();
        List<Fiber<Void>> all = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            all.add(fibers().start(() -> {
                for (int j = 0; j < 3; j++) {
                    Fiber.yield();
                    yields.incrementAndGet();
                }
            }));
        }
        all.forEach(Fiber::join);
        assertEquals(256 * 3, yields.get());
    }

    @Test
    void onOneThreadFibersAreStrictlySerial() {
        int[] counter = {0};
        List<Fiber<Void>> all = new ArrayList<>();
        if (ground.threads() > 1) return;
        for (int i = 0; i < 100; i++) {
            all.add(fibers().start(() -> {
                for (int j = 0; j < 10; j++) {
                    counter[0]++;
                    Fiber.yield();
                }
            }));
        }
        all.forEach(Fiber::join);
        assertEquals(1000, counter[0]);
    }

    /**
     * LoadLevel, LoadModel, LoadMesh ...: every parent waits for its eight children, six levels deep, so far more parents
     * wait than there are threads. Of each eight children only the first {@code widening} have children themselves, which
     * keeps the number feasible: 8 * (1 + w + ... + w^5), 31 248 for w = 5, 504 for w = 2.
     */
    @Test
    void nestedJoinsSixDeepAndEightWideNeverDeadlock() {
        int widening = ground.threads() == 1 && executor() instanceof dev.coir.executor.Scheduler ? 5 : 2;
        int expected = 0;
        for (int level = 0, parents = 1; level < 6; level++, parents *= widening) expected += 8 * parents;
        assertEquals(expected, call(() -> load(6, widening)).join());
    }

    private int load(int depth, int widening) {
        List<Fiber<Integer>> children = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean hasChildren = depth > 1 && i < widening;
            children.add(call(() -> hasChildren ? load(depth - 1, widening) : 0));
        }
        int loaded = 8;
        for (Fiber<Integer> child : children) loaded += child.join();
        return loaded;
    }

    @Test
    void everybodyMayJoinOneFiber() throws Exception {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        List<Fiber<String>> joiners = new ArrayList<>();
        for (int i = 0; i < 50; i++) joiners.add(call(fiber::join));
        List<FutureTask<Void>> threads = new ArrayList<>();
        var waiting = new ArrayList<Thread>();
        for (int i = 0; i < 20; i++) {
            var task = new FutureTask<Void>(() -> {
                assertEquals("opened", fiber.join());
                return null;
            });
            threads.add(task);
            waiting.add(i % 2 == 0 ? Thread.ofPlatform().daemon().start(task) : Thread.startVirtualThread(task));
        }
        joiners.forEach(each -> untilStatus(each, Status.WAITING));
        waiting.forEach(Crowd::untilWaiting);
        gate.complete("opened");
        for (Fiber<String> each : joiners) assertEquals("opened", each.join());
        for (FutureTask<Void> each : threads) each.get();
    }

    @Test
    void aCrowdStartsFibersAndJoinsThem() throws Exception {
        var ran = new AtomicInteger();
        Crowd.run(4, index -> {
            for (int i = 0; i < 50; i++) {
                Fiber<Integer> fiber = call(() -> {
                    Fiber.yield();
                    return ran.incrementAndGet();
                });
                if (i % 3 == index % 3) fiber.join();
            }
        });
        Crowd.until(() -> ran.get() == 200);
    }

    // ---- looking at fibers -----------------------------------------------------------------------------------------

    @Test
    void currentIsTheFiberInsideAndNullOutside() {
        assertNull(Fiber.current());
        var seen = new AtomicReference<Fiber<?>>();
        var afterYield = new AtomicReference<Fiber<?>>();
        Fiber<Void> fiber = fibers().start(() -> {
            seen.set(Fiber.current());
            Fiber.yield();
            afterYield.set(Fiber.current());
        });
        fiber.join();
        assertSame(fiber, seen.get());
        assertSame(fiber, afterYield.get());
        assertNull(Fiber.current());
    }

    @Test
    void nameIdKindAndThreadAreWhatTheyWereMadeWith() {
        var gate = new CompletableFuture<Void>();
        Fiber<Object> named = fibers().name("the loader").start(() -> Fiber.await(gate));
        Fiber<Void> unnamed = fibers().start(() -> {});
        assertEquals("the loader", named.name());
        assertTrue(named.id() > 0);
        assertEquals(named.id(), named.id());
        assertTrue(unnamed.id() != named.id());
        assertEquals("fiber-" + unnamed.id(), unnamed.name());
        assertEquals(ground.kind(), named.kind());
        assertEquals(ground.kind() == Kind.VIRTUAL, named.thread().isPresent());
        named.thread().ifPresent(thread -> {
            assertTrue(thread.isVirtual());
            assertEquals("the loader", thread.getName());
        });
        gate.complete(null);
        named.join();
    }

    @Test
    void statusFollowsTheFiber() throws Exception {
        var gate = new CompletableFuture<Void>();
        var seenInside = new AtomicReference<Status>();
        var seenLater = new AtomicReference<Status>();
        Fiber<Object> fiber = fibers().unstarted((Callable<Object>) () -> {
            seenInside.set(Fiber.current().status());
            Fiber.await(gate);
            seenLater.set(Fiber.current().status());
            return null;
        });
        assertEquals(Status.NEW, fiber.status());
        assertTrue(fiber.toString().contains("NEW"), fiber::toString);
        fiber.start();
        untilStatus(fiber, Status.WAITING);
        assertEquals("a completion stage", fiber.waitReason().orElseThrow());
        assertTrue(fiber.toString().contains("WAITING in a completion stage"), fiber::toString);
        assertTrue(fiber.toString().contains(ground.kind().name()), fiber::toString);
        gate.complete(null);
        fiber.join();
        untilStatus(fiber, Status.DONE);
        assertTrue(fiber.waitReason().isEmpty());
        assertEquals(Status.RUNNING, seenInside.get());
        assertEquals(Status.RUNNING, seenLater.get());
    }

    @Test
    void statusSaysWhatAFiberWaitsFor() {
        Fiber<?> sleeping =
                fibers().start(() -> assertThrows(InterruptedException.class, () -> Fiber.sleep(Duration.ofDays(1))));
        untilStatus(sleeping, Status.TIMED_WAITING);
        assertEquals("sleep", sleeping.waitReason().orElseThrow());
        Fiber<?> joining = fibers().start(() -> assertThrows(CancellationException.class, sleeping::join));
        untilStatus(joining, Status.WAITING);
        assertEquals("join of a fiber", joining.waitReason().orElseThrow());
        Fiber<?> limited =
                fibers().start(() -> assertThrows(CancellationException.class, () -> sleeping.get(1, TimeUnit.DAYS)));
        untilStatus(limited, Status.TIMED_WAITING);
        sleeping.cancel(true);
        joining.join();
        limited.join();
        untilStatus(sleeping, Status.DONE);
    }

    @Test
    void aFiberThatHasNotGotItsTurnIsQueued() {
        var release = new AtomicBoolean();
        var running = new CountDownLatch(ground.threads());
        if (ground.threads() > 2) return; // would keep every thread busy for nothing
        List<Fiber<Void>> hogs = new ArrayList<>();
        for (int i = 0; i < ground.threads(); i++) {
            hogs.add(fibers().start(() -> {
                running.countDown();
                while (!release.get()) Thread.onSpinWait();
            }));
        }
        try {
            Crowd.until(() -> running.getCount() == 0);
            hogs.forEach(hog -> assertEquals(Status.RUNNING, hog.status()));
            Fiber<Void> patient = fibers().start(() -> {});
            assertEquals(Status.QUEUED, patient.status());
            release.set(true);
            patient.join();
        } finally {
            release.set(true); // or it would hold up every test after it
        }
        hogs.forEach(Fiber::join);
    }

    // ---- where fibers run ------------------------------------------------------------------------------------------

    @Test
    void goInsideAFiberStaysOnItsExecutor() {
        Fiber<Executor> grandchild = call(() -> Fiber.go(
                        () -> Fiber.go(() -> Fiber.current().executor()).join())
                .join());
        assertSame(executor(), grandchild.join());
    }

    @Test
    void aBuilderWithoutAnExecutorAsksAnewEachTime() {
        Fiber.Builder builder = Fiber.builder();
        assertSame(
                dev.coir.executor.Scheduler.common(),
                builder.unstarted(() -> {}).executor());
        Executor inside = call(() -> builder.unstarted(() -> {}).executor()).join();
        assertSame(executor(), inside);
    }

    @Test
    void unstartedRunsOnlyOnceItIsStarted() {
        var ran = new AtomicInteger();
        Fiber<Integer> fiber = fibers().unstarted(ran::incrementAndGet);
        call(() -> null).join();
        assertEquals(0, ran.get());
        assertFalse(fiber.isDone());
        assertSame(fiber, fiber.start());
        assertEquals(1, fiber.join());
    }

    @Test
    void startingTwiceIsRefused() {
        Fiber<Void> fiber = fibers().name("twice").unstarted(() -> {});
        fiber.start();
        var refusal = assertThrows(IllegalStateException.class, fiber::start);
        assertTrue(refusal.getMessage().startsWith("a fiber is started once: Fiber[twice"), refusal::getMessage);
        fiber.join();
        assertThrows(IllegalStateException.class, fiber::start);
        Fiber<Void> started = fibers().start(() -> {});
        assertThrows(IllegalStateException.class, started::start);
        started.join();
    }

    @Test
    void ofManyWhoStartAFiberOneSucceeds() throws Exception {
        for (int round = 0; round < 20; round++) {
            var ran = new AtomicInteger();
            var refused = new AtomicInteger();
            Fiber<Integer> fiber = fibers().unstarted(ran::incrementAndGet);
            Crowd.run(2, index -> {
                try {
                    fiber.start();
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            });
            assertEquals(1, fiber.join());
            assertEquals(1, refused.get());
        }
    }

    // ---- blocking calls --------------------------------------------------------------------------------------------

    @Test
    void aBlockingCallIsMadeElsewhereAndItsResultComesBack() throws Exception {
        var release = new CountDownLatch(1);
        List<Fiber<String>> blocked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            blocked.add(call(() -> Fiber.blocking(() -> {
                release.await();
                return "released";
            })));
        }
        assertEquals("meanwhile", call(() -> "meanwhile").join());
        release.countDown();
        for (Fiber<String> each : blocked) assertEquals("released", each.join());
        assertNull(call(() -> Fiber.blocking(() -> null)).join());
    }

    @Test
    void whatABlockingCallThrowsLeavesUnchanged() {
        var thrown = new IOException("why");
        Fiber<Throwable> fiber = call(() -> assertThrows(
                IOException.class,
                () -> Fiber.blocking(() -> {
                    throw thrown;
                })));
        assertSame(thrown, fiber.join());
        var error = new StackOverflowError("made up");
        Fiber<Throwable> other = call(() -> assertThrows(
                StackOverflowError.class,
                () -> Fiber.blocking(() -> {
                    throw error;
                })));
        assertSame(error, other.join());
    }

    @Test
    void aBlockingCallIsInterruptedWithItsFiber() throws Exception {
        var inside = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        Fiber<Boolean> fiber = interruptedIn(() -> Fiber.blocking(() -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return null;
        }));
        inside.await();
        untilStatus(fiber, Status.WAITING);
        Party.interrupt(fiber);
        assertTrue(fiber.join());
        interrupted.await();
    }

    // ---- fiber locals ----------------------------------------------------------------------------------------------

    @Test
    void eachFiberHasItsOwnValueOfAFiberLocal() {
        FiberLocal<List<Integer>> local = FiberLocal.withInitial(ArrayList::new);
        List<Fiber<List<Integer>>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int mine = i;
            all.add(call(() -> {
                for (int j = 0; j < 3; j++) {
                    local.get().add(mine);
                    Fiber.yield();
                }
                return local.get();
            }));
        }
        for (int i = 0; i < 50; i++) assertEquals(List.of(i, i, i), all.get(i).join());
        assertEquals(List.of(), local.get(), "the thread outside has its own");
        local.remove();
    }

    @Test
    void aFiberLocalCanBeSetRemovedAndNull() {
        var made = new AtomicInteger();
        FiberLocal<Integer> local = FiberLocal.withInitial(made::incrementAndGet);
        Fiber<Void> fiber = fibers().start(() -> {
            assertEquals(1, local.get());
            assertEquals(1, local.get());
            local.set(null);
            assertNull(local.get());
            Fiber.yield();
            assertNull(local.get());
            local.remove();
            assertEquals(2, local.get());
            local.set(7);
            assertEquals(7, local.get());
        });
        fiber.join();
        FiberLocal<String> nothing = FiberLocal.withInitial(() -> null);
        assertNull(nothing.get());
        assertNull(call(nothing::get).join());
        assertEquals(3, local.get());
        local.set(8);
        assertEquals(8, local.get());
        local.remove();
        assertThrows(NullPointerException.class, () -> FiberLocal.withInitial(null));
    }

    @Test
    void aFiberLocalIsNotInheritedByAChild() {
        FiberLocal<String> local = FiberLocal.withInitial(() -> "initial");
        String child = call(() -> {
                    local.set("the parent's");
                    return call(local::get).join();
                })
                .join();
        assertEquals("initial", child);
    }

    // ---- when things go wrong --------------------------------------------------------------------------------------

    @Test
    void aStackOverflowInOneOfAThousandHarmsNoOther() {
        List<Fiber<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int number = i;
            all.add(call(() -> {
                Fiber.yield();
                int depth = number == 500 ? recurse(0) : number;
                Fiber.yield();
                return depth;
            }));
        }
        for (int i = 0; i < 1000; i++) {
            Fiber<Integer> each = all.get(i);
            if (i == 500) {
                assertInstanceOf(
                        StackOverflowError.class,
                        assertThrows(CompletionException.class, each::join).getCause());
            } else {
                assertEquals(i, each.join());
            }
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    @Test
    void anOutOfMemoryErrorEndsOnlyItsFiber() {
        var thrown = new OutOfMemoryError("made up");
        Fiber<Object> failing = call(() -> {
            throw thrown;
        });
        assertSame(
                thrown, assertThrows(CompletionException.class, failing::join).getCause());
        assertEquals("alive", call(() -> "alive").join());
    }

    @Test
    void whatABodyLeavesInterruptedDoesNotReachTheNextFiber() {
        for (int i = 0; i < 8; i++) {
            fibers().start(() -> Thread.currentThread().interrupt()).join();
        }
        Set<Boolean> seen = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 8; i++) {
            fibers().start(() -> seen.add(Thread.currentThread().isInterrupted()))
                    .join();
        }
        assertEquals(Set.of(false), seen);
    }

    @Test
    void nullsAreRefused() {
        assertThrows(NullPointerException.class, () -> fibers().start((Runnable) null));
        assertThrows(NullPointerException.class, () -> fibers().start((Callable<?>) null));
        assertThrows(NullPointerException.class, () -> fibers().unstarted((Runnable) null));
        assertThrows(NullPointerException.class, () -> fibers().unstarted((Callable<?>) null));
        assertThrows(NullPointerException.class, () -> fibers().name(null));
        assertThrows(NullPointerException.class, () -> fibers().kind(null));
        assertThrows(NullPointerException.class, () -> fibers().on(null));
        assertThrows(NullPointerException.class, () -> Fiber.go(executor(), (Callable<?>) null));
        assertThrows(NullPointerException.class, () -> Fiber.go(null, () -> {}));
        assertNotNull(call(() -> "unharmed").join());
    }
}
