package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks and sheaves in, tasks and sheaves out, and the room that is counted in tasks. */
class SharedQueueTest {
    private final SharedQueue queue = new SharedQueue(4);

    @ParameterizedTest
    @ValueSource(ints = {0, -1, -4, 3, 6, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aCapacityThatIsNoPowerOfTwoIsRefused(int capacity) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> new SharedQueue(capacity));
        assertEquals("runQueueCapacity: " + capacity + " (expected: a power of two)", refusal.getMessage());
    }

    @Test
    void anEmptyQueueHasNothingToTake() {
        assertNull(queue.take());
        assertEquals(0, queue.size());
        assertFalse(queue.isFull());
        assertEquals(4, queue.capacity());
    }

    @Test
    void sheavesComeOutWholeAndInTheOrderTheyWentIn() {
        Task one = task();
        Sheaf three = Sheaf.of(task(), task(), task());
        queue.add(one);
        queue.add(three);
        assertEquals(4, queue.size());
        assertSame(one, queue.take());
        assertEquals(3, queue.size());
        assertSame(three, queue.take());
        assertEquals(0, queue.size());
        assertEquals(3, three.size());
        assertNull(queue.take());
    }

    @Test
    void aSheafThatIsTakenFromOneByOneKeepsItsPlace() {
        Task[] three = {task(), task(), task()};
        Task last = task();
        queue.add(Sheaf.of(three.clone()));
        queue.add(last);
        for (int i = 0; i < 3; i++) {
            assertEquals(4 - i, queue.size());
            assertSame(three[i], queue.takeOne());
        }
        assertSame(last, queue.takeOne());
        assertNull(queue.takeOne());
        assertEquals(0, queue.size());
    }

    @Test
    void whatIsLeftOfASheafIsTakenWhole() {
        queue.add(Sheaf.of(task(), task(), task()));
        queue.takeOne();
        assertEquals(2, ((Sheaf) queue.take()).size());
        assertEquals(0, queue.size());
    }

    @Test
    void newTasksAreRefusedBeyondTheCapacityAllOrNone() {
        assertTrue(queue.tryReserve(3));
        assertFalse(queue.tryReserve(2));
        assertEquals(3, queue.size(), "what was refused takes no room");
        assertTrue(queue.tryReserve(1));
        assertTrue(queue.isFull());
        assertFalse(queue.tryReserve(1));
        queue.giveBack(4);
        assertEquals(0, queue.size());
        assertTrue(queue.tryReserve(4));
    }

    @Test
    void aBatchLargerThanTheCapacityIsAlwaysRefused() {
        assertFalse(queue.tryReserve(5));
        assertFalse(queue.tryReserve(Integer.MAX_VALUE));
        assertEquals(0, queue.size());
    }

    @Test
    void aReservationIsNotEmptyAndNotYetThere() {
        assertTrue(queue.tryReserve(1));
        assertEquals(1, queue.size());
        assertNull(queue.take());
        Task task = task();
        queue.addReserved(task);
        assertEquals(1, queue.size());
        assertSame(task, queue.take());
        assertEquals(0, queue.size());
    }

    @Test
    void admittedTasksFindRoomBeyondTheCapacity() {
        for (int i = 0; i < 10; i++) queue.add(task());
        queue.reserve(1);
        queue.addReserved(task());
        assertEquals(11, queue.size());
        assertTrue(queue.isFull());
        for (int i = 0; i < 11; i++) queue.take();
        assertEquals(0, queue.size());
        assertNull(queue.take());
    }

    @Test
    void theSizeSaturates() {
        queue.reserve(Integer.MAX_VALUE);
        queue.reserve(Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, queue.size());
        assertFalse(queue.tryReserve(Integer.MAX_VALUE));
    }

    @Test
    void eachTaskOfManyThreadsIsTakenOnceAndTheCapacityHolds() throws Exception {
        int perThread = 10_000;
        var crowded = new SharedQueue(16);
        var taken = new BitSet(2 * perThread);
        var count = new AtomicInteger();
        Crowd.run(4, index -> {
            if (index < 2) {
                for (int i = 0; i < perThread; ) {
                    if (!crowded.tryReserve(1)) {
                        Thread.yield();
                        continue;
                    }
                    crowded.addReserved(new Numbered(index * perThread + i++));
                }
            } else {
                while (count.get() < 2 * perThread) {
                    var task = (Numbered) crowded.take();
                    if (task == null) {
                        Thread.yield();
                        continue;
                    }
                    synchronized (taken) {
                        assertFalse(taken.get(task.number), "twice");
                        taken.set(task.number);
                    }
                    count.incrementAndGet();
                }
            }
        });
        assertEquals(2 * perThread, taken.cardinality());
        assertEquals(0, crowded.size());
    }

    private static Task task() {
        return new Numbered(0);
    }

    private static final class Numbered extends Task {
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        protected void runSlice() {
            throw new AssertionError("only moved about, never run");
        }
    }
}
