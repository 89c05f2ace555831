package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** First in, first out, however it grows and turns. */
class TaskFifoTest {
    private final TaskFifo fifo = new TaskFifo();

    @Test
    void anEmptyOneHasNothing() {
        assertTrue(fifo.isEmpty());
        assertNull(fifo.poll());
    }

    @Test
    void itBehavesLikeAQueue() {
        var random = new Random(11);
        var expected = new ArrayDeque<Task>();
        for (int phase = 0; phase < 40; phase++) {
            int inclination = phase % 2 == 0 ? 7 : 2; // grows, then shrinks, at every position of its head
            for (int i = 0; i < 500; i++) {
                if (random.nextInt(10) < inclination) {
                    Task task = Tasks.of(() -> {});
                    fifo.add(task);
                    expected.add(task);
                } else {
                    assertSame(expected.poll(), fifo.poll());
                }
                assertEquals(expected.isEmpty(), fifo.isEmpty());
            }
        }
        while (!expected.isEmpty()) assertSame(expected.poll(), fifo.poll());
        assertNull(fifo.poll());
    }
}
