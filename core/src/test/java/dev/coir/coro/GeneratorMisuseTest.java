package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Generator.Cursor;
import dev.coir.coro.Generator.Sink;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A sink or cursor in the wrong hands is refused, and nothing is lost or added. */
class GeneratorMisuseTest {
    private static void assertYieldRefused(Sink<Integer> sink) {
        var refusal = assertThrows(IllegalStateException.class, () -> sink.yield(666));
        assertEquals(
                "yield from outside the generator's body: call it on the body's own thread"
                        + " and not from within another coroutine or generator (there, use yieldAll on the outer sink)",
                refusal.getMessage());
    }

    private static List<Integer> rest(Cursor<Integer> cursor) {
        var rest = new ArrayList<Integer>();
        cursor.forEachRemaining(rest::add);
        return rest;
    }

    /** Yields 1 and 2, and lets its sink escape. */
    private static Generator<Integer> oneTwo(List<Sink<Integer>> escaped) {
        return Generator.of(sink -> {
            escaped.add(sink);
            sink.yield(1);
            sink.yield(2);
        });
    }

    @Test
    void yieldFromTheConsumerIsRefused() {
        var escaped = new ArrayList<Sink<Integer>>();
        var cursor = oneTwo(escaped).iterator();
        assertEquals(1, cursor.next());
        assertYieldRefused(escaped.getFirst());
        assertEquals(List.of(2), rest(cursor));
    }

    @Test
    void yieldAfterTheEndIsRefused() {
        var escaped = new ArrayList<Sink<Integer>>();
        var cursor = oneTwo(escaped).iterator();
        assertEquals(List.of(1, 2), rest(cursor));
        assertYieldRefused(escaped.getFirst());
        assertFalse(cursor.hasNext());
    }

    @Test
    void yieldFromAnotherThreadIsRefused() throws Exception {
        var escaped = new ArrayList<Sink<Integer>>();
        var cursor = oneTwo(escaped).iterator();
        assertEquals(1, cursor.next());
        Crowd.onAnotherThread(i -> assertYieldRefused(escaped.getFirst()));
        assertEquals(List.of(2), rest(cursor));
    }

    @Test
    void yieldFromAnotherThreadWhileTheBodyRunsIsRefused() {
        Generator<Integer> delegating = Generator.of(sink -> {
            try {
                Crowd.onAnotherThread(i -> assertYieldRefused(sink));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            sink.yield(1);
        });
        assertEquals(List.of(1), rest(delegating.iterator()));
    }

    @Test
    void yieldFromInsideAnotherGeneratorsBodyIsRefused() {
        Generator<Integer> outer = Generator.of(outerSink -> {
            Generator<Integer> inner = Generator.of(innerSink -> {
                innerSink.yield(1);
                assertYieldRefused(outerSink);
                innerSink.yield(2);
            });
            outerSink.yieldAll(inner);
            outerSink.yield(3);
        });
        assertEquals(List.of(1, 2, 3), rest(outer.iterator()));
    }

    @Test
    void yieldFromInsideAnotherRunOfTheSameGeneratorIsRefused() {
        var escaped = new ArrayList<Sink<Integer>>();
        Generator<Integer> twice = Generator.of(sink -> {
            escaped.add(sink);
            if (escaped.size() == 2) assertYieldRefused(escaped.getFirst());
            sink.yield(escaped.size());
        });
        var first = twice.iterator();
        assertEquals(1, first.next());
        assertEquals(List.of(2), rest(twice.iterator()));
        assertFalse(first.hasNext());
    }

    @Test
    void yieldFromInsideACoroutineOfTheBodyIsRefused() {
        Generator<Integer> generator = Generator.of(sink -> {
            Coroutine.of(() -> assertYieldRefused(sink)).resume();
            sink.yield(1);
        });
        assertEquals(List.of(1), rest(generator.iterator()));
    }

    @Test
    void aYieldRefusedInAClassInitialiserHandsOutNothing() {
        Generator<Integer> pinned = Generator.of(sink -> {
            YieldsWhenInitialised.sink.set(sink);
            YieldsWhenInitialised.Trigger.touch();
        });
        var cursor = pinned.iterator();
        assertFalse(cursor.hasNext(), "the refused value must not appear");
        Throwable refusal = YieldsWhenInitialised.refusal.get();
        assertTrue(refusal instanceof IllegalStateException, () -> "refusal: " + refusal);
    }

    private static final class YieldsWhenInitialised {
        static final AtomicReference<@Nullable Sink<Integer>> sink = new AtomicReference<>();
        static final AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();

        static final class Trigger {
            static {
                try {
                    sink.get().yield(666);
                } catch (Throwable t) {
                    refusal.set(t);
                }
            }

            static void touch() {}
        }
    }

    @Test
    void aCursorAskedByItsOwnBodyIsRefused() {
        List<Cursor<Integer>> self = new ArrayList<>();
        Generator<Integer> curious = Generator.of(sink -> {
            assertThrows(IllegalStateException.class, () -> self.getFirst().hasNext());
            assertThrows(IllegalStateException.class, () -> self.getFirst().next());
            sink.yield(1);
        });
        self.add(curious.iterator());
        assertEquals(List.of(1), rest(self.getFirst()));
    }

    @Test
    void aCursorUsedByAnotherThreadIsRefused() throws Exception {
        var cursor = oneTwo(new ArrayList<>()).iterator();
        assertEquals(1, cursor.next());
        Crowd.onAnotherThread(i -> {
            assertThrows(WrongThreadException.class, cursor::hasNext);
            assertThrows(WrongThreadException.class, cursor::next);
            assertThrows(WrongThreadException.class, cursor::close);
        });
        assertEquals(List.of(2), rest(cursor));
    }

    @Test
    void aCursorWithAValueReadyIsRefusedToAnotherThreadAsWell() throws Exception {
        var cursor = oneTwo(new ArrayList<>()).iterator();
        assertTrue(cursor.hasNext());
        Crowd.onAnotherThread(i -> {
            assertThrows(WrongThreadException.class, cursor::hasNext);
            assertThrows(WrongThreadException.class, cursor::next);
            assertThrows(WrongThreadException.class, cursor::close);
        });
        assertEquals(List.of(1, 2), rest(cursor));
    }

    @Test
    void aCursorAtItsEndMayBeClosedByAnyThread() throws Exception {
        var cursor = oneTwo(new ArrayList<>()).iterator();
        assertEquals(List.of(1, 2), rest(cursor));
        Crowd.onAnotherThread(i -> cursor.close());
    }

    @Test
    void aCursorMadeHereAndFirstAskedThereBelongsThere() throws Exception {
        var cursor = oneTwo(new ArrayList<>()).iterator();
        Crowd.onAnotherThread(i -> assertEquals(1, cursor.next()));
        assertThrows(WrongThreadException.class, cursor::next);
    }
}
