package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber;
import dev.coir.parallel.BoundedPool;
import dev.coir.scope.Joiner;
import dev.coir.scope.Scope;
import dev.coir.scope.ScopeFailedException;
import dev.coir.sync.Barrier;
import dev.coir.sync.Event;
import dev.coir.sync.Latch;
import dev.coir.sync.RwLock;
import dev.coir.testing.CancelAtTheEnd;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.DriveAtTheEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who asks for something where the stack ends is refused as a whole, or it is done as a whole: with those told who must be. Each is
 * tried where there is no room at all, and then with ever more, until it is done.
 */
class HalfDoneAtStackEndTest {
    private static final int STACK_BYTES = 256 << 10;
    private static final int LINKS = 50;

    private interface Attempt {
        void run() throws Exception;
    }

    /** The JDK must not initialize this where a stack ends: it would find no class of its own any more. */
    @BeforeAll
    static void initialize() throws Exception {
        ClassLoader.getSystemResource("java/lang/Object.class");
        try (var scope = Scope.open()) { // what is linked at first is none of our business
            scope.fork(() -> {});
            scope.join();
        }
    }

    @Test
    void aTimerThatWasCancelledHoldsNobodyUp() throws Exception {
        var scheduler = Scheduler.start(1);
        var task = scheduler.schedule(() -> {}, Duration.ofHours(1));
        atTheEnd(task::cancel);
        assertTrue(task.isDone());
        scheduler.close();
    }

    @Test
    void whoWasToldToEndEnds() throws Exception {
        var scheduler = Scheduler.start(1);
        var never = new Latch(1);
        Fiber<?> waiting = Fiber.builder().on(scheduler).start(() -> {
            never.await();
            return null;
        });
        while (waiting.status() != Fiber.Status.WAITING) Thread.onSpinWait();
        atTheEnd(scheduler::shutdownNow);
        scheduler.close();
        assertTrue(waiting.isCancelled());
    }

    @Test
    void aLoanThatWasGivenBackIsThereForTheNext() throws Exception {
        var pool = new BoundedPool<>(1, Object::new);
        var loan = pool.borrow();
        atTheEnd(loan::close);
        pool.borrow().close();
    }

    @Test
    void aSignalReachesTheEndOfAChain() throws Exception {
        Event first = Event.manual();
        Event last = first;
        for (int i = 0; i < LINKS; i++) last = Event.any(last);
        Event end = last;
        Fiber<?> waiting = Fiber.go(() -> {
            end.await();
            return null;
        });
        while (waiting.status() != Fiber.Status.WAITING) Thread.onSpinWait();
        atTheEnd(first::signal);
        waiting.join();
    }

    @Test
    void whoLeavesABarrierBreaksIt() throws Exception {
        var barrier = new Barrier(3);
        var other = new FutureTask<>(barrier::await);
        new Thread(other, "other").start();
        while (barrier.getNumberWaiting() == 0) Thread.onSpinWait();
        atTheEnd(() -> {
            try {
                barrier.await(1, TimeUnit.MICROSECONDS);
            } catch (TimeoutException asMeant) {
                return;
            }
        });
        ExecutionException broken = assertThrows(ExecutionException.class, other::get);
        assertEquals(BrokenBarrierException.class, broken.getCause().getClass());
    }

    @Test
    @SuppressWarnings("WaitNotInLoop") // it waits for nothing
    void whoHasWaitedForAConditionHasTheLockAgain() throws Exception {
        Lock lock = new RwLock().writeLock();
        var condition = lock.newCondition();
        atTheEnd(() -> {
            lock.lock();
            try {
                condition.await(1, TimeUnit.MICROSECONDS);
            } finally {
                lock.unlock(); // which throws when it is not held
            }
        });
    }

    @Test
    void aScopeHearsOfAChildThatWasCancelled() throws Exception {
        var never = new Latch(1);
        var forked = new CompletableFuture<Fiber<?>>();
        var owner = new FutureTask<>(() -> {
            try (var scope = Scope.open(Joiner.<Object>all())) {
                Fiber<?> child = scope.fork(() -> {
                    never.await();
                    return 1;
                });
                scope.fork(() -> {
                    never.await();
                    return 2;
                });
                forked.complete(child);
                return scope.join();
            }
        });
        new Thread(owner, "owner").start();
        Fiber<?> child = forked.get();
        atTheEnd(() -> child.cancel(true));
        ExecutionException failed = assertThrows(ExecutionException.class, owner::get);
        assertEquals(ScopeFailedException.class, failed.getCause().getClass());
    }

    @Test
    void aScopeDoesNotWaitForWhoCouldNotBegin() throws Exception {
        onAThread(() -> {
            try (var scope = Scope.open()) {
                untilItCan(() -> scope.fork(() -> 1));
                scope.join();
            }
        });
    }

    @Test
    void childrenEndBeforeTheirBlock() throws Exception {
        var never = new Latch(1);
        List<Fiber<?>> children = new ArrayList<>(1_000);
        atTheEnd(() -> {
            try (var scope = Scope.open()) {
                children.add(scope.fork(() -> {
                    never.await();
                    return 1;
                }));
            }
        });
        assertTrue(children.stream().allMatch(Fiber::isDone));
    }

    @Test
    void aStrandOverWhoCallsGoesOn() throws Exception {
        Strand strand = Strand.over(Runnable::run);
        var ran = new AtomicInteger();
        for (int i = 0; i < 3; i++) atTheEnd(() -> strand.execute(ran::incrementAndGet));
        var last = new CompletableFuture<Boolean>();
        strand.execute(() -> last.complete(true));
        assertTrue(last.get());
        assertTrue(ran.get() >= 3);
    }

    /** Which way that goes depends on what the JIT has seen; once it took what callbacks ask for a part of telling. */
    @Test
    void joinersHearOfAFiberWhoseCallbacksAskForMuch() throws Exception {
        assertNoneLost(ChildJvm.run(ChildJvm.FLAGS, CancelAtTheEnd.class));
    }

    /** Likewise: once it took the room for a cancellation for a part of each slice, in JVMs in which many had been cancelled. */
    @ParameterizedTest
    @EnumSource
    void aFiberOverAManualExecutorIsRunOrStaysQueued(Fiber.Kind kind) throws Exception {
        assertNoneLost(ChildJvm.run(ChildJvm.FLAGS, DriveAtTheEnd.class, kind.name()));
    }

    /** Reports of fibers that compute for long may come before. */
    private static void assertNoneLost(ChildJvm child) {
        assertEquals(0, child.exit(), child::output);
        assertEquals("lost 0", child.output().strip().lines().reduce("", (before, last) -> last), child::output);
    }

    // ---- the end of a stack -----------------------------------------------------------------------------------------

    private static void atTheEnd(Attempt attempt) throws Exception {
        onAThread(() -> untilItCan(attempt));
    }

    private static void onAThread(Attempt body) throws Exception {
        var task = new FutureTask<>(() -> {
            body.run();
            return true;
        });
        new Thread(null, task, "deep", STACK_BYTES).start();
        task.get();
    }

    /** Goes down to the end and tries on the way back. @return whether it is done */
    @SuppressWarnings("InfiniteRecursion")
    private static boolean untilItCan(Attempt attempt) throws Exception {
        try {
            if (untilItCan(attempt)) return true;
        } catch (StackOverflowError end) {
            return false;
        }
        try {
            attempt.run();
            return true;
        } catch (StackOverflowError tooDeep) {
            return false;
        }
    }
}
