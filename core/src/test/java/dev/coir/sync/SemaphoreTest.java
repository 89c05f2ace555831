package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SemaphoreTest extends SyncContract {
    private static List<Semaphore> of(int permits) {
        return List.of(new Semaphore(permits), new Semaphore(permits, true));
    }

    private static void untilQueued(Semaphore semaphore, int number) {
        Crowd.until(() -> semaphore.getQueueLength() == number);
    }

    @Test
    void noMoreAreInsideThanThereArePermits() throws Exception {
        for (Semaphore semaphore : of(2)) {
            var inside = new AtomicInteger();
            List<Running> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int wanted = 1 + i % 2;
                all.add(either(i, () -> {
                    for (int j = 0; j < 50; j++) {
                        semaphore.acquire(wanted);
                        int now = inside.addAndGet(wanted);
                        if (j % 5 == 0) Fiber.yield();
                        assertTrue(now <= 2, () -> "inside: " + now);
                        inside.addAndGet(-wanted);
                        semaphore.release(wanted);
                    }
                }));
            }
            for (Running each : all) each.join();
            assertEquals(2, semaphore.availablePermits());
            assertEquals(0, semaphore.getQueueLength());
        }
    }

    @Test
    void whoWaitsGetsWhatIsReleasedByAnybody() throws Exception {
        for (Semaphore semaphore : of(0)) {
            Running waiter = first(() -> semaphore.acquire());
            untilQueued(semaphore, 1);
            waiter.untilWaiting();
            assertTrue(semaphore.hasQueuedThreads());
            assertEquals(
                    waiter.thread() == null ? List.of() : List.of(waiter.thread()),
                    List.copyOf(semaphore.getQueuedThreads()));
            second(semaphore::release).join();
            waiter.join();
            Running uninterruptible = first(() -> {
                semaphore.acquireUninterruptibly(3);
                assertTrue(tookInterrupt());
            });
            untilQueued(semaphore, 1);
            uninterruptible.interrupt();
            second(() -> semaphore.release(3)).join();
            uninterruptible.join();
            assertEquals(0, semaphore.availablePermits());
        }
    }

    @Test
    void onePermitAfterTheOtherReachesAllWhoWait() throws Exception {
        for (Semaphore semaphore : of(0)) {
            List<Running> waiters = new ArrayList<>();
            for (int i = 0; i < 5; i++) waiters.add(either(i, semaphore::acquire));
            untilQueued(semaphore, 5);
            second(() -> semaphore.release(5)).join();
            for (Running each : waiters) each.join();
            assertEquals(0, semaphore.availablePermits());
        }
    }

    @Test
    void aFairOneIsFirstComeFirstServedAlsoWhenTheFirstWantsMore() throws Exception {
        var semaphore = new Semaphore(0, true);
        assertTrue(semaphore.isFair());
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Running> waiters = new ArrayList<>();
        int[] wanted = {3, 1, 2};
        for (int i = 0; i < wanted.length; i++) {
            int number = i;
            waiters.add(either(i, () -> {
                semaphore.acquire(wanted[number]);
                order.add(number);
            }));
            untilQueued(semaphore, i + 1);
        }
        second(() -> {
                    semaphore.release(2);
                    assertFalse(semaphore.tryAcquire(1, 0, TimeUnit.SECONDS), "others wait");
                    assertTrue(semaphore.tryAcquire(1), "barges, as documented");
                    semaphore.release();
                })
                .join();
        assertEquals(2, semaphore.availablePermits(), "the first wants three, and nobody overtakes it");
        assertEquals(3, semaphore.getQueueLength());
        for (int i = 0; i < wanted.length; i++) {
            semaphore.release(i == 0 ? 1 : wanted[i]);
            waiters.get(i).join();
        }
        assertEquals(List.of(0, 1, 2), order);
    }

    /** The first in line wants more than there is; when it gives up, the next gets what is there. */
    @Test
    void whoGivesUpLetsTheNextPass() throws Exception {
        for (Semaphore semaphore : of(1)) {
            for (boolean byTime : new boolean[] {true, false}) {
                Running greedy = first(() -> {
                    if (byTime) assertFalse(semaphore.tryAcquire(5, 2, TimeUnit.MILLISECONDS));
                    else assertInterrupted(() -> semaphore.acquire(5));
                });
                if (!byTime) untilQueued(semaphore, 1);
                Running modest = second(() -> {
                    semaphore.acquire();
                    semaphore.release();
                });
                if (!byTime) {
                    if (semaphore.isFair()) untilQueued(semaphore, 2);
                    else modest.join();
                    greedy.interrupt();
                }
                greedy.join();
                modest.join();
                assertEquals(1, semaphore.availablePermits());
            }
        }
    }

    @Test
    void anInterruptBeforehandIsTakenAndNoPermitIs() throws Exception {
        var semaphore = new Semaphore(9);
        inFirst(() -> {
            Thread.currentThread().interrupt();
            assertInterrupted(semaphore::acquire);
            Thread.currentThread().interrupt();
            assertInterrupted(() -> semaphore.acquire(2));
            Thread.currentThread().interrupt();
            assertInterrupted(() -> semaphore.tryAcquire(1, TimeUnit.DAYS));
            Thread.currentThread().interrupt();
            assertInterrupted(() -> semaphore.tryAcquire(2, 0, TimeUnit.DAYS));
            Thread.currentThread().interrupt();
            assertTrue(semaphore.tryAcquire());
            semaphore.acquireUninterruptibly();
            assertTrue(tookInterrupt());
        });
        assertEquals(7, semaphore.availablePermits());
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        for (Semaphore semaphore : of(0)) {
            List<Body> waits = List.of(
                    semaphore::acquire,
                    () -> semaphore.acquire(2),
                    () -> semaphore.tryAcquire(1, TimeUnit.DAYS),
                    () -> semaphore.tryAcquire(2, 1, TimeUnit.DAYS));
            for (Body wait : waits) {
                Running waiter = first(() -> assertInterrupted(wait::run));
                untilQueued(semaphore, 1);
                waiter.interrupt();
                waiter.join();
                assertEquals(0, semaphore.getQueueLength());
            }
            assertEquals(0, semaphore.availablePermits());
        }
    }

    @Test
    void aTimeOutEndsTheWait() throws Exception {
        for (Semaphore semaphore : of(0)) {
            inFirst(() -> {
                long start = System.nanoTime();
                assertFalse(semaphore.tryAcquire(1, TimeUnit.MILLISECONDS));
                assertTrue(System.nanoTime() - start >= 1_000_000);
                assertFalse(semaphore.tryAcquire(-1, TimeUnit.DAYS));
                assertFalse(semaphore.tryAcquire(2, Long.MIN_VALUE, TimeUnit.DAYS));
            });
            Running patient = first(() -> assertTrue(semaphore.tryAcquire(2, Long.MAX_VALUE, TimeUnit.DAYS)));
            untilQueued(semaphore, 1);
            second(() -> semaphore.release(2)).join();
            patient.join();
        }
    }

    /** One permit, one waiter that is interrupted or late: the permit goes to it or stays, never both nor neither. */
    @Test
    void cancelRacingReleaseKeepsThePermit() throws Exception {
        for (Semaphore semaphore : of(0)) {
            for (int round = 0; round < 20; round++) {
                boolean byTime = round % 2 == 0;
                var got = new AtomicInteger();
                Running waiter = first(() -> {
                    try {
                        if (byTime) {
                            if (semaphore.tryAcquire(100, TimeUnit.MICROSECONDS)) got.incrementAndGet();
                        } else {
                            semaphore.acquire();
                            got.incrementAndGet();
                        }
                    } catch (InterruptedException e) {
                        assertFalse(byTime);
                    }
                });
                if (!byTime) untilQueued(semaphore, 1);
                Running releases = second(semaphore::release);
                if (!byTime) waiter.interrupt();
                releases.join();
                waiter.join();
                assertEquals(1, got.get() + semaphore.drainPermits());
                assertEquals(0, semaphore.getQueueLength());
            }
        }
    }

    @Test
    void permitsAreCountedAsInTheJdk() {
        var semaphore = new Semaphore(-2);
        assertEquals(-2, semaphore.availablePermits());
        assertFalse(semaphore.tryAcquire());
        assertFalse(semaphore.tryAcquire(0), "even none is more than there is");
        semaphore.release(3);
        assertTrue(semaphore.tryAcquire(0));
        assertTrue(semaphore.tryAcquire(1));
        semaphore.release(5);
        assertEquals(5, semaphore.drainPermits());
        semaphore.reducePermits(4);
        assertEquals(-4, semaphore.drainPermits());
        assertEquals(0, semaphore.availablePermits());
        assertTrue(semaphore.toString().contains("[Permits = 0]"), semaphore::toString);
        for (int negative : new int[] {-1, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> semaphore.acquire(negative));
            assertThrows(IllegalArgumentException.class, () -> semaphore.acquireUninterruptibly(negative));
            assertThrows(IllegalArgumentException.class, () -> semaphore.tryAcquire(negative));
            assertThrows(IllegalArgumentException.class, () -> semaphore.tryAcquire(negative, 1, TimeUnit.DAYS));
            assertThrows(IllegalArgumentException.class, () -> semaphore.release(negative));
            assertThrows(IllegalArgumentException.class, () -> semaphore.reducePermits(negative));
        }
        assertThrows(NullPointerException.class, () -> semaphore.tryAcquire(1, null));
        var full = new Semaphore(Integer.MAX_VALUE);
        assertThrows(Error.class, full::release);
        assertEquals(Integer.MAX_VALUE, full.availablePermits());
        var empty = new Semaphore(Integer.MIN_VALUE);
        assertThrows(Error.class, () -> empty.reducePermits(1));
        assertFalse(empty.tryAcquire(Integer.MAX_VALUE));
    }

    @Test
    void drainingADebtLetsThoseWhoWaitForNothingPass() throws Exception {
        var semaphore = new Semaphore(-1);
        Running waiter = first(() -> semaphore.acquire(0));
        untilQueued(semaphore, 1);
        assertEquals(-1, semaphore.drainPermits());
        waiter.join();
    }
}
