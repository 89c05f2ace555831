package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of the conditions of every lock. */
@SuppressWarnings({"WaitNotInLoop", "JavaUtilDate"}) // single waits, on purpose
abstract class ConditionContract extends SyncContract {
    abstract Lock lock();

    abstract int holds();

    abstract int waiting(Condition condition);

    abstract boolean hasWaiters(Condition condition);

    abstract Collection<Thread> waitingThreads(Condition condition);

    abstract Condition ofAnother();

    private final void locked(Body body) throws Exception {
        lock().lock();
        try {
            body.run();
        } finally {
            lock().unlock();
        }
    }

    private void untilWaiting(Condition condition, int number) {
        Crowd.until(() -> {
            lock().lock();
            try {
                return waiting(condition) == number;
            } finally {
                lock().unlock();
            }
        });
    }

    /** It sleeps on until it has the lock, but what it waits for is another thing. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void oneWhoIsSignalledIsShownToWaitForTheLock(Fiber.Kind kind) throws Exception {
        Condition condition = lock().newCondition();
        Fiber<Integer> waits = Fiber.builder().on(scheduler()).kind(kind).start(() -> {
            lock().lock();
            try {
                condition.await();
                return 1;
            } finally {
                lock().unlock();
            }
        });
        Crowd.until(() -> waits.status() == Fiber.Status.WAITING);
        String reason = waits.waitReason().orElseThrow();
        assertTrue(reason.startsWith("condition of a"), reason);
        locked(() -> {
            condition.signal();
            String now = waits.waitReason().orElseThrow();
            assertTrue(now.contains("lock of a"), now);
            assertTrue(waits.toString().endsWith("WAITING in " + now + "]"), waits::toString);
        });
        assertEquals(1, waits.join());
        assertTrue(waits.waitReason().isEmpty());
    }

    @Test
    void aSignalWakesTheOneWhoWaitsLongest() throws Exception {
        Condition condition = lock().newCondition();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            waiters.add(either(
                    i,
                    () -> locked(() -> {
                        condition.await();
                        order.add(number);
                    })));
            untilWaiting(condition, i + 1);
        }
        for (int i = 0; i < 4; i++) {
            second(() -> locked(condition::signal)).join();
            waiters.get(i).join();
            assertEquals(i + 1, order.size());
        }
        assertEquals(List.of(0, 1, 2, 3), order);
    }

    @Test
    void signalAllWakesAllInTheirOrder() throws Exception {
        Condition condition = lock().newCondition();
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) waiters.add(either(i, () -> locked(condition::await)));
        untilWaiting(condition, 6);
        second(() -> locked(() -> {
                    assertTrue(hasWaiters(condition));
                    condition.signalAll();
                    assertFalse(hasWaiters(condition));
                }))
                .join();
        for (Running each : waiters) each.join();
    }

    @Test
    void whoWaitsIsSeen() throws Exception {
        Condition condition = lock().newCondition();
        Running waiter = first(() -> locked(condition::await));
        untilWaiting(condition, 1);
        locked(() -> {
            assertTrue(hasWaiters(condition));
            assertEquals(
                    waiter.thread() == null ? List.of() : List.of(waiter.thread()),
                    List.copyOf(waitingThreads(condition)));
            assertThrows(IllegalArgumentException.class, () -> waiting(ofAnother()));
            assertThrows(NullPointerException.class, () -> waiting(null));
            condition.signal();
        });
        waiter.join();
        assertThrows(IllegalMonitorStateException.class, () -> waiting(condition));
        assertThrows(IllegalMonitorStateException.class, () -> waitingThreads(condition));
    }

    @Test
    void withoutTheLockEverythingIsRefused() throws Exception {
        Condition condition = lock().newCondition();
        inFirst(() -> {
            assertThrows(IllegalMonitorStateException.class, condition::await);
            assertThrows(IllegalMonitorStateException.class, condition::awaitUninterruptibly);
            assertThrows(IllegalMonitorStateException.class, () -> condition.awaitNanos(1));
            assertThrows(IllegalMonitorStateException.class, () -> condition.awaitNanos(Long.MAX_VALUE));
            assertThrows(IllegalMonitorStateException.class, () -> condition.await(1, TimeUnit.SECONDS));
            assertThrows(IllegalMonitorStateException.class, () -> condition.awaitUntil(new Date()));
            assertThrows(IllegalMonitorStateException.class, condition::signal);
            assertThrows(IllegalMonitorStateException.class, condition::signalAll);
        });
    }

    @Test
    void allHoldsAreReleasedAndTakenBack() throws Exception {
        Condition condition = lock().newCondition();
        Running waiter = first(() -> {
            for (int i = 0; i < 3; i++) lock().lock();
            condition.await();
            assertEquals(3, holds());
            condition.awaitNanos(1);
            assertEquals(3, holds());
            for (int i = 0; i < 3; i++) lock().unlock();
            assertEquals(0, holds());
        });
        untilWaiting(condition, 1);
        second(() -> locked(condition::signal)).join();
        waiter.join();
    }

    @Test
    void aTimeOutTellsHowMuchTimeIsLeft() throws Exception {
        Condition condition = lock().newCondition();
        inFirst(() -> locked(() -> {
            long start = System.nanoTime();
            assertTrue(condition.awaitNanos(1_000_000) <= 0);
            assertTrue(System.nanoTime() - start >= 1_000_000);
            assertTrue(condition.awaitNanos(0) <= 0);
            assertTrue(condition.awaitNanos(-7) <= 0);
            assertTrue(condition.awaitNanos(Long.MIN_VALUE) <= 0);
            assertFalse(condition.await(100, TimeUnit.MICROSECONDS));
            assertFalse(condition.await(-1, TimeUnit.DAYS));
            assertFalse(condition.awaitUntil(new Date(System.currentTimeMillis() + 2)));
            assertFalse(condition.awaitUntil(new Date(0)));
            assertFalse(condition.awaitUntil(new Date(Long.MIN_VALUE)));
            assertThrows(NullPointerException.class, () -> condition.await(1, null));
            assertThrows(NullPointerException.class, () -> condition.awaitUntil(null));
            assertEquals(1, holds());
            assertEquals(0, waiting(condition));
        }));
    }

    @Test
    void aSignalInTimeTellsSo() throws Exception {
        Condition condition = lock().newCondition();
        long day = TimeUnit.DAYS.toNanos(1);
        List<Body> waits = List.of(
                () -> {
                    long left = condition.awaitNanos(day);
                    assertTrue(left > 0 && left <= day, () -> "left: " + left);
                },
                () -> assertTrue(condition.awaitNanos(Long.MAX_VALUE) > 0),
                () -> assertTrue(condition.await(1, TimeUnit.DAYS)),
                () -> assertTrue(condition.await(Long.MAX_VALUE, TimeUnit.DAYS)),
                () -> assertTrue(condition.awaitUntil(new Date(System.currentTimeMillis() + 86_400_000))),
                () -> assertTrue(condition.awaitUntil(new Date(Long.MAX_VALUE))),
                condition::awaitUninterruptibly);
        for (Body wait : waits) {
            Running waiter = first(() -> locked(wait));
            untilWaiting(condition, 1);
            second(() -> locked(condition::signal)).join();
            waiter.join();
        }
    }

    @Test
    void anInterruptBeforehandIsTakenAndTheLockKept() throws Exception {
        Condition condition = lock().newCondition();
        inFirst(() -> locked(() -> {
            List<Body> waits = List.of(
                    condition::await,
                    () -> condition.awaitNanos(0),
                    () -> condition.await(1, TimeUnit.DAYS),
                    () -> condition.awaitUntil(new Date(Long.MAX_VALUE)));
            for (Body wait : waits) {
                Thread.currentThread().interrupt();
                assertInterrupted(wait::run);
                assertEquals(1, holds());
                assertEquals(0, waiting(condition));
            }
        }));
    }

    @Test
    void anInterruptEndsTheWaitAndTheLockIsTakenBack() throws Exception {
        Condition condition = lock().newCondition();
        List<Body> waits = List.of(
                condition::await,
                () -> condition.awaitNanos(Long.MAX_VALUE),
                () -> condition.await(1, TimeUnit.DAYS),
                () -> condition.awaitUntil(new Date(Long.MAX_VALUE)));
        for (Body wait : waits) {
            Running waiter = first(() -> locked(() -> {
                assertInterrupted(wait::run);
                assertEquals(1, holds());
            }));
            untilWaiting(condition, 1);
            waiter.interrupt();
            waiter.join();
        }
    }

    @Test
    void anInterruptDoesNotEndAnUninterruptibleWaitAndIsRemembered() throws Exception {
        Condition condition = lock().newCondition();
        Running waiter = first(() -> locked(() -> {
            condition.awaitUninterruptibly();
            assertTrue(tookInterrupt());
            assertEquals(1, holds());
        }));
        untilWaiting(condition, 1);
        waiter.interrupt();
        waiter.untilWaiting();
        untilWaiting(condition, 1);
        second(() -> locked(condition::signal)).join();
        waiter.join();
    }

    /** The signal came first: the wait ends as signalled, and the interrupt is still there. */
    @Test
    void anInterruptAfterTheSignalIsRemembered() throws Exception {
        Condition condition = lock().newCondition();
        Running waiter = first(() -> locked(() -> {
            condition.await();
            assertTrue(tookInterrupt());
            assertEquals(1, holds());
        }));
        untilWaiting(condition, 1);
        locked(() -> {
            condition.signal();
            waiter.interrupt();
        });
        waiter.join();
    }

