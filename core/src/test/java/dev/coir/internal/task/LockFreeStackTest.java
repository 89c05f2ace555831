package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Last in, first out; nothing lost, nothing twice. */
class LockFreeStackTest {
    private final LockFreeStack<Integer> stack = new LockFreeStack<>();

    @Test
    void anEmptyOneGivesNull() {
        assertTrue(stack.isEmpty());
        assertNull(stack.pop());
    }

    @Test
    void theLastPushedIsPoppedFirst() {
        for (int n = 0; n < 3; n++) stack.push(n);
        assertFalse(stack.isEmpty());
        for (int n = 2; n >= 0; n--) assertEquals(n, stack.pop());
        assertNull(stack.pop());
        assertTrue(stack.isEmpty());
    }

    @Test
    void theSameElementMayStandInItTwice() {
        stack.push(7);
        stack.push(7);
        assertEquals(7, stack.pop());
        assertEquals(7, stack.pop());
        assertNull(stack.pop());
    }

    @Test
    void pushesAndPopsMix() {
        stack.push(1);
        stack.push(2);
        assertEquals(2, stack.pop());
        stack.push(3);
        assertEquals(3, stack.pop());
        assertEquals(1, stack.pop());
    }

    @Test
    void whatManyThreadsPushManyThreadsPopOnce() throws Exception {
        int each = 20_000;
        var popped = new AtomicInteger();
        var sum = new AtomicLong();
        Crowd.run(4, i -> {
            if (i < 2) {
                for (int n = 1; n <= each; n++) stack.push(n);
                return;
            }
            while (popped.get() < 2 * each) {
                Integer value = stack.pop();
                if (value == null) {
                    Thread.yield();
                    continue;
                }
                sum.addAndGet(value);
                popped.incrementAndGet();
            }
        });
        assertEquals(2 * each, popped.get());
        assertEquals(2L * each * (each + 1) / 2, sum.get());
        assertTrue(stack.isEmpty());
    }
}
