package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order, capacity, halves. Rings are small here, so that every edge is reached and passed. */
class RunRingTest {
    private static RunRing filled(int capacity, int tasks) {
        var ring = new RunRing(capacity);
        for (int n = 0; n < tasks; n++) assertTrue(ring.push(NamedTasks.numbered(n)));
        return ring;
    }

    private static List<String> takeHalf(RunRing ring) {
        var into = new Task[(ring.capacity() + 1) / 2];
        int taken = ring.takeHalf(into, into.length);
        return Arrays.stream(into, 0, taken).map(Task::toString).toList();
    }

    private static List<String> takeAll(RunRing ring) {
        var names = new ArrayList<String>();
        for (Task task = ring.take(); task != null; task = ring.take()) names.add(task.toString());
        return names;
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -2, -1, 0, 1, 3, 5, 6, 7, 255, Integer.MAX_VALUE})
    void aCapacityThatIsNoPowerOfTwoIsRefused(int capacity) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> new RunRing(capacity));
        assertEquals("capacity: " + capacity + " (expected: a power of two, at least 2)", refusal.getMessage());
    }

    @Test
    void anEmptyOneGivesNothing() {
        var ring = new RunRing(4);
        assertEquals(4, ring.capacity());
        assertEquals(0, ring.size());
        assertNull(ring.take());
        assertEquals(List.of(), takeHalf(ring));
    }

    @Test
    void theOldestIsTakenFirst() {
        assertEquals(List.of("0", "1", "2"), takeAll(filled(4, 3)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 256})
    void aFullOneTakesNoMoreUntilOneIsTaken(int capacity) {
        var ring = filled(capacity, capacity);
        assertEquals(capacity, ring.size());
        assertFalse(ring.push(NamedTasks.named("too many")));
        assertEquals(capacity, ring.size());
        assertEquals("0", ring.take().toString());
        assertTrue(ring.push(NamedTasks.named("fits")));
        assertFalse(ring.push(NamedTasks.named("too many")));
        var names = takeAll(ring);
        assertEquals("1", names.getFirst());
        assertEquals("fits", names.getLast());
        assertEquals(capacity, names.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void theOlderHalfIsTakenRoundedUp(int tasks) {
        var ring = filled(8, tasks);
        var stolen = takeHalf(ring);
        assertEquals((tasks + 1) / 2, stolen.size());
        var all = new ArrayList<>(stolen);
        all.addAll(takeAll(ring));
        var expected = new ArrayList<String>();
        for (int n = 0; n < tasks; n++) expected.add(Integer.toString(n));
        assertEquals(expected, all);
    }

    @Test
    void halvingEndsWithNothing() {
        var ring = filled(8, 8);
        assertEquals(List.of("0", "1", "2", "3"), takeHalf(ring));
        assertEquals(List.of("4", "5"), takeHalf(ring));
        assertEquals(List.of("6"), takeHalf(ring));
        assertEquals(List.of("7"), takeHalf(ring));
        assertEquals(List.of(), takeHalf(ring));
    }

    @Test
    void noMoreIsTakenThanAskedFor() {
        var ring = filled(8, 8);
        var into = new Task[8];
        assertEquals(2, ring.takeHalf(into, 2));
        assertEquals("0", into[0].toString());
        assertEquals("1", into[1].toString());
        assertEquals(List.of("2", "3", "4"), takeHalf(ring));
    }

    @Test
    void anArrayTooSmallForTheHalfTakesNothing() {
        var ring = filled(8, 8);
        assertThrows(ArrayIndexOutOfBoundsException.class, () -> ring.takeHalf(new Task[2], 8));
        assertEquals(8, ring.size());
        assertEquals(8, takeAll(ring).size());
    }

    @Test
    void aTaskTakenMayBePushedAgain() {
        var ring = filled(2, 1);
        Task task = ring.take();
        assertTrue(ring.push(task));
        assertSame(task, ring.take());
    }

    @Test
    void oneIsExchangedForTheOldest() {
        var ring = filled(4, 3);
        assertTrue(ring.hasRoom());
        assertEquals("0", ring.exchange(NamedTasks.named("new")).toString());
        assertEquals(List.of("1", "2", "new"), takeAll(ring));
        assertFalse(filled(4, 4).hasRoom());
    }

    @Test
    void whereThereIsNoneItIsExchangedForItself() {
        var ring = new RunRing(2);
        Task task = NamedTasks.named("only");
        assertSame(task, ring.exchange(task));
        assertEquals(0, ring.size());
    }

    @Test
    void manyArePushedInTheirOrderAsFarAsThereIsRoom() {
        var ring = filled(4, 1);
        Task[] more = NamedTasks.allNamed("a", "b", "c", "d", "e");
        assertEquals(3, ring.pushAll(more, 1, 4));
        assertEquals(0, ring.pushAll(more, 4, 1));
        assertEquals(List.of("0", "b", "c", "d"), takeAll(ring));
        assertEquals(0, ring.pushAll(more, 5, 0));
        assertEquals(0, ring.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void goingRoundManyTimesItAgreesWithAPlainQueue(int capacity) {
        var random = new Random(42);
        var ring = new RunRing(capacity);
        var model = new ArrayDeque<String>();
        for (int n = 0; n < 20_000; n++) {
            switch (random.nextInt(7)) {
                case 0, 1, 2 -> {
                    boolean fits = model.size() < capacity;
                    if (fits) model.add(Integer.toString(n));
                    assertEquals(fits, ring.push(NamedTasks.numbered(n)));
                }
                case 3 -> {
                    Task taken = ring.take();
                    assertEquals(model.poll(), taken == null ? null : taken.toString());
                }
                case 4 -> {
                    assertEquals(model.size() < capacity, ring.hasRoom());
                    if (!ring.hasRoom()) continue;
                    model.add(Integer.toString(n));
                    assertEquals(
                            model.remove(),
                            ring.exchange(NamedTasks.numbered(n)).toString());
                }
                case 5 -> {
                    Task[] several = {NamedTasks.numbered(n), NamedTasks.named(n + "b"), NamedTasks.named(n + "c")};
                    int fit = Math.min(3, capacity - model.size());
                    for (int i = 0; i < fit; i++) model.add(several[i].toString());
                    assertEquals(fit, ring.pushAll(several, 0, 3));
                }
                default -> {
                    var expected = new ArrayList<String>();
                    for (int half = (model.size() + 1) / 2; half > 0; half--) expected.add(model.remove());
                    assertEquals(expected, takeHalf(ring));
                }
            }
            assertEquals(model.size(), ring.size());
        }
    }

    @Test
    void theOwnerAndTwoThievesTakeEachTaskOnce() throws Exception {
        int tasks = 50_000;
        var ring = new RunRing(4);
        var timesTaken = new AtomicInteger[tasks];
        Arrays.setAll(timesTaken, n -> new AtomicInteger());
        var total = new AtomicInteger();
        Crowd.run(3, i -> {
            if (i > 0) {
                var into = new Task[2];
                while (total.get() < tasks) {
                    int taken = ring.takeHalf(into, into.length);
                    for (int n = 0; n < taken; n++) count(into[n], timesTaken, total);
                    if (taken == 0) Thread.yield();
                }
                return;
            }
            for (int n = 0; n < tasks; n++) {
                Task task = NamedTasks.numbered(n);
                if (n % 2 == 0 && ring.hasRoom()) {
                    Task oldest = ring.exchange(task);
                    if (oldest != null) count(oldest, timesTaken, total);
                    continue;
                }
                while (!ring.push(task)) {
                    Task own = ring.take();
                    if (own != null) count(own, timesTaken, total);
                }
            }
            Crowd.until(() -> total.get() == tasks);
        });
        assertTrue(Arrays.stream(timesTaken).allMatch(times -> times.get() == 1));
    }

    private static void count(Task task, AtomicInteger[] timesTaken, AtomicInteger total) {
        timesTaken[Integer.parseInt(task.toString())].incrementAndGet();
        total.incrementAndGet();
    }
}
