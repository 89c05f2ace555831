package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import dev.coir.testing.Crowd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every lock that spins promises. Run over each of them by the subclasses. */
abstract class BusyLockContract {
    final BusyLock lock;
    private final String name;

    BusyLockContract(BusyLock lock) {
        this.lock = lock;
        this.name = lock.getClass().getSimpleName();
    }

    final boolean isLocked() {
        return switch (lock) {
            case SpinLock spin -> spin.isLocked();
            case McsLock mcs -> mcs.isLocked();
        };
    }

    @Test
    void fourThreadsCountWithoutLosingOne() throws Exception {
        count(Thread.ofPlatform().daemon().factory());
    }

    @Test
    void fourVirtualThreadsCountWithoutLosingOne() throws Exception {
        count(Thread.ofVirtual().factory());
    }

    private void count(ThreadFactory kind) throws Exception {
        int each = 4_000;
        long[] counter = {0};
        Crowd.run(4, kind, i -> {
            for (int n = 0; n < each; n++) {
                lock.lock();
                counter[0]++;
                lock.unlock();
            }
        });
        assertEquals(4L * each, counter[0]);
        assertFalse(isLocked());
    }

    @Test
    void everyWayToLockExcludesEveryOther() throws Exception {
        int each = 2_000;
        long[] counter = {0};
        Crowd.run(4, i -> {
            for (int n = 0; n < each; n++) {
                switch (i) {
                    case 0 -> lock.lock();
                    case 1 -> lock.lockInterruptibly();
                    case 2 -> assertTrue(lock.tryLock(1, TimeUnit.HOURS));
                    default -> Crowd.until(lock::tryLock);
                }
                counter[0]++;
                lock.unlock();
            }
        });
        assertEquals(4L * each, counter[0]);
    }

    @Test
    void aLockTakenAndReleasedIsFreeAgain() {
        for (int i = 0; i < 3; i++) {
            assertFalse(isLocked());
            lock.lock();
            assertTrue(isLocked());
            assertTrue(lock.isHeldByCurrentThread());
            lock.unlock();
            assertFalse(lock.isHeldByCurrentThread());
        }
        assertTrue(lock.tryLock());
        lock.unlock();
        assertFalse(isLocked());
    }

    @Test
    void lockingAgainIsRefusedAndTheLockStaysHeld() {
        lock.lock();
        String text = name + "[held by " + Thread.currentThread()
                + "] is not reentrant: the calling thread holds it already; use Mutex";
        assertEquals(text, assertThrows(IllegalStateException.class, lock::lock).getMessage());
        assertEquals(
                text,
                assertThrows(IllegalStateException.class, lock::lockInterruptibly)
                        .getMessage());
        assertEquals(
                text,
                assertThrows(IllegalStateException.class, () -> lock.tryLock(1, TimeUnit.HOURS))
                        .getMessage());
        assertFalse(lock.tryLock());
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
        assertFalse(isLocked());
    }

    @Test
    void lockingAgainFromInsideACoroutineOfTheSameThreadIsRefusedNotDeadlocked() {
        lock.lock();
        Coroutine.of(() -> assertThrows(IllegalStateException.class, lock::lock))
                .resume();
        lock.unlock();
    }

    @Test
    void unlockOfAFreeLockIsRefused() {
        var refusal = assertThrows(IllegalMonitorStateException.class, lock::unlock);
        assertEquals(
                "unlock of " + name + "[free] by a thread that does not hold it: " + Thread.currentThread()
                        + "; the thread that locked must unlock",
                refusal.getMessage());
        assertTrue(lock.tryLock());
        lock.unlock();
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    }

    @Test
    void unlockByAStrangerIsRefusedAndTheLockStaysHeld() throws Exception {
        lock.lock();
        Thread holder = Thread.currentThread();
        Crowd.onAnotherThread(i -> {
            var refusal = assertThrows(IllegalMonitorStateException.class, lock::unlock);
            assertEquals(
                    "unlock of " + name + "[held by " + holder + "] by a thread that does not hold it: "
                            + Thread.currentThread() + "; the thread that locked must unlock",
                    refusal.getMessage());
            assertFalse(lock.isHeldByCurrentThread());
            assertFalse(lock.tryLock());
        });
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
    }

    @Test
    void aTimedTryExpiresNotBeforeItsTime() throws Exception {
        lock.lock();
        Crowd.onAnotherThread(i -> {
            long start = System.nanoTime();
            assertFalse(lock.tryLock(5, TimeUnit.MILLISECONDS));
            assertTrue(System.nanoTime() - start >= 5_000_000);
            assertFalse(lock.tryLock(0, TimeUnit.NANOSECONDS));
            assertFalse(lock.tryLock(-1, TimeUnit.DAYS));
        });
        lock.unlock();
    }

    @Test
    void aTimedTryOfAFreeLockSucceedsEvenWithNoTime() throws Exception {
        for (long time : new long[] {0, -1, Long.MAX_VALUE}) {
            assertTrue(lock.tryLock(time, TimeUnit.SECONDS));
            lock.unlock();
        }
    }

    @Test
    void aTimedTryGetsTheLockWhenItIsReleased() throws Exception {
        lock.lock();
        var trying = new CountDownLatch(1);
        var waiter = Crowd.start("waiter", i -> {
            trying.countDown();
            assertTrue(lock.tryLock(1, TimeUnit.HOURS));
            lock.unlock();
        });
        trying.await();
        lock.unlock();
        waiter.get();
        assertFalse(isLocked());
    }

    @Test
    void anInterruptBeforehandLeavesAFreeLockFree() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, lock::lockInterruptibly);
        assertFalse(Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> lock.tryLock(1, TimeUnit.HOURS));
        assertFalse(Thread.currentThread().isInterrupted());
        assertFalse(isLocked());
    }

    @Test
    void anInterruptWhileWaitingEndsTheWait() throws Exception {
        lock.lock();
        var trying = new CountDownLatch(1);
        Thread[] thread = new Thread[1];
        var waiter = Crowd.start("waiter", i -> {
            thread[0] = Thread.currentThread();
            trying.countDown();
            assertThrows(InterruptedException.class, lock::lockInterruptibly);
            assertFalse(lock.isHeldByCurrentThread());
        });
        trying.await();
        thread[0].interrupt();
        waiter.get();
        lock.unlock();
        assertTrue(lock.tryLock());
        lock.unlock();
    }

    @Test
    void anInterruptDoesNotEndAPlainLock() throws Exception {
        lock.lock();
        var trying = new CountDownLatch(1);
        var waiter = Crowd.start("waiter", i -> {
            Thread.currentThread().interrupt();
            trying.countDown();
            lock.lock();
            assertTrue(Thread.interrupted(), "the interrupt is still there");
            lock.unlock();
        });
        trying.await();
        lock.unlock();
        waiter.get();
    }

    @Test
    void conditionsAreRefused() {
        var refusal = assertThrows(UnsupportedOperationException.class, lock::newCondition);
        assertEquals(name + " has no conditions; use Mutex", refusal.getMessage());
    }

    @Test
    void itsTextTellsWhoHoldsIt() {
        assertEquals(name + "[free]", lock.toString());
        lock.lock();
        assertEquals(name + "[held by " + Thread.currentThread() + "]", lock.toString());
        lock.unlock();
        assertEquals(name + "[free]", lock.toString());
    }
}
