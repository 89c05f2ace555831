package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitGroupTest extends SyncContract {
    @Test
    void whoWaitsGoesOnWhenEverythingIsDoneAgainAndAgain() throws Exception {
        var group = new WaitGroup();
        var done = new AtomicInteger();
        for (int round = 1; round <= 5; round++) {
            int expected = 4 * round;
            group.add(4);
            Running waiter = first(() -> {
                group.await();
                assertEquals(expected, done.get());
            });
            Running timed = first(() -> assertTrue(group.await(Duration.ofDays(1))));
            for (int i = 0; i < 4; i++) {
                either(i, () -> {
                    done.incrementAndGet();
                    group.done();
                });
            }
            waiter.join();
            timed.join();
            assertEquals(0, group.count());
        }
    }

    @Test
    void moreMayBeAddedWhileSomebodyWaits() throws Exception {
        var group = new WaitGroup(1);
        Running waiter = first(group::await);
        waiter.untilWaiting();
        second(() -> {
                    group.add(2);
                    group.done();
                    group.add(-1);
                })
                .join();
        assertFalse(waiter.isDone());
        second(group::done).join();
        waiter.join();
    }

    @Test
    void anEmptyOneIsPassedAtOnce() throws Exception {
        inFirst(() -> {
            new WaitGroup().await();
            assertTrue(new WaitGroup().await(Duration.ZERO));
        });
    }

    @Test
    void moreDoneThanAddedIsRefusedAndChangesNothing() {
        var group = new WaitGroup(1);
        assertThrows(IllegalStateException.class, () -> group.add(-2));
        assertThrows(IllegalStateException.class, () -> group.add(Integer.MIN_VALUE));
        assertThrows(IllegalStateException.class, () -> group.add(Integer.MAX_VALUE));
        assertEquals(1, group.count());
        group.done();
        var refusal = assertThrows(IllegalStateException.class, group::done);
        assertEquals(
                "add(-1) to a count of 0: more done than added; add before the thing starts", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new WaitGroup(-1));
        assertEquals("WaitGroup[0 to wait for]", group.toString());
    }

    @Test
    void anInterruptOrATimeOutEndsTheWait() throws Exception {
        var group = new WaitGroup(1);
        for (Body wait : List.<Body>of(group::await, () -> group.await(Duration.ofDays(1)))) {
            Running waiter = first(() -> assertInterrupted(wait::run));
            waiter.untilWaiting();
            waiter.interrupt();
            waiter.join();
        }
        inFirst(() -> {
            Thread.currentThread().interrupt();
            assertInterrupted(group::await);
            assertFalse(group.await(Duration.ofMillis(1)));
            assertFalse(group.await(Duration.ofSeconds(Long.MIN_VALUE)));
        });
        group.done();
        inFirst(() -> assertTrue(group.await(Duration.ofSeconds(Long.MAX_VALUE))));
    }
}
