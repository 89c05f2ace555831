package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Generator.Cursor;
import dev.coir.coro.Generator.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Closing a cursor, or a stream over it, unwinds the body. */
class GeneratorCloseTest {
    private final List<String> printed = new ArrayList<>();

    private Generator<Integer> guarded() {
        return Generator.of(sink -> {
            try {
                for (int n = 0; ; n++) nested(sink, n);
            } finally {
                printed.add("outer finally");
            }
        });
    }

    private void nested(Sink<Integer> sink, int n) {
        try {
            sink.yield(n);
        } finally {
            printed.add("finally " + n);
        }
    }

    private static void assertAtItsEnd(Cursor<?> cursor) {
        assertFalse(cursor.hasNext());
        assertThrows(NoSuchElementException.class, cursor::next);
    }

    @Test
    void closeRunsTheFinallyBlocksInnermostFirst() {
        var cursor = guarded().iterator();
        assertEquals(0, cursor.next());
        assertEquals(1, cursor.next());
        assertEquals(List.of("finally 0"), printed);
        cursor.close();
        assertEquals(List.of("finally 0", "finally 1", "outer finally"), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void closeDropsAValueThatWasReadyAndNotTaken() {
        var cursor = guarded().iterator();
        assertTrue(cursor.hasNext());
        cursor.close();
        assertEquals(List.of("finally 0", "outer finally"), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void closeBeforeTheFirstValueDoesNotRunTheBody() {
        var cursor = guarded().iterator();
        cursor.close();
        assertEquals(List.of(), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void closingTwiceIsClosingOnce() {
        var cursor = guarded().iterator();
        cursor.next();
        cursor.close();
        cursor.close();
        assertEquals(List.of("finally 0", "outer finally"), printed);
    }

    @Test
    void closeAfterTheEndDoesNothing() {
        Generator<Integer> one = Generator.of(sink -> {
            try {
                sink.yield(1);
            } finally {
                printed.add("finally");
            }
        });
        var cursor = one.iterator();
        while (cursor.hasNext()) cursor.next();
        cursor.close();
        assertEquals(List.of("finally"), printed);
    }

    @Test
    void tryWithResourcesCloses() {
        try (var cursor = guarded().iterator()) {
            cursor.next();
        }
        assertEquals(List.of("finally 0", "outer finally"), printed);
    }

    @Test
    void aBodyThatCatchesEverythingCannotKeepYieldingAfterClose() {
        Generator<Integer> stubborn = Generator.of(sink -> {
            for (int n = 0; n < 5; n++) {
                try {
                    sink.yield(n);
                    printed.add("yielded " + n);
                } catch (Throwable t) {
                    printed.add("caught at " + n);
                }
            }
        });
        var cursor = stubborn.iterator();
        cursor.next();
        cursor.next();
        cursor.close();
        assertEquals(List.of("yielded 0", "caught at 1", "caught at 2", "caught at 3", "caught at 4"), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void aBareSuspendWhileClosingDoesNotSuspendEither() {
        Generator<Integer> suspending = Generator.of(sink -> {
            try {
                sink.yield(1);
            } finally {
                try {
                    Coroutine.suspend();
                } finally {
                    printed.add("innermost finally");
                }
            }
        });
        var cursor = suspending.iterator();
        cursor.next();
        cursor.close();
        assertEquals(List.of("innermost finally"), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void whatAFinallyBlockThrowsLeavesClose() {
        var planted = new IllegalStateException("planted");
        Generator<Integer> failing = Generator.of(sink -> {
            try {
                sink.yield(1);
            } finally {
                fail(planted);
            }
        });
        var cursor = failing.iterator();
        cursor.next();
        assertSame(planted, assertThrows(IllegalStateException.class, cursor::close));
        assertAtItsEnd(cursor);
        cursor.close();
    }

    private static void fail(RuntimeException failure) {
        throw failure;
    }

    @Test
    void aFinallyBlockMayUseAnotherGenerator() {
        Generator<Integer> cleaning = Generator.of(sink -> {
            try {
                sink.yield(1);
            } finally {
                var other = guarded().iterator();
                printed.add("other " + other.next());
                other.close();
            }
        });
        var cursor = cleaning.iterator();
        cursor.next();
        cursor.close();
        assertEquals(List.of("other 0", "finally 0", "outer finally"), printed);
    }

    @Test
    void closeFromInsideTheBodyIsRefusedAndTheBodyGoesOn() {
        List<Cursor<Integer>> self = new ArrayList<>();
        Generator<Integer> suicidal = Generator.of(sink -> {
            sink.yield(1);
            var refusal = assertThrows(
                    IllegalStateException.class, () -> self.getFirst().close());
            assertTrue(refusal.getMessage().startsWith("close from inside the body: Coroutine[RUNNING"));
            sink.yield(2);
        });
        self.add(suicidal.iterator());
        assertEquals(1, self.getFirst().next());
        assertEquals(2, self.getFirst().next());
        assertAtItsEnd(self.getFirst());
    }

    @Test
    void closingTheParentClosesTheChildrenItYieldsFrom() {
        Generator<Integer> middle = Generator.of(sink -> {
            try {
                sink.yieldAll(guarded());
            } finally {
                printed.add("middle finally");
            }
        });
        Generator<Integer> parent = Generator.of(sink -> {
            try {
                sink.yieldAll(middle);
            } finally {
                printed.add("parent finally");
            }
        });
        var cursor = parent.iterator();
        cursor.next();
        cursor.close();
        assertEquals(List.of("finally 0", "outer finally", "middle finally", "parent finally"), printed);
        assertAtItsEnd(cursor);
    }

    @Test
    void closingTheStreamClosesTheBody() {
        try (var stream = guarded().stream()) {
            assertEquals(List.of(0, 1), stream.limit(2).toList());
        }
        assertEquals(List.of("finally 0", "finally 1", "outer finally"), printed);
    }

    @Test
    void closingAStreamThatNobodyReadDoesNotRunTheBody() {
        guarded().stream().close();
        assertEquals(List.of(), printed);
    }

    @Test
    void flatMapClosesEachInnerStream() {
        assertEquals(
                List.of(0, 0),
                List.of("a", "b").stream()
                        .flatMap(any -> guarded().stream().limit(1))
                        .toList());
        assertEquals(List.of("finally 0", "outer finally", "finally 0", "outer finally"), printed);
    }
}
