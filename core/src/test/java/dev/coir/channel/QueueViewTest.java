package dev.coir.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.testing.Callers;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel seen as a BlockingQueue keeps the contract of one. */
class QueueViewTest {
    private static BlockingQueue<Integer> holding(int capacity, int... values) {
        BlockingQueue<Integer> queue = Channel.<Integer>buffered(capacity).asBlockingQueue();
        for (int each : values) queue.add(each);
        return queue;
    }

    @Test
    void addOfferAndPutAddAtTheEnd() throws Exception {
        BlockingQueue<Integer> queue = holding(4);
        assertTrue(queue.add(1));
        assertTrue(queue.offer(2));
        assertTrue(queue.offer(3, 1, TimeUnit.SECONDS));
        queue.put(4);
        assertEquals(List.of(1, 2, 3, 4), List.copyOf(queue));
        assertEquals("[1, 2, 3, 4]", queue.toString());
    }

    @Test
    void aFullQueueRefuses() throws Exception {
        BlockingQueue<Integer> queue = holding(2, 1, 2);
        assertFalse(queue.offer(3));
        assertFalse(queue.offer(3, 1, TimeUnit.MILLISECONDS));
        assertFalse(queue.offer(3, -1, TimeUnit.DAYS));
        assertEquals(
                "Queue full",
                assertThrows(IllegalStateException.class, () -> queue.add(3)).getMessage());
        assertEquals(0, queue.remainingCapacity());
        assertThrows(IllegalStateException.class, () -> queue.addAll(List.of(3, 4)));
        assertEquals(2, queue.size());
    }

    @Test
    void anEmptyQueueHasNothing() throws Exception {
        BlockingQueue<Integer> queue = holding(2);
        assertTrue(queue.isEmpty());
        assertNull(queue.poll());
        assertNull(queue.poll(1, TimeUnit.MILLISECONDS));
        assertNull(queue.peek());
        assertThrows(NoSuchElementException.class, queue::element);
        assertThrows(NoSuchElementException.class, queue::remove);
        assertFalse(queue.iterator().hasNext());
        assertEquals(0, queue.toArray().length);
    }

