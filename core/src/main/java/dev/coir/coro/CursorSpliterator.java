package dev.coir.coro;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A cursor as a spliterator that never splits: even a parallel stream then pulls from its calling thread alone. */
record CursorSpliterator<T extends @Nullable Object>(Generator.Cursor<T> cursor) implements Spliterator<T> {
    static <T extends @Nullable Object> Stream<T> stream(Generator.Cursor<T> cursor) {
        return StreamSupport.stream(new CursorSpliterator<>(cursor), false).onClose(cursor::close);
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        if (!cursor.hasNext()) return false;
        action.accept(cursor.next());
        return true;
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED;
    }
}
