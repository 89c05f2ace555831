package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BarrierTest extends SyncContract {
    private static void untilWaiting(Barrier barrier, int number) {
        Crowd.until(() -> barrier.getNumberWaiting() == number);
    }

    /** Whoever waits there gets a BrokenBarrierException. */
    private Running broken(Barrier barrier, Body wait) {
        int before = barrier.getNumberWaiting();
        Running waiter = second(() -> assertThrows(BrokenBarrierException.class, wait::run));
        untilWaiting(barrier, before + 1);
        return waiter;
    }

    @Test
    void allGoOnWhenTheLastHasComeAgainAndAgain() throws Exception {
        var actions = new AtomicInteger();
        int[] crossings = {0}; // plain on purpose: written by the action, read by all after it
        var barrier = new Barrier(4, () -> {
            actions.incrementAndGet();
            crossings[0]++;
        });
        assertEquals(4, barrier.getParties());
        List<Running> all = new ArrayList<>();
        List<Set<Integer>> indices = new ArrayList<>();
        for (int round = 0; round < 10; round++) indices.add(new ConcurrentSkipListSet<>());
        for (int i = 0; i < 4; i++) {
            boolean timed = i == 3;
            all.add(either(i, () -> {
                for (int round = 0; round < 10; round++) {
                    int index = timed ? barrier.await(1, TimeUnit.DAYS) : barrier.await();
                    indices.get(round).add(index);
                    assertTrue(crossings[0] > round);
                }
            }));
        }
        for (Running each : all) each.join();
        for (Set<Integer> each : indices) assertEquals(new TreeSet<>(List.of(0, 1, 2, 3)), each);
        assertEquals(10, actions.get());
        assertEquals(0, barrier.getNumberWaiting());
        assertFalse(barrier.isBroken());
    }

    @Test
    void onePartyPassesAlone() throws Exception {
        var barrier = new Barrier(1);
        inFirst(() -> {
            assertEquals(0, barrier.await());
            assertEquals(0, barrier.await(0, TimeUnit.SECONDS));
        });
    }

    @Test
    void anInterruptBreaksItForAll() throws Exception {
        var barrier = new Barrier(3);
        Running other = broken(barrier, barrier::await);
        Running interrupted = first(() -> assertInterrupted(barrier::await));
        untilWaiting(barrier, 2);
        interrupted.interrupt();
        interrupted.join();
        other.join();
        assertTrue(barrier.isBroken());
        assertEquals(0, barrier.getNumberWaiting());
        inFirst(() -> assertThrows(BrokenBarrierException.class, barrier::await));
        inFirst(() -> assertThrows(BrokenBarrierException.class, () -> barrier.await(1, TimeUnit.DAYS)));
    }

    @Test
    void anInterruptBeforehandBreaksItToo() throws Exception {
        var barrier = new Barrier(2);
        Running other = broken(barrier, () -> barrier.await(1, TimeUnit.DAYS));
        inFirst(() -> {
            Thread.currentThread().interrupt();
            assertInterrupted(barrier::await);
        });
        other.join();
        assertTrue(barrier.isBroken());
    }

    @Test
    void aTimeOutBreaksItForAll() throws Exception {
        for (long nanos : new long[] {1_000_000, 0, -1, Long.MIN_VALUE}) {
            var barrier = new Barrier(3);
            Running other = broken(barrier, barrier::await);
            inFirst(() -> assertThrows(TimeoutException.class, () -> barrier.await(nanos, TimeUnit.NANOSECONDS)));
            other.join();
            assertTrue(barrier.isBroken());
        }
    }

    @Test
    void aThrowingActionBreaksItAndLeavesWithTheLast() throws Exception {
        var thrown = new IllegalStateException("why");
        var barrier = new Barrier(2, () -> {
            throw thrown;
        });
        Running other = broken(barrier, barrier::await);
        inFirst(() -> assertSame(thrown, assertThrows(IllegalStateException.class, barrier::await)));
        other.join();
        assertTrue(barrier.isBroken());
    }

    @Test
    void resetBreaksItForThoseWhoWaitAndBeginsAnew() throws Exception {
        var barrier = new Barrier(2);
        for (int i = 0; i < 2; i++) {
            Running other = broken(barrier, barrier::await);
            barrier.reset();
            other.join();
            assertFalse(barrier.isBroken());
            assertEquals(0, barrier.getNumberWaiting());
        }
        Running one = first(barrier::await);
        second(barrier::await).join();
        one.join();
        barrier.reset();
        assertFalse(barrier.isBroken());
        assertEquals("Barrier[0 of 2 have come]", barrier.toString());
    }

    @Test
    void misuseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Barrier(0));
        assertThrows(IllegalArgumentException.class, () -> new Barrier(-1, () -> {}));
        assertThrows(NullPointerException.class, () -> new Barrier(1).await(1, null));
    }

    /** One is interrupted just when the last comes: both see it crossed, or both see it broken. */
    @Test
    void cancelRacingTheLastIsDecidedOnce() throws Exception {
        for (int round = 0; round < 15; round++) {
            var barrier = new Barrier(2);
            var crossed = new AtomicInteger();
            Running waiter = first(() -> {
                try {
                    barrier.await();
                    crossed.incrementAndGet();
                } catch (InterruptedException e) {
                    assertTrue(barrier.isBroken());
                }
            });
            untilWaiting(barrier, 1);
            Running last = second(() -> {
                try {
                    barrier.await();
                    crossed.incrementAndGet();
                } catch (BrokenBarrierException e) {
                    assertTrue(barrier.isBroken());
                }
            });
            waiter.interrupt();
            waiter.join();
            last.join();
            assertTrue(crossed.get() != 1, () -> barrier.toString());
        }
    }
}
