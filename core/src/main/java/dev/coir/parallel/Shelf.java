package dev.coir.parallel;

import dev.coir.internal.StackRoom;
import dev.coir.internal.task.LockFreeStack;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The idle items of a pool, the one used last on top: it is the warmest. */
final class Shelf<T> {
    private final Supplier<? extends T> maker;
    private final LockFreeStack<T> idle = new LockFreeStack<>();

    Shelf(Supplier<? extends T> maker) {
        this.maker = Objects.requireNonNull(maker, "maker");
    }

    /** An idle item, else a new one. */
    Loan<T> take(Runnable whenBack) {
        T item = idle.pop();
        if (item == null) item = Objects.requireNonNull(maker.get(), "the pool's supplier returned null");
        return new Taken(item, whenBack);
    }

    private final class Taken implements Loan<T> {
        private final AtomicReference<@Nullable T> item;
        private final Runnable whenBack;

        Taken(T item, Runnable whenBack) {
            this.item = new AtomicReference<>(item);
            this.whenBack = whenBack;
        }

        @Override
        public T get() {
            T mine = item.get();
            if (mine == null) throw new IllegalStateException("the loan was given back; borrow again");
            return mine;
        }

        @Override
        public void close() {
            StackRoom.ensureMore(); // to tell the pool, once it is given back
            T mine = item.getAndSet(null);
            if (mine == null) return;
            idle.push(mine);
            whenBack.run();
        }

        @Override
        public String toString() {
            T mine = item.get();
            return "Loan[" + (mine == null ? "given back" : mine) + "]";
        }
    }
}
