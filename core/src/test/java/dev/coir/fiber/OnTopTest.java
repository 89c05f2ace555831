package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.channel.Channel;
import dev.coir.executor.Scheduler;
import dev.coir.sync.Latch;
import dev.coir.sync.Semaphore;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A LIGHT fiber that waits may have another on top of it, and neither of them notices. */
@EnabledOnOs(OS.LINUX)
class OnTopTest {
    private static final ScopedValue<String> BOUND = ScopedValue.newInstance();
    private Scheduler scheduler;

    @BeforeEach
    void start() {
        scheduler = Schedulers.start(1);
    }

    @AfterEach
    void close() {
        Schedulers.close(scheduler);
    }

    /** Starts a fiber that has suspended before its body begins: only such a one stays below. */
    private <T> Fiber<T> light(Callable<T> body) {
        return light(scheduler, body);
    }

    private static <T> Fiber<T> light(Scheduler on, Callable<T> body) {
        return Fiber.builder().on(on).kind(Fiber.Kind.LIGHT).start(() -> {
            Fiber.yield();
            return body.call();
        });
    }

    /** Starts a fiber whose first wait has begun when this returns: from then on it may be put on top. */
    private <T> Fiber<T> waiting(Callable<T> body) {
        Fiber<T> fiber = light(body);
        awaitStatus(fiber, Fiber.Status.WAITING);
        return fiber;
    }

    private Fiber<Boolean> echoing(Channel<Integer> there, Channel<Integer> back) {
        return waiting(() -> {
            for (int value : there.untilClosed()) back.send(value);
            return true;
        });
    }

    private static void awaitStatus(Fiber<?> fiber, Fiber.Status wanted) {
        while (fiber.status() != wanted) Thread.onSpinWait();
    }

    private static boolean isOnTop() {
        return isOnStack("runOnTopOf");
    }

    private static boolean isOnStack(String method) {
        return Arrays.stream(new Throwable().getStackTrace())
                .anyMatch(each -> each.getMethodName().equals(method));
    }

