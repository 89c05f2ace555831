package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Generator.Sink;
import dev.coir.testing.Crowd;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Generators as sequences: iterators and streams. Closing has a test of its own, {@link GeneratorCloseTest}. */
class GeneratorTest {
    private static Generator<Integer> naturals() {
        return Generator.of(sink -> {
            for (int n = 0; ; n++) sink.yield(n);
        });
    }

    private static Generator<Integer> upTo(int end) {
        return Generator.of(sink -> {
            for (int n = 0; n < end; n++) sink.yield(n);
        });
    }

    private static <T> List<T> all(Iterable<T> values) {
        var list = new ArrayList<T>();
        for (T value : values) list.add(value);
        return list;
    }

    @Test
    void anInfiniteOneRunsOnlyAsFarAsAsked() {
        var furthest = new AtomicInteger(-1);
        Generator<Integer> counting = Generator.of(sink -> {
            for (int n = 0; ; n++) {
                furthest.set(n);
                sink.yield(n);
            }
        });
        var seen = new ArrayList<Integer>();
        for (int n : counting) {
            seen.add(n);
            if (n == 4) break;
        }
        assertEquals(List.of(0, 1, 2, 3, 4), seen);
        assertEquals(4, furthest.get());
    }

    @Test
    void aFiniteOneEnds() {
        assertEquals(List.of(0, 1, 2), all(upTo(3)));
    }

    @Test
    void anEmptyOneHasNothing() {
        Generator<String> empty = Generator.of(sink -> {});
        assertFalse(empty.iterator().hasNext());
        assertEquals(0, empty.stream().count());
    }

    @Test
    void nullIsAValueLikeAnyOther() {
        Generator<@Nullable String> nulls = Generator.of(sink -> {
            sink.yield(null);
            sink.yield("between");
            sink.yield(null);
        });
        assertEquals(Arrays.asList(null, "between", null), all(nulls));
        assertEquals(
                Arrays.asList(null, "between", null), nulls.stream().collect(Collectors.toCollection(ArrayList::new)));
    }

    @Test
    void makingAnIteratorRunsNothing() {
        var runs = new AtomicInteger();
        Generator<Integer> counting = Generator.of(sink -> runs.incrementAndGet());
        var cursor = counting.iterator();
        assertEquals(0, runs.get());
        assertFalse(cursor.hasNext());
        assertEquals(1, runs.get());
    }

    @Test
    void eachIteratorRunsTheBodyAfreshAndApart() {
        var numbers = upTo(3);
        var one = numbers.iterator();
        var other = numbers.iterator();
        assertEquals(0, one.next());
        assertEquals(1, one.next());
        assertEquals(0, other.next());
        assertEquals(2, one.next());
        assertEquals(1, other.next());
        assertFalse(one.hasNext());
        assertTrue(other.hasNext());
    }

    @Test
    void eachIteratorMayLiveOnAThreadOfItsOwn() throws Exception {
        var numbers = upTo(1000);
        Crowd.run(4, i -> assertEquals(1000, all(numbers).size()));
    }

    @Test
    void hasNextAskedTwiceAdvancesOnce() {
        var cursor = upTo(2).iterator();
        for (int i = 0; i < 3; i++) assertTrue(cursor.hasNext());
        assertEquals(0, cursor.next());
        for (int i = 0; i < 3; i++) assertTrue(cursor.hasNext());
        assertEquals(1, cursor.next());
        for (int i = 0; i < 3; i++) assertFalse(cursor.hasNext());
    }

    @Test
    void nextWorksWithoutHasNextAndRefusesAtTheEndForever() {
        var cursor = upTo(2).iterator();
        assertEquals(0, cursor.next());
        assertEquals(1, cursor.next());
        for (int i = 0; i < 2; i++) {
            var refusal = assertThrows(NoSuchElementException.class, cursor::next);
            assertEquals("the generator has no more values", refusal.getMessage());
        }
    }

    private record Tree(
            @Nullable Tree left, int value, @Nullable Tree right) {
        static @Nullable Tree balanced(int from, int to) {
            if (from >= to) return null;
            int middle = (from + to) / 2;
            return new Tree(balanced(from, middle), middle, balanced(middle + 1, to));
        }

        static void walk(@Nullable Tree tree, Sink<Integer> sink) {
            if (tree == null) return;
            walk(tree.left, sink);
            sink.yield(tree.value);
            walk(tree.right, sink);
        }

        static Generator<Integer> values(@Nullable Tree tree) {
            return Generator.of(sink -> {
                if (tree == null) return;
                sink.yieldAll(values(tree.left));
                sink.yield(tree.value);
                sink.yieldAll(values(tree.right));
            });
        }
    }

    @Test
    void aRecursiveWalkPassesTheSinkDown() {
        Tree tree = Tree.balanced(0, 100);
        Generator<Integer> values = Generator.of(sink -> Tree.walk(tree, sink));
        assertEquals(all(upTo(100)), all(values));
    }

    @Test
    void aRecursiveWalkYieldsAllOfItsChildGenerators() {
        assertEquals(all(upTo(100)), all(Tree.values(Tree.balanced(0, 100))));
    }

    @Test
    void aChainOfFiveHundredChildGeneratorsWorks() {
        Tree chain = null;
        for (int n = 499; n >= 0; n--) chain = new Tree(null, n, chain);
        assertEquals(all(upTo(500)), all(Tree.values(chain)));
    }

    @Test
    void yieldAllTakesAnyIterable() {
        Generator<Number> mixed = Generator.of(sink -> {
            sink.yieldAll(List.of(1, 2));
            sink.yieldAll(List.of());
            sink.yieldAll(upTo(2));
        });
        assertEquals(List.<Number>of(1, 2, 0, 1), all(mixed));
    }

