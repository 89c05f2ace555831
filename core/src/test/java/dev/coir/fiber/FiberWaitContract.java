package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.task.Party;
import dev.coir.testing.Crowd;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How every fiber waits, is cancelled, and is a future, whatever its stack is made of and whatever it runs on. */
abstract class FiberWaitContract extends FiberGround {
    // ---- waiting ---------------------------------------------------------------------------------------------------

    @Test
    void sleepWaitsThatLongAtLeast() {
        long took = call(() -> {
                    long begin = System.nanoTime();
                    Fiber.sleep(Duration.ofMillis(3));
                    return System.nanoTime() - begin;
                })
                .join();
        assertTrue(took >= 3_000_000, () -> took + " ns");
    }

    @Test
    void sleepersDoNotHoldTheThread() {
        List<Fiber<Void>> sleepers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < 300; i++) {
            sleepers.add(fibers().start(() -> {
                try {
                    Fiber.sleep(Duration.ofMillis(20));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        sleepers.forEach(Fiber::join);
        long took = System.nanoTime() - begin;
        assertTrue(took < 300 * 20_000_000L / 2, () -> took + " ns");
    }

    @Test
    void sleepOfNothingReturnsAtOnce() {
        call(() -> {
                    Fiber.sleep(Duration.ZERO);
                    Fiber.sleep(Duration.ofSeconds(-1));
                    Fiber.sleep(Duration.ofSeconds(Long.MIN_VALUE));
                    return null;
                })
                .join();
    }

    @Test
    void sleepOfCenturiesIsInterruptible() {
        Fiber<Boolean> fiber = interruptedIn(() -> Fiber.sleep(Duration.ofSeconds(Long.MAX_VALUE)));
        Crowd.until(() -> fiber.waitReason().isPresent());
        Party.interrupt(fiber);
        assertTrue(fiber.join());
    }

    interface Interruptible {
        void run() throws Exception;
    }

    final Fiber<Boolean> interruptedIn(Interruptible body) {
        return call(() -> {
            try {
                body.run();
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        });
    }

    @Test
    void getGivesUpWhenTimeIsUpAndWorksAgainLater() throws Exception {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        assertThrows(TimeoutException.class, () -> fiber.get(0, TimeUnit.SECONDS));
        assertThrows(TimeoutException.class, () -> fiber.get(-1, TimeUnit.DAYS));
        assertThrows(TimeoutException.class, () -> fiber.get(Long.MIN_VALUE, TimeUnit.DAYS));
        var refusal = assertThrows(TimeoutException.class, () -> fiber.get(2, TimeUnit.MILLISECONDS));
        assertEquals("no result after 2 milliseconds", refusal.getMessage());
        Fiber<?> inside =
                fibers().start(() -> assertThrows(TimeoutException.class, () -> fiber.get(2, TimeUnit.MILLISECONDS)));
        inside.join();
        assertFalse(fiber.isDone());
        gate.complete("late");
        assertEquals("late", fiber.get(1, TimeUnit.DAYS));
        assertEquals(
                "late",
                call(() -> fiber.get(Long.MAX_VALUE, TimeUnit.NANOSECONDS)).join());
    }

    @Test
    void getIsInterruptible() throws Exception {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        Fiber<Boolean> inside = interruptedIn(fiber::get);
        Fiber<Boolean> limited = interruptedIn(() -> fiber.get(1, TimeUnit.DAYS));
        untilStatus(inside, Status.WAITING);
        untilStatus(limited, Status.TIMED_WAITING);
        Party.interrupt(inside);
        Party.interrupt(limited);
        assertTrue(inside.join());
        assertTrue(limited.join());
        var thread = new AtomicReference<Thread>();
        FutureTask<Void> outside = Crowd.start("waits", i -> {
            thread.set(Thread.currentThread());
            assertThrows(InterruptedException.class, fiber::get);
            assertFalse(Thread.currentThread().isInterrupted());
        });
        Crowd.until(() -> thread.get() != null);
        thread.get().interrupt();
        outside.get();
        gate.complete("still usable");
        assertEquals("still usable", fiber.get());
    }

    @Test
    void joinIsNotInterruptibleAndRemembersTheInterrupt() throws Exception {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        Fiber<Boolean> inside = call(() -> {
            assertEquals("opened", fiber.join());
            return assertThrows(InterruptedException.class, () -> Fiber.sleep(Duration.ofDays(1))) != null;
        });
        untilStatus(inside, Status.WAITING);
        Party.interrupt(inside);
        var thread = new AtomicReference<Thread>();
        FutureTask<Void> outside = Crowd.start("waits", i -> {
            thread.set(Thread.currentThread());
            assertEquals("opened", fiber.join());
            assertTrue(Thread.interrupted());
        });
        Crowd.until(() -> thread.get() != null);
        thread.get().interrupt();
        call(() -> null).join();
        assertFalse(inside.isDone());
        assertFalse(outside.isDone());
        gate.complete("opened");
        assertTrue(inside.join());
        outside.get();
    }

    // ---- cancelling ------------------------------------------------------------------------------------------------

    @Test
    void cancelledBeforeItsStartAFiberNeverRuns() {
        var ran = new AtomicInteger();
        Fiber<Integer> fiber = fibers().unstarted(ran::incrementAndGet);
        assertTrue(fiber.cancel(false));
        assertTrue(fiber.isDone());
        assertTrue(fiber.isCancelled());
        assertEquals(Status.DONE, fiber.status());
        fiber.start();
        call(() -> null).join();
        assertThrows(CancellationException.class, fiber::join);
        assertEquals(0, ran.get());
    }

    @Test
    void cancelledWhileQueuedAFiberNeverRuns() {
        var ran = new AtomicInteger();
        Fiber<Void> parent = fibers().start(() -> {
            if (ground.threads() > 1) return;
            List<Fiber<Integer>> queued = new ArrayList<>();
            for (int i = 0; i < 20; i++) queued.add(call(ran::incrementAndGet));
            for (Fiber<Integer> each : queued) {
                assertEquals(Status.QUEUED, each.status());
                assertTrue(each.cancel(queued.indexOf(each) % 2 == 0));
                assertEquals(Status.DONE, each.status());
            }
            Fiber.yield();
            for (Fiber<Integer> each : queued) assertThrows(CancellationException.class, each::join);
        });
        parent.join();
        call(() -> null).join();
        assertEquals(0, ran.get());
    }

    @Test
    void cancelInterruptsTheOperationAFiberWaitsIn() throws Exception {
        var unwound = new CompletableFuture<Throwable>();
        Fiber<String> fiber = call(() -> {
            try {
                Fiber.sleep(Duration.ofDays(1));
                unwound.complete(null);
            } catch (InterruptedException e) {
                unwound.complete(e);
            }
            return "dropped";
        });
        untilStatus(fiber, Status.TIMED_WAITING);
        assertTrue(fiber.cancel(true));
        assertTrue(fiber.isDone());
        assertTrue(fiber.isCancelled());
        assertEquals(Future.State.CANCELLED, fiber.state());
        assertInstanceOf(InterruptedException.class, unwound.get());
        assertThrows(CancellationException.class, fiber::get);
        assertThrows(CancellationException.class, () -> fiber.get(1, TimeUnit.SECONDS));
        assertThrows(CancellationException.class, fiber::join);
        assertFalse(fiber.cancel(true), "cancelled before");
        untilStatus(fiber, Status.DONE);
        assertTrue(fiber.toString().contains("cancelled"), fiber::toString);
    }

    @Test
    void cancelReachesAFiberBeforeItsNextWait() throws Exception {
        var running = new CountDownLatch(1);
        var release = new AtomicBoolean();
        var unwound = new CompletableFuture<Throwable>();
        Fiber<Void> fiber = fibers().start(() -> {
            running.countDown();
            while (!release.get()) Thread.onSpinWait();
            try {
                Fiber.sleep(Duration.ofDays(1));
            } catch (InterruptedException e) {
                unwound.complete(e);
            }
        });
        running.await();
        assertTrue(fiber.cancel(true));
        release.set(true);
        assertInstanceOf(InterruptedException.class, unwound.get());
    }

    @Test
    void cancelWithoutInterruptLetsTheBodyGoOn() throws Exception {
        var gate = new CompletableFuture<String>();
        var went = new CompletableFuture<String>();
        Fiber<String> fiber = call(() -> {
            went.complete(Fiber.await(gate));
            Fiber.sleep(Duration.ofMillis(1));
            return "dropped";
        });
        untilStatus(fiber, Status.WAITING);
        assertTrue(fiber.cancel(false));
        assertTrue(fiber.isDone());
        assertThrows(CancellationException.class, fiber::join);
        assertFalse(went.isDone());
        gate.complete("on");
        assertEquals("on", went.get());
        untilStatus(fiber, Status.DONE);
        assertTrue(fiber.isCancelled());
    }

    @Test
    void aFiberThatIsDoneCannotBeCancelled() {
        Fiber<String> fiber = call(() -> "result");
        fiber.join();
        assertFalse(fiber.cancel(true));
        assertFalse(fiber.isCancelled());
        assertEquals("result", fiber.join());
        Fiber<String> failed = call(() -> {
            throw new IOException();
        });
        assertThrows(CompletionException.class, failed::join);
        assertFalse(failed.cancel(true));
        assertFalse(failed.isCancelled());
    }

    @Test
    void cancelAgainstTheEndHasOneWinner() {
        for (int round = 0; round < 100; round++) {
            Fiber<String> fiber = call(() -> "result");
            boolean cancelled = fiber.cancel(round % 2 == 0);
            assertEquals(cancelled, fiber.isCancelled());
            if (cancelled) assertThrows(CancellationException.class, fiber::join);
            else assertEquals("result", fiber.join());
        }
    }

    @Test
    void joinersOfACancelledFiberAreReleased() {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        List<Fiber<Object>> joiners = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            joiners.add(call(() -> assertThrows(CancellationException.class, fiber::join)));
        }
        joiners.forEach(each -> untilStatus(each, Status.WAITING));
        fiber.cancel(true);
        joiners.forEach(Fiber::join);
    }

    // ---- stages and futures ----------------------------------------------------------------------------------------

    @Test
    void awaitGivesWhatTheStageGives() {
        assertEquals(
                "ready",
                call(() -> Fiber.await(CompletableFuture.completedFuture("ready")))
                        .join());
        var later = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(later);
        later.complete("later");
        assertEquals("later", fiber.join());
        assertNull(
                call(() -> Fiber.await(CompletableFuture.completedFuture(null))).join());
        assertEquals(
                "dependent",
                call(() -> Fiber.await(later.thenApply(x -> "dependent"))).join());
    }

    @Test
    void awaitThrowsWhatTheStageFailedWith() {
        var thrown = new IOException("why");
        var stage = new CompletableFuture<String>();
        Fiber<Throwable> waiting = call(() ->
                assertThrows(ExecutionException.class, () -> Fiber.await(stage)).getCause());
        Fiber<Throwable> dependent =
                call(() -> assertThrows(ExecutionException.class, () -> Fiber.await(stage.thenApply(x -> x)))
                        .getCause());
        untilStatus(waiting, Status.WAITING);
        untilStatus(dependent, Status.WAITING);
        stage.completeExceptionally(thrown);
        assertSame(thrown, waiting.join());
        assertSame(thrown, dependent.join());
        assertSame(
                thrown,
                call(() -> assertThrows(ExecutionException.class, () -> Fiber.await(stage))
                                .getCause())
                        .join());
    }

    @Test
    void awaitOfACancelledStageThrowsThat() {
        var stage = new CompletableFuture<String>();
        Fiber<Object> waiting = call(() -> assertThrows(CancellationException.class, () -> Fiber.await(stage)));
        untilStatus(waiting, Status.WAITING);
        stage.cancel(false);
        waiting.join();
        call(() -> assertThrows(CancellationException.class, () -> Fiber.await(stage)))
                .join();
    }

    @Test
    void awaitOfWhatDependsOnACancelledStageFailsAsTheJdksGetDoes() {
        var stage = new CompletableFuture<String>();
        var dependent = stage.thenApply(x -> x);
        stage.cancel(false);
        Throwable cause = call(() -> assertThrows(ExecutionException.class, () -> Fiber.await(dependent))
                        .getCause())
                .join();
        assertEquals(
                assertThrows(ExecutionException.class, dependent::get)
                        .getCause()
                        .getClass(),
                cause.getClass());
    }

    @Test
    void awaitIsInterruptible() {
        var stage = new CompletableFuture<String>();
        Fiber<Boolean> fiber = interruptedIn(() -> Fiber.await(stage));
        untilStatus(fiber, Status.WAITING);
        Party.interrupt(fiber);
        assertTrue(fiber.join());
        stage.complete("nobody waits any more");
    }

    @Test
    void awaitWorksOutsideFibersToo() throws Exception {
        var stage = new CompletableFuture<String>();
        fibers().start(() -> stage.complete("from a fiber"));
        assertEquals("from a fiber", Fiber.await(stage));
    }

    @Test
    void aFiberIsAlsoACompletableFuture() throws Exception {
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = waitingAt(gate);
        CompletableFuture<String> early = fiber.toCompletableFuture();
        assertFalse(early.isDone());
        assertTrue(fiber.toCompletableFuture().cancel(true));
        assertFalse(fiber.isDone(), "cancelling the future leaves the fiber alone");
        gate.complete("opened");
        assertEquals("opened", early.get());
        fiber.join();
        assertEquals("opened", fiber.toCompletableFuture().getNow(null));
        var thrown = new IOException();
        Fiber<String> failing = call(() -> {
            throw thrown;
        });
        CompletableFuture<String> failed = failing.toCompletableFuture();
        assertSame(thrown, assertThrows(ExecutionException.class, failed::get).getCause());
        Fiber<String> cancelled = fibers().unstarted(() -> "never");
        CompletableFuture<String> future = cancelled.toCompletableFuture();
        cancelled.cancel(true);
        assertTrue(future.isCancelled());
        assertNull(call(() -> null).toCompletableFuture().get());
    }
}
