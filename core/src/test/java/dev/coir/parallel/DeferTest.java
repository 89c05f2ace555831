package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeferTest {
    private final List<String> steps = new ArrayList<>();

    @Test
    void whatIsDeferredHappensAtTheEndTheLastFirst() {
        try (var defer = Defer.of(() -> steps.add("first"))) {
            defer.add(() -> steps.add("second"));
            steps.add("body");
        }
        assertEquals(List.of("body", "second", "first"), steps);
    }

    @Test
    void itHappensAlsoWhenTheBlockThrows() {
        assertThrows(IllegalStateException.class, () -> {
            try (var _ = Defer.of(() -> steps.add("end"))) {
                throw new IllegalStateException("why");
            }
        });
        assertEquals(List.of("end"), steps);
    }

    @Test
    void oneThatThrowsDoesNotKeepTheOthersFromHappening() {
        var first = new IllegalStateException("first");
        var second = new AssertionError("second");
        var defer = Defer.of(() -> steps.add("end"));
        defer.add(() -> {
            throw second;
        });
        defer.add(() -> {
            throw first;
        });
        assertSame(first, assertThrows(IllegalStateException.class, defer::close));
        assertSame(second, first.getSuppressed()[0]);
        assertEquals(List.of("end"), steps);
        defer.close();
        assertEquals(List.of("end"), steps, "once");
    }

    /** Code of other languages, and code that sneaks, throws it through a Runnable. */
    @Test
    void aCheckedExceptionDoesNotKeepTheOthersFromHappeningEither() {
        var first = new IOException("first");
        var second = new IllegalStateException("second");
        var defer = Defer.of(() -> steps.add("end"));
        defer.add(() -> {
            throw second;
        });
        defer.add(() -> DeferTest.<RuntimeException>sneak(first));
        assertSame(first, assertThrows(IOException.class, defer::close));
        assertSame(second, first.getSuppressed()[0]);
        assertEquals(List.of("end"), steps);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void whatIsCancelledDoesNotHappen() {
        try (var defer = Defer.of(() -> steps.add("end"))) {
            defer.cancel();
            assertThrows(NullPointerException.class, () -> defer.add(null));
        }
        assertEquals(List.of(), steps);
    }
}
