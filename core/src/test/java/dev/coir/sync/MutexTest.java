package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MutexTest extends SyncContract {
    private final Mutex mutex = new Mutex();
    private final Mutex fair = new Mutex(true);

    /** Holds the mutex as the first of the pairing until the latch is opened. */
    private Running held(Mutex which, Latch until) {
        Running holder = first(() -> {
            which.lock();
            until.await();
            which.unlock();
        });
        Crowd.until(which::isLocked);
        return holder;
    }

    private static void untilQueued(Mutex which, int number) {
        Crowd.until(() -> which.getQueueLength() == number);
    }

    // ---- exclusion -------------------------------------------------------------------------------------------------

    @Test
    void oneAtATimeHoldsIt() throws Exception {
        for (Mutex which : List.of(mutex, fair)) {
            int[] count = {0}; // plain on purpose
            List<Running> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                all.add(either(i, () -> {
                    for (int j = 0; j < 100; j++) {
                        which.lock();
                        int seen = count[0];
                        if (j % 8 == number) Fiber.yield();
                        count[0] = seen + 1;
                        which.unlock();
                    }
                }));
            }
            for (Running each : all) each.join();
            assertEquals(800, count[0]);
            assertFalse(which.isLocked());
            assertFalse(which.hasQueuedThreads());
        }
    }

    @Test
    void itsOwnerMayLockItAgain() throws Exception {
        inFirst(() -> {
            assertEquals(0, mutex.getHoldCount());
            for (int i = 1; i <= 5; i++) {
                switch (i) {
                    case 2 -> mutex.lockInterruptibly();
                    case 3 -> assertTrue(mutex.tryLock());
                    case 4 -> assertTrue(mutex.tryLock(0, TimeUnit.SECONDS));
                    default -> mutex.lock();
                }
                assertEquals(i, mutex.getHoldCount());
                assertTrue(mutex.isHeldByCurrentThread());
                Fiber.yield(); // it may go on elsewhere, as the same fiber
            }
            for (int i = 4; i >= 0; i--) {
                mutex.unlock();
                assertEquals(i, mutex.getHoldCount());
            }
            assertFalse(mutex.isLocked());
        });
    }

    /** Fibers share threads: what one holds the other does not. */
    @Test
    void nobodyElseIsItsOwner() throws Exception {
        var release = new Latch(1);
        held(mutex, release);
        Running other = second(() -> {
            assertFalse(mutex.isHeldByCurrentThread());
            assertEquals(0, mutex.getHoldCount());
            assertFalse(mutex.tryLock());
            assertFalse(mutex.tryLock(-1, TimeUnit.SECONDS));
            var refusal = assertThrows(IllegalMonitorStateException.class, mutex::unlock);
            assertTrue(refusal.getMessage().contains("who locked it must"), refusal::getMessage);
        });
        other.join();
        assertTrue(mutex.isLocked());
        release.countDown();
    }

    @Test
    void unlockingAFreeOneIsRefused() throws Exception {
        inFirst(() -> assertThrows(IllegalMonitorStateException.class, mutex::unlock));
        inFirst(() -> assertThrows(IllegalMonitorStateException.class, fair::unlock));
        assertFalse(mutex.isLocked());
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    @Test
    void whoWaitsGetsItWhenItIsFree() throws Exception {
        for (Mutex which : List.of(mutex, fair)) {
            var release = new Latch(1);
            Running holder = held(which, release);
            Running waiter = second(() -> {
                which.lock();
                assertTrue(which.isHeldByCurrentThread());
                which.unlock();
            });
            untilQueued(which, 1);
            assertTrue(which.hasQueuedThreads());
            if (waiter.thread() != null) {
                assertTrue(which.hasQueuedThread(waiter.thread()));
                assertEquals(List.of(waiter.thread()), List.copyOf(which.getQueuedThreads()));
            } else {
                assertEquals(List.of(), List.copyOf(which.getQueuedThreads()));
            }
            if (holder.thread() != null) {
                assertFalse(which.hasQueuedThread(holder.thread()));
                assertEquals(holder.thread(), which.getOwner());
            }
            assertThrows(NullPointerException.class, () -> which.hasQueuedThread(null));
            waiter.untilWaiting();
            release.countDown();
            waiter.join();
            holder.join();
            assertFalse(which.isLocked());
            assertNull(which.getOwner());
            assertFalse(which.hasQueuedThreads());
        }
    }

    @Test
    void aFairOneIsFirstComeFirstServed() throws Exception {
        assertTrue(fair.isFair());
        assertFalse(mutex.isFair());
        var release = new Latch(1);
        held(fair, release);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int number = i;
            waiters.add(either(i, () -> {
                fair.lock();
                order.add(number);
                fair.unlock();
            }));
            untilQueued(fair, i + 1);
        }
        release.countDown();
        for (Running each : waiters) each.join();
        assertEquals(List.of(0, 1, 2, 3, 4, 5), order);
    }

    /** The holder comes back at once, again and again; still the other gets it, for after a millisecond it is handed over. */
    @Test
    void nobodyStarves() throws Exception {
        var got = new AtomicBoolean();
        var begun = new Latch(1);
        Running greedy = first(() -> {
            while (!got.get()) {
                mutex.lock();
                begun.countDown();
                Fiber.yield(); // whoever was called finds it taken
                mutex.unlock();
            }
        });
        Running poor = second(() -> {
            begun.await();
            mutex.lock();
            got.set(true);
            mutex.unlock();
        });
        poor.join();
        greedy.join();
    }

    // ---- giving up -------------------------------------------------------------------------------------------------

    @Test
    void anInterruptBeforehandIsTakenAndTheMutexIsNot() throws Exception {
        inFirst(() -> {
            Thread.currentThread().interrupt();
            assertInterrupted(mutex::lockInterruptibly);
            Thread.currentThread().interrupt();
            assertInterrupted(() -> mutex.tryLock(1, TimeUnit.DAYS));
            Thread.currentThread().interrupt();
            assertInterrupted(() -> mutex.tryLock(0, TimeUnit.DAYS));
            assertThrows(NullPointerException.class, () -> mutex.tryLock(1, null));
        });
        assertFalse(mutex.isLocked());
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        for (Mutex which : List.of(mutex, fair)) {
            var release = new Latch(1);
            Running holder = held(which, release);
            Running waiter = second(() -> {
                assertInterrupted(which::lockInterruptibly);
                assertFalse(which.isHeldByCurrentThread());
            });
            untilQueued(which, 1);
            waiter.interrupt();
            waiter.join();
            Running timed = second(() -> assertInterrupted(() -> which.tryLock(1, TimeUnit.DAYS)));
            untilQueued(which, 1);
            timed.untilWaiting();
            timed.interrupt();
            timed.join();
            assertEquals(0, which.getQueueLength());
            release.countDown();
            holder.join();
            assertFalse(which.isLocked());
        }
    }

    @Test
    void anInterruptDoesNotEndAPlainLockAndIsRemembered() throws Exception {
        var release = new Latch(1);
        held(mutex, release);
        Running waiter = second(() -> {
            mutex.lock();
            assertTrue(tookInterrupt());
            mutex.unlock();
        });
        untilQueued(mutex, 1);
        waiter.untilWaiting();
        waiter.interrupt();
        assertEquals(1, mutex.getQueueLength());
        release.countDown();
        waiter.join();
    }

    @Test
    void aTimeOutEndsTheWait() throws Exception {
        for (Mutex which : List.of(mutex, fair)) {
            var release = new Latch(1);
            Running holder = held(which, release);
            second(() -> {
                        long start = System.nanoTime();
                        assertFalse(which.tryLock(2, TimeUnit.MILLISECONDS));
                        assertTrue(System.nanoTime() - start >= 2_000_000);
                    })
                    .join();
            assertEquals(0, which.getQueueLength());
            Running patient = second(() -> {
                assertTrue(which.tryLock(1, TimeUnit.DAYS));
                which.unlock();
            });
            untilQueued(which, 1);
            release.countDown();
            patient.join();
            holder.join();
        }
    }

    @Test
    void aTimedTryHonoursTheLineOfAFairOneAndAnUntimedDoesNot() throws Exception {
        var release = new Latch(1);
        held(fair, release);
        var turns = new Latch(1);
        Running waiter = second(() -> {
            fair.lock();
            turns.await();
            fair.unlock();
        });
        untilQueued(fair, 1);
        release.countDown();
        Crowd.until(() -> !fair.hasQueuedThreads());
        first(() -> assertFalse(fair.tryLock(0, TimeUnit.SECONDS))).join();
        turns.countDown();
        waiter.join();
        first(() -> {
                    assertTrue(fair.tryLock(0, TimeUnit.SECONDS));
                    fair.unlock();
                    assertTrue(fair.tryLock());
                    fair.unlock();
                })
                .join();
    }

    /** Interrupt or time-out against unlock: whoever wins, the mutex is not lost, and who got it knows it. */
    @Test
    void givingUpWhileItIsHandedOverLosesNothing() throws Exception {
        for (Mutex which : List.of(mutex, fair)) {
            var got = new AtomicInteger();
            for (int round = 0; round < 20; round++) {
                boolean byTime = round % 2 == 0;
                var release = new Latch(1);
                Running holder = held(which, release);
                Running waiter = second(() -> {
                    try {
                        if (byTime) {
                            if (!which.tryLock(100, TimeUnit.MICROSECONDS)) return;
                        } else {
                            which.lockInterruptibly();
                        }
                        got.incrementAndGet();
                        which.unlock();
                    } catch (InterruptedException e) {
                        assertFalse(which.isHeldByCurrentThread());
                    }
                });
                if (!byTime) untilQueued(which, 1);
                release.countDown();
                if (!byTime) waiter.interrupt();
                waiter.join();
                holder.join();
                assertFalse(which.isLocked());
                assertEquals(0, which.getQueueLength());
                assertTrue(which.tryLock());
                which.unlock();
            }
        }
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    @Test
    void itsTextTellsWhoHoldsIt() throws Exception {
        assertTrue(mutex.toString().contains("[Unlocked]"), mutex::toString);
        var release = new Latch(1);
        Running holder = held(mutex, release);
        String expected = holder.thread() == null
                ? "[Locked by Fiber["
                : "[Locked by thread " + holder.thread().getName();
        assertTrue(mutex.toString().contains(expected), mutex::toString);
        release.countDown();
    }

    @Test
    void itsQueriesAreItsOwnForReflectionToo() throws Exception {
        for (String query : List.of("hasQueuedThreads", "getQueueLength", "getQueuedThreads", "isFair")) {
            assertEquals(Mutex.class, Mutex.class.getMethod(query).getDeclaringClass());
            assertEquals(Semaphore.class, Semaphore.class.getMethod(query).getDeclaringClass());
        }
    }
}