    /** Two wait, and the first gives up just when a signal comes: if it was not woken by it, the other was. */
    @Test
    void noSignalIsLostToOneWhoGivesUp() throws Exception {
        for (int round = 0; round < 20; round++) {
            boolean byTime = round % 2 == 0;
            Condition condition = lock().newCondition();
            var waiting = new AtomicInteger(); // counted under the lock: who is counted waits, or has given up
            var wokeHasty = new AtomicBoolean();
            Running hasty = first(() -> locked(() -> {
                waiting.incrementAndGet();
                try {
                    if (byTime) wokeHasty.set(condition.await(200, TimeUnit.MICROSECONDS));
                    else condition.await();
                    if (!byTime) wokeHasty.set(true);
                } catch (InterruptedException e) {
                    assertFalse(byTime);
                }
                assertEquals(1, holds());
            }));
            Crowd.until(() -> waiting.get() == 1);
            Running patient = second(() -> locked(() -> {
                waiting.incrementAndGet();
                condition.await();
            }));
            Crowd.until(() -> waiting.get() == 2);
            Running signals = second(() -> locked(condition::signal));
            if (!byTime) hasty.interrupt();
            signals.join();
            hasty.join();
            if (wokeHasty.get()) second(() -> locked(condition::signal)).join();
            patient.join();
        }
    }

