package dev.coir.coro;

import java.util.Iterator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sequence written as ordinary code: the body hands out values with {@link Sink#yield}, from any depth, and runs only
 * as far as its consumer asks.
 *
 * {@snippet :
 * Generator<Integer> naturals = Generator.of(sink -> {
 *     for (int n = 0; ; n++) sink.yield(n);
 * });
 * for (int n : naturals) { if (n > 9) break; System.out.println(n); }
 * }
 *
 * <p>Each iterator is used by one thread, the one that first asked it for a value. An iterator that is dropped midway is
 * garbage; to have the body's {@code finally} blocks run, {@linkplain Cursor#close close} it.
 *
 * @param <T> what it yields
 */
public interface Generator<T extends @Nullable Object> extends Iterable<T> {
    /**
     * A generator over {@code body}. Each {@link #iterator} runs the body afresh.
     *
     * @param <T> what it yields
     * @param body the code that yields
     * @return the generator
     */
    static <T extends @Nullable Object> Generator<T> of(Consumer<? super Sink<T>> body) {
        Objects.requireNonNull(body, "body");
        return () -> new CoroutineCursor<>(body);
    }

    @Override
    Cursor<T> iterator();

    /**
     * The values as a stream; lazy, ordered, and always run by the thread that calls the terminal operation. Closing the
     * stream closes the body.
     *
     * @return a stream over a fresh run of the body
     */
    default Stream<T> stream() {
        return CursorSpliterator.stream(iterator());
    }

    /**
     * Where a body puts its values.
     *
     * @param <T> what it takes
     */
    @FunctionalInterface
    interface Sink<T extends @Nullable Object> {
        /**
         * Hands out one value and suspends the body until the next is asked for.
         *
         * @param value the value
         * @throws IllegalStateException when called from elsewhere than this generator's own body
         */
        void yield(T value);

        /**
         * Hands out every value of {@code values}, in order. A generator among them is closed when this one is.
         *
         * @param values what to hand out
         */
        default void yieldAll(Iterable<? extends T> values) {
            Iterator<? extends T> each =
                    Objects.requireNonNull(values, "values").iterator();
            try {
                while (each.hasNext()) this.yield(each.next());
            } finally {
                if (each instanceof Cursor<?> cursor) cursor.close();
            }
        }
    }

    /**
     * One run of a generator's body. What the body throws leaves {@link #hasNext} or {@link #next}, once; after that the
     * cursor is at its end.
     *
     * @param <T> what it yields
     */
    interface Cursor<T extends @Nullable Object> extends Iterator<T>, AutoCloseable {
        /**
         * Ends the run: the body's pending {@code yield} throws, so that its {@code finally} blocks run. Does nothing at
         * the end or when called again; a body that never started is not started.
         *
         * @throws IllegalStateException when called by the body itself
         * @throws WrongThreadException when another thread uses this cursor
         */
        @Override
        void close();
    }
}
