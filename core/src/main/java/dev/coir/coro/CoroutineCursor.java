package dev.coir.coro;

import dev.coir.coro.Generator.Sink;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A generator's body in a coroutine, and the one-value slot between it and its consumer. */
final class CoroutineCursor<T extends @Nullable Object> implements Generator.Cursor<T>, Sink<T> {
    private final Coroutine coroutine;
    private boolean full; // the slot holds a value that next() has not taken
    private @Nullable T slot;

    CoroutineCursor(Consumer<? super Sink<T>> body) {
        this.coroutine = Coroutine.of(() -> body.accept(this));
    }

    @Override
    public boolean hasNext() {
        while (!coroutine.isDone()) {
            coroutine.confine();
            if (full) return true;
            coroutine.resume();
        }
        return false;
    }

    @Override
    @SuppressWarnings("NullAway") // when full, the slot holds a T, which may itself be null
    public T next() {
        if (!hasNext()) throw new NoSuchElementException("the generator has no more values");
        full = false;
        T value = slot;
        slot = null;
        return value;
    }

    @Override
    public void yield(T value) {
        if (Coroutine.current() != coroutine) {
            throw new IllegalStateException("yield from outside the generator's body: call it on the body's own thread"
                    + " and not from within another coroutine or generator (there, use yieldAll on the outer sink)");
        }
        slot = value;
        full = true;
        try {
            Coroutine.suspend();
        } catch (Throwable refusalOrClose) {
            full = false;
            slot = null;
            throw refusalOrClose;
        }
    }

    @Override
    public void close() {
        coroutine.unwind(); // a value that was ready is dropped by the yield that offered it
    }

    @Override
    public String toString() {
        return "Cursor[" + (full ? "value ready, " : "") + coroutine + "]";
    }
}
