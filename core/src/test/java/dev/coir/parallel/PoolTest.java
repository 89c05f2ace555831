package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void anItemIsWithOneBorrowerAtATime(int workers) {
        ParallelTest.inFibers(workers, () -> {
            var made = new AtomicInteger();
            var pool = new BoundedPool<>(3, () -> {
                made.incrementAndGet();
                return new AtomicBoolean();
            });
            Set<AtomicBoolean> seen = ConcurrentHashMap.newKeySet();
            Parallel.forEach(0, 100, i -> {
                try (var loan = pool.borrow()) {
                    seen.add(loan.get());
                    assertTrue(loan.get().compareAndSet(false, true));
                    if (i % 4 == 0) Fiber.yield();
                    assertTrue(loan.get().compareAndSet(true, false));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertTrue(made.get() <= 3);
            assertEquals(made.get(), seen.size());
            assertEquals("BoundedPool[3 of 3 free]", pool.toString());
        });
    }

    @Test
    void whoFindsNoneWaitsOrGivesUp() throws Exception {
        var pool = new BoundedPool<>(1, Object::new);
        assertEquals(1, pool.size());
        Loan<Object> loan = pool.borrow();
        Object item = loan.get();
        assertTrue(pool.tryBorrow().isEmpty());
        assertTrue(pool.borrow(Duration.ofMillis(1)).isEmpty());
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, pool::borrow);
        Fiber<Object> fiber = Fiber.go(() -> {
            try (var mine = pool.borrow()) {
                return mine.get();
            }
        });
        Crowd.until(() -> fiber.status() == Fiber.Status.WAITING);
        loan.close();
        assertSame(item, fiber.join());
        loan.close();
        var refusal = assertThrows(IllegalStateException.class, loan::get);
        assertEquals("the loan was given back; borrow again", refusal.getMessage());
        assertEquals("Loan[given back]", loan.toString());
        try (var again = pool.tryBorrow().orElseThrow()) {
            assertSame(item, again.get());
            assertTrue(pool.tryBorrow().isEmpty(), "closing twice gives back once");
        }
        assertTrue(pool.borrow(Duration.ofSeconds(Long.MAX_VALUE)).isPresent());
    }

    @Test
    void aMakerThatFailsLeavesTheRoomToTheNext() throws Exception {
        var fails = new AtomicBoolean(true);
        var pool = new BoundedPool<>(1, () -> {
            if (fails.getAndSet(false)) throw new IllegalStateException("why");
            return "item";
        });
        assertThrows(IllegalStateException.class, pool::borrow);
        assertEquals("item", pool.borrow().get());
        assertThrows(IllegalArgumentException.class, () -> new BoundedPool<>(0, Object::new));
        assertThrows(NullPointerException.class, () -> new BoundedPool<>(1, null));
        assertThrows(NullPointerException.class, () -> new BoundedPool<>(1, () -> null).borrow());
    }

    @Test
    void anUnboundedOneMakesWhatIsMissing() {
        var pool = new UnboundedPool<>(Object::new);
        Object first;
        try (var one = pool.borrow();
                var two = pool.borrow()) {
            assertNotSame(one.get(), two.get());
            first = one.get();
        }
        try (var again = pool.borrow()) {
            assertSame(first, again.get(), "the one given back last");
            assertFalse(again.toString().contains("given back"));
        }
    }
}
