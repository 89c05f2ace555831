package dev.coir.internal.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** First come, first served, and whoever leaves from the middle is gone. */
class WaitQueueTest {
    private static final class Place extends WaitQueue.Link {}

    private final WaitQueue<Place> queue = new WaitQueue<>();

    @Test
    void anEmptyOneHasNobody() {
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.size());
        assertNull(queue.first());
        assertNull(queue.pollFirst());
        assertFalse(queue.iterator().hasNext());
        assertThrows(NoSuchElementException.class, () -> queue.iterator().next());
    }

    @Test
    void itBehavesLikeAListUnderAnyOperations() {
        var random = new Random(11);
        List<Place> expected = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            boolean growing = i / 1_000 % 2 == 0;
            int choice = random.nextInt(10);
            if (choice < (growing ? 5 : 2)) {
                var place = new Place();
                queue.addLast(place);
                expected.addLast(place);
            } else if (choice < (growing ? 7 : 3)) {
                var place = new Place();
                queue.addFirst(place);
                expected.addFirst(place);
            } else if (expected.isEmpty()) {
                assertNull(queue.pollFirst());
            } else if (choice < 9) {
                assertSame(expected.removeFirst(), queue.pollFirst());
            } else {
                Place leaving = expected.remove(random.nextInt(expected.size()));
                assertTrue(queue.contains(leaving));
                assertTrue(queue.remove(leaving));
                assertFalse(queue.contains(leaving));
                assertFalse(queue.remove(leaving), "twice");
            }
            assertEquals(expected.size(), queue.size());
            assertEquals(expected.isEmpty(), queue.isEmpty());
            assertSame(expected.isEmpty() ? null : expected.getFirst(), queue.first());
            if (i % 100 == 0) assertEquals(expected, inOrder());
        }
    }

    private List<Place> inOrder() {
        List<Place> seen = new ArrayList<>();
        for (Place each : queue) seen.add(each);
        return seen;
    }

    @Test
    void nobodyStandsInTwoQueues() {
        var other = new WaitQueue<Place>();
        var place = new Place();
        queue.addLast(place);
        assertThrows(IllegalStateException.class, () -> queue.addLast(place));
        assertThrows(IllegalStateException.class, () -> other.addFirst(place));
        assertFalse(other.remove(place));
        assertFalse(other.contains(place));
        assertSame(place, queue.pollFirst());
        other.addLast(place);
        assertSame(place, other.first());
    }
}