    @Test
    void removingTakesFromTheFront() throws Exception {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3, 4, 5);
        assertEquals(1, queue.peek());
        assertEquals(1, queue.element());
        assertEquals(1, queue.remove());
        assertEquals(2, queue.poll());
        assertEquals(3, queue.poll(1, TimeUnit.SECONDS));
        assertEquals(4, queue.take());
        assertEquals(1, queue.size());
        assertEquals(8, queue.remainingCapacity());
    }

    @Test
    void nullIsRefusedWhereAddedAndNeverFound() {
        BlockingQueue<Integer> queue = holding(2, 1);
        assertThrows(NullPointerException.class, () -> queue.add(null));
        assertThrows(NullPointerException.class, () -> queue.offer(null));
        assertThrows(NullPointerException.class, () -> queue.offer(null, 1, TimeUnit.SECONDS));
        assertThrows(NullPointerException.class, () -> queue.put(null));
        assertThrows(NullPointerException.class, () -> queue.addAll(null));
        assertThrows(NullPointerException.class, () -> queue.drainTo(null));
        assertThrows(NullPointerException.class, () -> queue.drainTo(null, 0));
        assertFalse(queue.contains(null));
        assertFalse(queue.remove(null));
        assertEquals(1, queue.size());
    }

    @Test
    void aQueueIsNotAddedOrDrainedToItself() {
        Channel<Integer> channel = Channel.buffered(3);
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        queue.add(1);
        Collection<Integer> itself = queue;
        assertThrows(IllegalArgumentException.class, () -> queue.addAll(itself));
        assertThrows(IllegalArgumentException.class, () -> queue.drainTo(channel.asBlockingQueue()));
        assertThrows(IllegalArgumentException.class, () -> queue.drainTo(queue));
        assertThrows(IllegalArgumentException.class, () -> queue.drainTo(queue, 1));
    }

    @Test
    void drainToMovesInOrderUpToItsLimit() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3, 4, 5);
        List<Integer> to = new ArrayList<>();
        assertEquals(0, queue.drainTo(to, 0));
        assertEquals(0, queue.drainTo(to, -1));
        assertEquals(2, queue.drainTo(to, 2));
        assertEquals(List.of(1, 2), to);
        assertEquals(3, queue.drainTo(to));
        assertEquals(List.of(1, 2, 3, 4, 5), to);
        assertEquals(0, queue.drainTo(to));
    }

    @Test
    void drainToLetsSendersThatWaitGoOn() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        queue.put(1);
        var sender = Crowd.start("sender", i -> queue.put(2));
        Crowd.until(() -> channel.toString().contains("sending"));
        List<Integer> to = new ArrayList<>();
        assertEquals(1, queue.drainTo(to), "what the sender holds was not in the queue");
        sender.get();
        assertEquals(2, queue.take());
    }

    @Test
    void removeTakesTheFirstEqualValueAndMakesRoom() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        queue.addAll(List.of(1, 2, 1000, 2));
        var sender = Crowd.start("sender", i -> queue.put(5));
        Crowd.until(() -> channel.toString().contains("sending"));
        assertTrue(queue.remove(Integer.valueOf(Integer.parseInt("1000"))), "equal, not the same");
        sender.get();
        assertEquals(List.of(1, 2, 2, 5), List.copyOf(queue));
        assertTrue(queue.remove(2));
        assertEquals(List.of(1, 2, 5), List.copyOf(queue));
        assertFalse(queue.remove(7));
        Object text = "2";
        assertFalse(queue.remove(text));
        assertTrue(queue.contains(5));
        assertFalse(queue.contains(6));
    }

    @Test
    void bulkRemovalsWork() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3, 4, 5, 6);
        assertTrue(queue.removeIf(each -> each % 3 == 0));
        assertEquals(List.of(1, 2, 4, 5), List.copyOf(queue));
        assertTrue(queue.removeAll(List.of(1, 9)));
        assertTrue(queue.retainAll(List.of(4, 5)));
        assertEquals(List.of(4, 5), List.copyOf(queue));
        assertTrue(queue.containsAll(List.of(5, 4)));
        queue.clear();
        assertTrue(queue.isEmpty());
        assertEquals(9, queue.remainingCapacity());
    }

    @Test
    void iteratorsShowOneMomentAndRemoveFromTheQueue() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3);
        Iterator<Integer> values = queue.iterator();
        assertThrows(IllegalStateException.class, values::remove);
        queue.add(4);
        assertEquals(1, queue.poll());
        assertEquals(1, values.next());
        values.remove();
        assertEquals(2, values.next());
        values.remove();
        assertThrows(IllegalStateException.class, values::remove);
        assertEquals(3, values.next());
        assertThrows(NoSuchElementException.class, values::next);
        assertEquals(List.of(3, 4), List.copyOf(queue));
    }

    @Test
    void anIteratorRemovesTheValueItShowedAndNotOneLikeIt() {
        for (int capacity : new int[] {9, Integer.MAX_VALUE}) {
            BlockingQueue<Integer> queue = holding(capacity, 1, 2, 1, 3, 2);
            var known = new HashSet<Integer>();
            assertTrue(queue.removeIf(each -> !known.add(each)));
            assertEquals(List.of(1, 2, 3), List.copyOf(queue));
        }
    }

    @Test
    void anIteratorLeavesAValueThatCameBackAfterItWasTaken() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3);
        Iterator<Integer> values = queue.iterator();
        assertEquals(1, values.next());
        assertEquals(1, queue.poll());
        queue.add(1);
        values.remove();
        assertEquals(List.of(2, 3, 1), List.copyOf(queue));
        assertEquals(2, values.next());
        values.remove();
        assertEquals(3, values.next());
        values.remove();
        assertEquals(List.of(1), List.copyOf(queue));
    }

    @Test
    void anIteratorRemovesAValueThatOthersMovedForward() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3, 4);
        Iterator<Integer> values = queue.iterator();
        assertTrue(queue.remove(2));
        for (int i = 1; i <= 3; i++) assertEquals(i, values.next());
        values.remove();
        assertEquals(List.of(1, 4), List.copyOf(queue));
    }

    @Test
    void arraysAndStreamsShowTheValuesInOrder() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3);
        assertArrayEquals(new Object[] {1, 2, 3}, queue.toArray());
        assertArrayEquals(new Integer[] {1, 2, 3}, queue.toArray(new Integer[0]));
        Integer[] room = {9, 9, 9, 9, 9};
        assertArrayEquals(new Integer[] {1, 2, 3, null, 9}, queue.toArray(room));
        Object[] texts = new String[3];
        assertThrows(ArrayStoreException.class, () -> queue.toArray(texts));
        assertEquals(6, queue.stream().mapToInt(v -> v).sum());
        List<Integer> seen = new ArrayList<>();
        queue.forEach(seen::add);
        assertEquals(List.of(1, 2, 3), seen);
    }

    /** So streams may rely on its size, and need not fear what others do meanwhile. */
    @Test
    void aSpliteratorShowsTheValuesOfOneMomentAndSaysSo() {
        BlockingQueue<Integer> queue = holding(9, 1, 2, 3);
        Spliterator<Integer> values = queue.spliterator();
        assertEquals(
                Spliterator.ORDERED
                        | Spliterator.NONNULL
                        | Spliterator.IMMUTABLE
                        | Spliterator.SIZED
                        | Spliterator.SUBSIZED,
                values.characteristics());
        Stream<Integer> stream = queue.stream();
        queue.poll();
        queue.add(4);
        queue.add(5);
        assertEquals(3, values.getExactSizeIfKnown());
        List<Integer> seen = new ArrayList<>();
        values.forEachRemaining(seen::add);
        assertEquals(List.of(1, 2, 3), seen);
        assertEquals(List.of(1, 2, 3), stream.toList());
        assertEquals(List.of(2, 3, 4, 5), queue.parallelStream().toList());
    }

    @Test
    void anUnlimitedQueueHasNoEnd() {
        BlockingQueue<Integer> queue = Channel.<Integer>unlimited().asBlockingQueue();
        assertEquals(Integer.MAX_VALUE, queue.remainingCapacity());
        for (int i = 0; i < 1000; i++) queue.add(i);
        assertEquals(Integer.MAX_VALUE, queue.remainingCapacity());
        for (int i = 100; i < 900; i++) assertTrue(queue.remove(i));
        assertEquals(200, queue.size());
        assertEquals(0, queue.peek());
        assertTrue(queue.contains(999));
    }

    @Test
    void aRendezvousIsAnEmptyQueue() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        assertFalse(queue.offer(1));
        assertThrows(IllegalStateException.class, () -> queue.add(1));
        var sender = Crowd.start("sender", i -> queue.put(1));
        Crowd.until(() -> channel.toString().contains("sending"));
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.size());
        assertEquals(0, queue.remainingCapacity());
        assertNull(queue.peek());
        assertFalse(queue.contains(1));
        assertFalse(queue.remove(1));
        assertFalse(queue.iterator().hasNext());
        queue.clear();
        List<Integer> to = new ArrayList<>();
        assertEquals(1, queue.drainTo(to), "as SynchronousQueue does");
        assertEquals(List.of(1), to);
        sender.get();
    }

    @Test
    void theViewAndTheChannelShareTheirValues() throws Exception {
        Channel<Integer> channel = Channel.buffered(2);
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        channel.send(1);
        assertEquals(1, queue.take());
        queue.put(2);
        assertEquals(2, channel.receive());
    }

    @Test
    void aClosedQueueRefusesAndThenIsEmpty() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
        BlockingQueue<Integer> queue = channel.asBlockingQueue();
        queue.addAll(List.of(1, 2, 3));
        channel.close();
        assertThrows(ChannelClosedException.class, () -> queue.add(4));
        assertThrows(ChannelClosedException.class, () -> queue.offer(4));
        assertThrows(ChannelClosedException.class, () -> queue.put(4));
        assertThrows(ChannelClosedException.class, () -> queue.offer(4, 1, TimeUnit.DAYS));
        assertEquals(1, queue.take());
        assertEquals(2, queue.poll());
        assertEquals(3, queue.poll(1, TimeUnit.DAYS));
        assertNull(queue.poll());
        assertNull(queue.poll(1, TimeUnit.DAYS), "and does not wait");
        assertNull(queue.peek());
        assertThrows(NoSuchElementException.class, queue::remove);
        assertThrows(ChannelClosedException.class, queue::take);
        assertEquals(0, queue.drainTo(new ArrayList<>()));
    }

    @ParameterizedTest
    @EnumSource
    void interruptsEndItsWaits(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        BlockingQueue<Integer> empty = holding(1);
        BlockingQueue<Integer> full = holding(1, 1);
        List<Callers.Call<?>> calls = List.of(
                callers.start(scheduler, empty::take),
                callers.start(scheduler, () -> empty.poll(1, TimeUnit.DAYS)),
                callers.start(scheduler, () -> full.offer(2, 1, TimeUnit.DAYS)),
                callers.start(scheduler, () -> {
                    full.put(2);
                    return null;
                }));
        for (Callers.Call<?> each : calls) {
            each.untilWaiting().interrupt();
            assertThrows(InterruptedException.class, each::get);
        }
        assertEquals(List.of(1), List.copyOf(full));
        Schedulers.close(scheduler);
    }

    /** Random operations, one after the other, against a queue of the JDK. */
    @Test
    void itDoesWhatAnArrayBlockingQueueDoes() {
        var random = new java.util.Random(42);
        for (int capacity : new int[] {1, 3, 64, 2000}) {
            BlockingQueue<Integer> queue = holding(capacity);
            BlockingQueue<Integer> model = new ArrayBlockingQueue<>(capacity);
            for (int i = 0; i < 5_000; i++) {
                int value = random.nextInt(20);
                switch (random.nextInt(9)) {
                    case 0, 1, 2 -> assertEquals(model.offer(value), queue.offer(value));
                    case 3, 4 -> assertEquals(model.poll(), queue.poll());
                    case 5 -> assertEquals(model.remove(value), queue.remove(value));
                    case 6 -> assertEquals(model.contains(value), queue.contains(value));
                    case 7 -> assertEquals(model.peek(), queue.peek());
                    default -> {
                        if (value == 0) assertEquals(model.drainTo(new ArrayList<>(), 5), drained(queue));
                    }
                }
                assertEquals(model.size(), queue.size());
                assertEquals(model.remainingCapacity(), queue.remainingCapacity());
            }
            assertEquals(List.copyOf(model), List.copyOf(queue));
            assertNotNull(queue.toString());
        }
    }

    private static int drained(BlockingQueue<Integer> queue) {
        return queue.drainTo(new ArrayList<>(), 5);
    }
}
