package dev.coir.parallel;

import dev.coir.fiber.Fiber;
import dev.coir.sync.Semaphore;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Fibers that are started one by one and waited for together; the first failure is what they all end with. */
final class Bundle {
    private final int limit;
    private final Semaphore room;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** At most {@code limit} run at a time. */
    Bundle(int limit) {
        this.limit = limit;
        this.room = new Semaphore(limit);
    }

    /** Runs a body in a fiber on the current executor; here, if that has no room. Waits while the limit is reached. */
    void start(Runnable body) {
        room.acquireUninterruptibly();
        var part = new Part(body);
        Fiber<Object> fiber;
        try {
            fiber = Fiber.builder().start(part);
        } catch (RejectedExecutionException full) {
            part.call();
            return;
        } catch (Throwable broken) { // an executor out of memory, or one with an exception of its own for a refusal
            part.giveUp(broken);
            return;
        }
        fiber.toCompletableFuture().whenComplete(part);
    }

    /** One body. A fiber that is cancelled before it starts never runs it; that counts as a failure. */
    private final class Part implements Callable<Object>, BiConsumer<@Nullable Object, @Nullable Throwable> {
        private final Runnable body;
        private final AtomicBoolean begun = new AtomicBoolean();

        Part(Runnable body) {
            this.body = body;
        }

        @Override
        public Object call() {
            if (begun.compareAndSet(false, true)) {
                runHere(body);
                room.release();
            }
            return this;
        }

        @Override
        public void accept(@Nullable Object result, @Nullable Throwable cancelled) {
            if (!begun.get()) giveUp(new CancellationException("the scheduler shut down before this began"));
        }

        /** It never begins, unless it has. */
        void giveUp(Throwable why) {
            if (!begun.compareAndSet(false, true)) return;
            failed(why);
            room.release();
        }
    }

    /** Runs a body in the calling party. */
    void runHere(Runnable body) {
        try {
            body.run();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    private void failed(Throwable thrown) {
        if (failure.compareAndSet(null, thrown)) return;
        Throwable first = failure.get();
        if (first != null && first != thrown) {
            synchronized (this) {
                first.addSuppressed(thrown);
            }
        }
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Waits for all, whatever happens, and throws the first failure with the others suppressed. */
    void join() {
        room.acquireUninterruptibly(limit);
        room.release(limit);
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException unchecked) throw unchecked;
        if (thrown instanceof Error error) throw error;
        if (thrown != null) throw new IllegalStateException(thrown); // sneaked through a Runnable
    }
}
