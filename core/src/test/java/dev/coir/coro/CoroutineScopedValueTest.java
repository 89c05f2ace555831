package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.testing.Crowd;
import dev.coir.testing.VirtualThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The JDK keeps scoped values in the thread; each stack must see its own all the same. */
class CoroutineScopedValueTest {
    private static final ScopedValue<String> NAME = ScopedValue.newInstance();

    private final List<String> printed = new ArrayList<>();

    private void print(String where) {
        printed.add(where + ": " + NAME.orElse("unbound"));
    }

    /** A body that binds a value around a suspension. */
    private Coroutine binding(String value) {
        return Coroutine.of(() -> {
            print("body's beginning");
            ScopedValue.where(NAME, value).run(() -> {
                Coroutine.suspend();
                print("body");
            });
            print("body's end");
        });
    }

    @Test
    void whatTheBodyBindsItsCallerDoesNotSee() {
        var co = binding("inner");
        co.resume();
        print("caller");
        co.resume();
        print("caller");
        assertEquals(
                List.of(
                        "body's beginning: unbound",
                        "caller: unbound",
                        "body: inner",
                        "body's end: unbound",
                        "caller: unbound"),
                printed);
    }

    @Test
    void whatALaterCallerBindsStaysTheCallers() {
        var co = binding("inner");
        co.resume();
        ScopedValue.where(NAME, "outer").run(() -> {
            co.resume();
            print("caller");
        });
        print("after");
        assertEquals(
                List.of(
                        "body's beginning: unbound",
                        "body: inner",
                        "body's end: unbound",
                        "caller: outer",
                        "after: unbound"),
                printed);
    }

    @Test
    void theBodySeesWhatIsBoundWhereItIsFirstResumedAndKeepsSeeingIt() {
        var co = binding("inner");
        ScopedValue.where(NAME, "outer").run(co::resume);
        print("after");
        co.resume();
        assertEquals(List.of("body's beginning: outer", "after: unbound", "body: inner", "body's end: outer"), printed);
    }

    @Test
    void twoBodiesOnOneThreadBindApart() {
        var one = binding("one");
        var two = binding("two");
        one.resume();
        two.resume();
        one.resume();
        two.resume();
        assertEquals(
                List.of("body: one", "body's end: unbound", "body: two", "body's end: unbound"), printed.subList(2, 6));
        assertFalse(NAME.isBound());
    }

    @Test
    void nestedBodiesBindApart() {
        var inner = binding("inner");
        var outer = Coroutine.of(() -> ScopedValue.where(NAME, "outer").run(() -> {
            inner.resume();
            print("outer");
            Coroutine.suspend();
            inner.resume();
            print("outer");
        }));
        outer.resume();
        print("caller");
        outer.resume();
        print("caller");
        assertEquals(
                List.of(
                        "body's beginning: outer",
                        "outer: outer",
                        "caller: unbound",
                        "body: inner",
                        "body's end: outer",
                        "outer: outer",
                        "caller: unbound"),
                printed);
    }

    @Test
    void aBodyThatThrowsOutOfItsBindingLeavesNothingBound() {
        var co = Coroutine.of(() -> ScopedValue.where(NAME, "inner").run(() -> {
            Coroutine.suspend();
            throw new IllegalStateException("planted");
        }));
        co.resume();
        assertThrows(IllegalStateException.class, co::resume);
        assertFalse(NAME.isBound());
    }

    @Test
    void aGeneratorThatIsDroppedOrClosedMidwayLeavesNothingBound() {
        Generator<String> names =
                Generator.of(sink -> ScopedValue.where(NAME, "inner").run(() -> {
                    sink.yield(NAME.get());
                    sink.yield(NAME.get());
                }));
        assertEquals("inner", names.iterator().next());
        assertFalse(NAME.isBound());
        try (var cursor = names.iterator()) {
            assertEquals("inner", cursor.next());
        }
        assertFalse(NAME.isBound());
    }

    @Test
    void insideAVirtualThreadAsWell() throws Exception {
        Crowd.run(1, Thread.ofVirtual().factory(), i -> {
            var co = binding("inner");
            co.resume();
            Thread.yield();
            print("caller");
            co.resume();
        });
        assertEquals(
                List.of("body's beginning: unbound", "caller: unbound", "body: inner", "body's end: unbound"), printed);
    }

    /** Whoever lends its thread to a virtual thread does not lend its bindings. */
    @Test
    void aVirtualThreadThatResumesACoroutineDoesNotSeeWhatIsBoundBelowIt() {
        var turns = new ArrayDeque<Runnable>();
        Thread mounted = VirtualThreads.unstarted(turns::add, () -> {
            print("before");
            var co = binding("inner");
            co.resume();
            print("between");
            co.resume();
            print("after");
        });
        mounted.start();
        ScopedValue.where(NAME, "carrier").run(() -> {
            turns.remove().run();
            print("carrier");
        });
        assertEquals(
                List.of(
                        "before: unbound",
                        "body's beginning: unbound",
                        "between: unbound",
                        "body: inner",
                        "body's end: unbound",
                        "after: unbound",
                        "carrier: carrier"),
                printed);
    }

    @Test
    void aValueReadBetweenSuspensionsIsTheOneBoundThere() {
        var co = Coroutine.of(() -> {
            for (int i = 0; i < 3; i++) {
                String value = "round " + i;
                ScopedValue.where(NAME, value).run(() -> {
                    for (int again = 0; again < 3; again++) {
                        assertEquals(value, NAME.get());
                        Coroutine.suspend();
                    }
                    ScopedValue.where(NAME, "deeper").run(() -> {
                        Coroutine.suspend();
                        assertEquals("deeper", NAME.get());
                    });
                    assertEquals(value, NAME.get());
                });
                Coroutine.suspend();
            }
        });
        while (!co.isDone()) {
            ScopedValue.where(NAME, "caller").run(() -> {
                assertEquals("caller", NAME.get());
                co.resume();
                assertEquals("caller", NAME.get());
            });
            assertFalse(NAME.isBound());
        }
    }
}