    @Test
    void whoIsWokenRunsOnTopOfWhoWaits() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Boolean> second = waiting(() -> {
            ping.acquire();
            boolean onTop = isOnTop();
            pong.release();
            return onTop;
        });
        Fiber<Fiber<?>> first = light(() -> {
            ping.release();
            pong.acquire();
            assertFalse(isOnTop());
            return Fiber.current();
        });
        assertEquals(first, first.get());
        assertTrue(second.get());
    }

    @Test
    void aMillionRoundTripsLoseNothing() throws Exception {
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        var echo = light(() -> {
            for (int value : there.untilClosed()) back.send(-value);
            return Fiber.current();
        });
        var asking = light(() -> {
            for (int i = 0; i < 1_000_000; i++) {
                there.send(i);
                assertEquals(-i, back.receive());
            }
            there.close();
            return Fiber.current();
        });
        assertEquals(asking, asking.get());
        assertEquals(echo, echo.get());
    }

    // ---- what must not be seen from above --------------------------------------------------------------------------

    private static final Semaphore AMID = new Semaphore(0);
    private static final Latch GO_ON = new Latch(1);

    /** Waits while it is initialised, after it has woken somebody who is about to use it. */
    private static final class Half {
        static final int VALUE;

        static {
            AMID.release();
            try {
                GO_ON.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            VALUE = Integer.parseInt("42");
        }
    }

    /** Q3 of OnTop: on one thread the JVM would let the second in while the first initialises. */
    @Test
    void nobodySeesAClassHalfInitialised() throws Exception {
        Fiber<Integer> second = waiting(() -> {
            AMID.acquire();
            return Half.VALUE;
        });
        Fiber<Integer> first = light(() -> Half.VALUE);
        awaitStatus(first, Fiber.Status.WAITING);
        GO_ON.countDown();
        assertEquals(42, first.get());
        assertEquals(42, second.get());
    }

    /** After an overflow the JVM does not know what is bound, and looks on the stack. */
    @Test
    void scopedValuesOfWhoWaitsAreNotSeen() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Boolean> second = waiting(() -> {
            assertThrows(StackOverflowError.class, () -> overflow(0));
            boolean seen = false;
            for (int i = 0; i < 100; i++) {
                ping.acquire();
                seen |= BOUND.isBound();
                pong.release();
            }
            return seen;
        });
        Fiber<String> first = light(() -> {
            for (int i = 0; i < 100; i++) {
                ping.release();
                if (i % 3 == 2) pong.acquire();
                else ScopedValue.where(BOUND, "mine").call(() -> acquireBound(pong));
            }
            return BOUND.orElse("nothing");
        });
        assertEquals("nothing", first.get());
        assertFalse(second.get());
    }

    private static boolean acquireBound(Semaphore semaphore) throws InterruptedException {
        semaphore.acquire();
        assertEquals("mine", BOUND.get());
        return true;
    }

    @Test
    void scopedValuesOfWhoIsOnTopAreItsOwn() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Boolean> second = waiting(() -> ScopedValue.where(BOUND, "on top").call(() -> {
            boolean onTop = false;
            for (int i = 0; i < 100; i++) {
                ping.acquire();
                onTop |= isOnTop();
                assertEquals("on top", BOUND.get());
                pong.release();
            }
            return onTop;
        }));
        Fiber<Boolean> first = light(() -> {
            boolean seen = false;
            for (int i = 0; i < 100; i++) {
                ping.release();
                pong.acquire();
                seen |= BOUND.isBound();
            }
            return seen;
        });
        assertFalse(first.get());
        assertTrue(second.get());
    }

    /** Q4 of OnTop. */
    @Test
    void nobodyRunsOnTopOfOneThatTakesMuchOfTheStack() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Boolean> second = waiting(() -> {
            boolean deep = false;
            for (int i = 0; i < 100; i++) {
                ping.acquire();
                deep |= isOnStack("descend");
                pong.release();
            }
            return deep;
        });
        Fiber<Integer> first = light(() -> {
            int levels = 0;
            for (int i = 0; i < 100; i++) {
                levels += descend(2_000, () -> {
                    ping.release();
                    pong.acquire();
                    return 0;
                });
            }
            return levels;
        });
        assertEquals(200_000, first.get());
        assertFalse(second.get());
    }

    private static int descend(int levels, Callable<Integer> bottom) throws Exception {
        return levels == 0 ? bottom.call() : descend(levels - 1, bottom) + 1;
    }

    // ---- how it ends -----------------------------------------------------------------------------------------------

    @Test
    void whoIsBelowGoesOnWhenTheOtherEnds() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Fiber<Boolean>> second = waiting(() -> {
            ping.acquire();
            pong.release();
            return light(OnTopTest::isOnTop); // does not follow it there
        });
        Fiber<Boolean> first = light(() -> {
            ping.release();
            pong.acquire();
            return true;
        });
        assertTrue(first.get());
        assertFalse(second.get().get());
    }

    @Test
    void whoIsBelowGoesOnWhenTheOtherFails() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        Fiber<Integer> second = waiting(() -> {
            ping.acquire();
            pong.release();
            return overflow(0);
        });
        Fiber<Boolean> first = light(() -> {
            ping.release();
            pong.acquire();
            return true;
        });
        assertTrue(first.get());
        var failure = assertThrows(CompletionException.class, second::join);
        assertInstanceOf(StackOverflowError.class, failure.getCause());
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int overflow(int level) {
        return overflow(level + 1) + 1;
    }

    @Test
    void aTimeLimitPassesBelow() throws Exception {
        var ping = new Semaphore(0);
        var never = new Semaphore(0);
        Fiber<Boolean> second = waiting(() -> {
            ping.acquire();
            long until = System.nanoTime() + 5_000_000;
            while (System.nanoTime() - until < 0) Thread.onSpinWait();
            return isOnTop();
        });
        Fiber<Boolean> first = light(() -> {
            ping.release();
            return never.tryAcquire(1, TimeUnit.MILLISECONDS);
        });
        assertFalse(first.get());
        assertTrue(second.get());
    }

    @Test
    void whoIsBelowIsCancelled() throws Exception {
        var ping = new Semaphore(0);
        var never = new Semaphore(0);
        var onTop = new CountDownLatch(1);
        var enough = new CountDownLatch(1);
        Fiber<Boolean> second = waiting(() -> {
            ping.acquire();
            onTop.countDown();
            enough.await(); // its thread
            return isOnTop();
        });
        var interrupted = new AtomicBoolean();
        Fiber<Boolean> first = light(() -> {
            ping.release();
            try {
                never.acquire();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
            return true;
        });
        onTop.await();
        assertEquals(Fiber.Status.WAITING, first.status());
        assertTrue(first.cancel(true));
        enough.countDown();
        assertTrue(second.get());
        scheduler.awaitIdle();
        awaitStatus(first, Fiber.Status.DONE);
        assertTrue(interrupted.get());
    }

    /** The slot goes to another thread meanwhile; both fibers stay with theirs. */
    @Test
    void whoIsOnTopMayBlockTheThread() throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        var onTop = new CountDownLatch(1);
        var enough = new CountDownLatch(1);
        Fiber<Boolean> second = waiting(() -> {
            ping.acquire();
            return Fiber.blocking(() -> {
                onTop.countDown();
                enough.await();
                return isOnTop();
            });
        });
        Fiber<Boolean> first = light(() -> {
            ping.release();
            pong.acquire();
            return isOnTop();
        });
        onTop.await();
        pong.release();
        assertEquals("another", Fiber.go(scheduler, () -> "another").get());
        assertEquals(Fiber.Status.WAITING, first.status());
        enough.countDown();
        assertTrue(second.get());
        assertFalse(first.get());
    }

    @Test
    void shutdownReachesBoth() throws Exception {
        var own = Schedulers.start(1);
        var ping = new Semaphore(0);
        var never = new Semaphore(0);
        var onTop = new CountDownLatch(1);
        var interrupts = new AtomicInteger();
        Callable<Boolean> waits = () -> {
            try {
                never.acquire();
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
            return true;
        };
        Fiber<Boolean> second = light(own, () -> {
            ping.acquire();
            onTop.countDown();
            return waits.call();
        });
        awaitStatus(second, Fiber.Status.WAITING);
        Fiber<Boolean> first = light(own, () -> {
            ping.release();
            return waits.call();
        });
        onTop.await();
        own.shutdownNow();
        Schedulers.close(own);
        assertEquals(2, interrupts.get());
        assertTrue(first.isDone() && second.isDone());
    }

    /** Q7 of OnTop: who is told of a cancellation may suspend, and must not find itself in the middle of another's wait. */
    @Test
    void callbacksOfAShutdownMaySuspend() throws Exception {
        for (int round = 0; round < 20; round++) {
            var own = Schedulers.start(1);
            var never = new Semaphore(0);
            var told = new AtomicInteger();
            var all = new Fiber<?>[20];
            for (int i = 0; i < all.length; i++) {
                all[i] = light(own, () -> {
                    for (int lap = 0; lap < 10; lap++) Fiber.yield();
                    never.acquire();
                    return true;
                });
                all[i].toCompletableFuture().whenComplete((_, _) -> {
                    told.incrementAndGet();
                    Fiber.yield();
                });
            }
            for (int i = 0; i < round % 7; i++) Thread.onSpinWait();
            own.shutdownNow();
            Schedulers.close(own);
            assertEquals(all.length, told.get());
        }
    }

    // ---- the others ------------------------------------------------------------------------------------------------

    /** Q5 of OnTop: two that only wake each other leave room for everybody else of their thread and their worker. */
    @Test
    void nobodyStarvesBesideAPair() throws Exception {
        var enough = new AtomicBoolean();
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        Fiber<Boolean> echo = echoing(there, back);
        Fiber<Integer> asking = light(() -> {
            int rounds = 0;
            for (; !enough.get(); rounds++) {
                there.send(rounds);
                back.receive();
            }
            there.close();
            return rounds;
        });
        Callable<Boolean> yields = () -> {
            for (int i = 0; i < 1_000; i++) Fiber.yield();
            return true;
        };
        Fiber<Boolean> bound = light(yields);
        Fiber<Boolean> virtual = Fiber.go(scheduler, yields);
        Fiber<Boolean> sleeper = light(() -> {
            Fiber.sleep(Duration.ofMillis(2));
            return true;
        });
        var task = new CountDownLatch(1);
        scheduler.execute(task::countDown);
        assertTrue(bound.get() && virtual.get() && sleeper.get());
        task.await();
        enough.set(true);
        assertTrue(asking.get() > 0);
        assertTrue(echo.get());
    }

    /**
     * Q5 of OnTop: how many round trips a pair makes between two turns of another fiber. No other thread may stand in for one that had
     * no processor for long: what that one had queued would wait for a 61st pick.
     */
    @ParameterizedTest
    @EnumSource
    void aPairGoesAheadOfOthersOnce(Fiber.Kind kind) throws Exception {
        Schedulers.close(scheduler);
        scheduler = Schedulers.start(Scheduler.builder().workers(1).maxSpareCarriers(0));
        var enough = new AtomicBoolean();
        var rounds = new AtomicInteger();
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        Fiber<Boolean> echo = echoing(there, back);
        Fiber<Boolean> asking = light(() -> {
            while (!enough.get()) {
                there.send(rounds.incrementAndGet());
                back.receive();
            }
            there.close();
            return true;
        });
        Fiber<Integer> beside = Fiber.builder().on(scheduler).kind(kind).start(() -> {
            int most = 0;
            for (int i = 0; i < 10_000; i++) {
                int before = rounds.get();
                Fiber.yield();
                most = Math.max(most, rounds.get() - before);
            }
            return most;
        });
        int most = beside.get();
        enough.set(true);
        assertTrue(asking.get() && echo.get());
        assertTrue(most <= 2, most + " round trips in a row");
    }

    @Test
    void whoOnlyWaitsForOthersIsNotTriedAgainAndAgain() throws Exception {
        int crowd = 64;
        var turns = new Semaphore[crowd];
        Arrays.setAll(turns, _ -> new Semaphore(0));
        var seen = new AtomicInteger();
        var all = new Fiber<?>[crowd];
        for (int i = 0; i < crowd; i++) {
            int number = i;
            all[i] = waiting(() -> {
                for (int lap = 0; lap < 1_000; lap++) {
                    turns[number].acquire();
                    if (isOnTop()) seen.incrementAndGet();
                    turns[(number + 1) % crowd].release();
                }
                return null;
            });
        }
        turns[0].release();
        for (Fiber<?> each : all) assertNull(each.get());
        assertTrue(seen.get() > 0);
        assertTrue(seen.get() < 1_000 * crowd / 4, () -> seen + " of " + 1_000 * crowd + " hops in vain");
    }
}
