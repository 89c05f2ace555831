package dev.coir.scope;

import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The joiners that are there. */
final class Joiners {
    private Joiners() {}

    /** What went wrong, in the order in which it came. */
    private static final class Failures {
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        void add(Fiber<?> child) {
            failures.add(
                    child.isCancelled()
                            ? new CancellationException("cancelled: " + child.name())
                            : child.exceptionNow());
        }

        boolean isEmpty() {
            return failures.isEmpty();
        }

        ScopeFailedException exception() {
            var exception = new ScopeFailedException(failures.remove());
            for (Throwable each : failures) {
                if (each != exception.getCause()) exception.addSuppressed(each);
            }
            return exception;
        }
    }

    /** Of a scope for which nothing was said: the first failure ends it, and there is no result. */
    static final class NoneFails<T extends @Nullable Object> implements Joiner<T, @Nullable Void> {
        private final Failures failures = new Failures();

        @Override
        public boolean onComplete(Fiber<? extends T> child) {
            if (child.state() != Future.State.FAILED) return false;
            failures.add(child);
            return true;
        }

        @Override
        public @Nullable Void result() {
            if (!failures.isEmpty()) throw failures.exception();
            return null;
        }
    }

    static final class All<T extends @Nullable Object> implements Joiner<T, List<T>> {
        private final List<Fiber<? extends T>> children = new ArrayList<>(); // the owner only
        private final Failures failures = new Failures();

        @Override
        public void onFork(Fiber<? extends T> child) {
            children.add(child);
        }

        @Override
        public boolean onComplete(Fiber<? extends T> child) {
            switch (child.state()) {
                case FAILED -> failures.add(child);
                case CANCELLED -> {
                    if (failures.isEmpty()) failures.add(child); // else it was because of a failure
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public List<T> result() {
            if (!failures.isEmpty()) throw failures.exception();
            List<T> results = new ArrayList<>(children.size());
            for (Fiber<? extends T> each : children) {
                if (!each.isCancelled()) results.add(each.resultNow()); // else the executor refused it
            }
            return Collections.unmodifiableList(results); // which may contain null
        }
    }

    static final class Any<T extends @Nullable Object> implements Joiner<T, T> {
        private final AtomicReference<@Nullable Fiber<? extends T>> first = new AtomicReference<>();
        private final Failures failures = new Failures();

        @Override
        public boolean onComplete(Fiber<? extends T> child) {
            if (child.state() == Future.State.SUCCESS) {
                first.compareAndSet(null, child);
                return true;
            }
            failures.add(child);
            return false;
        }

        @Override
        public T result() {
            Fiber<? extends T> winner = first.get();
            if (winner != null) return winner.resultNow();
            if (failures.isEmpty())
                throw new ScopeFailedException(new NoSuchElementException("no child was forked: fork before join"));
            throw failures.exception();
        }
    }

    static final class Settled<T extends @Nullable Object> implements Joiner<T, List<Fiber<? extends T>>> {
        private final List<Fiber<? extends T>> children = new ArrayList<>(); // the owner only

        @Override
        public void onFork(Fiber<? extends T> child) {
            children.add(child);
        }

        @Override
        public boolean onComplete(Fiber<? extends T> child) {
            return false;
        }

        @Override
        public List<Fiber<? extends T>> result() {
            return List.copyOf(children);
        }
    }
}