    @Test
    void whatTheBodyThrowsLeavesHasNextOnceAndThenItIsAtItsEnd() {
        var planted = new IllegalArgumentException("planted");
        Generator<Integer> failing = Generator.of(sink -> {
            sink.yield(1);
            throw planted;
        });
        var cursor = failing.iterator();
        assertEquals(1, cursor.next());
        assertSame(planted, assertThrows(IllegalArgumentException.class, cursor::hasNext));
        assertFalse(cursor.hasNext());
        assertThrows(NoSuchElementException.class, cursor::next);
        cursor.close();
    }

    @Test
    void whatTheBodyThrowsLeavesNextOnceAndThenItIsAtItsEnd() {
        Generator<Integer> failing = Generator.of(sink -> {
            throw new IllegalArgumentException("planted");
        });
        var cursor = failing.iterator();
        assertThrows(IllegalArgumentException.class, cursor::next);
        assertThrows(NoSuchElementException.class, cursor::next);
    }

    @Test
    void whatAChildThrowsLeavesThroughTheParent() {
        Generator<Integer> child = Generator.of(sink -> {
            sink.yield(1);
            throw new IllegalArgumentException("planted");
        });
        Generator<Integer> parent = Generator.of(sink -> sink.yieldAll(child));
        var cursor = parent.iterator();
        assertEquals(1, cursor.next());
        assertThrows(IllegalArgumentException.class, cursor::next);
        assertFalse(cursor.hasNext());
    }

    @Test
    void aBareSuspendInTheBodyIsNotAValue() {
        Generator<Integer> pausing = Generator.of(sink -> {
            Coroutine.suspend();
            sink.yield(1);
            Coroutine.suspend();
        });
        assertEquals(List.of(1), all(pausing));
    }

    @Test
    void generatorsWorkInsideCoroutinesAndCoroutinesInsideGenerators() {
        var seen = new ArrayList<Integer>();
        var co = Coroutine.of(() -> {
            for (int n : upTo(3)) {
                seen.add(n);
                Coroutine.suspend();
            }
        });
        Generator<Integer> outer = Generator.of(sink -> {
            while (!co.isDone()) {
                co.resume();
                sink.yield(seen.size());
            }
        });
        assertEquals(List.of(1, 2, 3, 3), all(outer));
        assertEquals(List.of(0, 1, 2), seen);
    }

    @Test
    void aStreamIsLazyAndStopsAtItsLimit() {
        assertEquals(List.of(0, 1, 2), naturals().stream().limit(3).toList());
        assertEquals(10, naturals().stream().skip(10).findFirst().orElseThrow());
        assertEquals(7, naturals().stream().filter(n -> n > 6).findAny().orElseThrow());
        assertTrue(naturals().stream().anyMatch(n -> n == 1000));
    }

    @Test
    void aStreamRunsTheBodyAfresh() {
        var numbers = upTo(5);
        assertEquals(5, numbers.stream().count());
        assertEquals(10, numbers.stream().mapToInt(n -> n).sum());
    }

    @Test
    void streamsFlatten() {
        var flat = upTo(4).stream().flatMap(n -> upTo(n).stream()).toList();
        assertEquals(List.of(0, 0, 1, 0, 1, 2), flat);
        var limited =
                upTo(3).stream().flatMap(n -> naturals().stream().limit(n)).toList();
        assertEquals(List.of(0, 0, 1), limited);
    }

    @Test
    void aParallelStreamStillPullsFromTheCallingThreadAndInOrder() {
        Set<Thread> pullers = Collections.newSetFromMap(new IdentityHashMap<>());
        Generator<Integer> watched = Generator.of(sink -> {
            for (int n = 0; n < 10_000; n++) {
                pullers.add(Thread.currentThread());
                sink.yield(n);
            }
        });
        var expected =
                Stream.iterate(0, n -> n + 1).limit(10_000).map(n -> 3 * n).toList();
        assertEquals(expected, watched.stream().parallel().map(n -> 3 * n).toList());
        assertEquals(
                expected.subList(0, 100),
                watched.stream().parallel().map(n -> 3 * n).limit(100).toList());
        assertEquals(10_000, watched.stream().parallel().sorted().distinct().count());
        var seen = Collections.synchronizedList(new ArrayList<Integer>());
        watched.stream().parallel().forEach(seen::add);
        assertEquals(10_000, seen.size());
        assertEquals(Set.of(Thread.currentThread()), pullers);
    }

    @Test
    void aHundredThousandAbandonedCursorsLeaveNothing() {
        WeakReference<Object> last = abandonMany();
        Crowd.until(() -> {
            System.gc();
            return last.get() == null;
        });
    }

    /** Each holds 100 kB, ten times the heap of the test JVM in all. */
    private static WeakReference<Object> abandonMany() {
        Generator<byte[]> heavy = Generator.of(sink -> {
            byte[] onTheStack = new byte[100_000];
            sink.yield(onTheStack);
            sink.yield(onTheStack);
        });
        Object last = "";
        for (int i = 0; i < 100_000; i++) last = heavy.iterator().next();
        return new WeakReference<>(last);
    }

    @Test
    void aCursorTellsItsState() {
        var cursor = upTo(1).iterator();
        assertEquals("Cursor[Coroutine[NEW]]", cursor.toString());
        assertTrue(cursor.hasNext());
        assertEquals(
                "Cursor[value ready, Coroutine[SUSPENDED, confined to " + Thread.currentThread() + "]]",
                cursor.toString());
    }

    @Test
    void aNullBodyIsRefused() {
        assertEquals(
                "body",
                assertThrows(NullPointerException.class, () -> Generator.of(null))
                        .getMessage());
    }
}