    /** The classic: a buffer of two, many who put and take, some of whom give up now and then. */
    @Test
    void aBufferPassesEveryValueOn() throws Exception {
        Condition notFull = lock().newCondition();
        Condition notEmpty = lock().newCondition();
        Queue<Integer> buffer = new ArrayDeque<>();
        var sum = new AtomicInteger();
        List<Running> all = new ArrayList<>();
        int each = 60;
        for (int i = 0; i < 4; i++) {
            boolean hasty = i % 2 == 0;
            all.add(either(i, () -> {
                for (int value = 1; value <= each; value++) {
                    int mine = value;
                    locked(() -> {
                        while (buffer.size() == 2) waitFor(notFull, hasty);
                        buffer.add(mine);
                        notEmpty.signal();
                    });
                }
            }));
            all.add(either(i + 1, () -> {
                for (int value = 1; value <= each; value++) {
                    locked(() -> {
                        while (buffer.isEmpty()) waitFor(notEmpty, hasty);
                        sum.addAndGet(buffer.remove());
                        notFull.signal();
                    });
                }
            }));
        }
        for (Running running : all) running.join();
        assertEquals(4 * each * (each + 1) / 2, sum.get());
        assertTrue(buffer.isEmpty());
    }

    private static void waitFor(Condition condition, boolean hasty) throws InterruptedException {
        if (hasty) condition.awaitNanos(20_000);
        else condition.await();
    }
}
