package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Status;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Whoever may call a primitive: fibers of both kinds, threads of both kinds. */
public enum Callers {
    /** Fibers of kind VIRTUAL. */
    VIRTUAL_FIBER,
    /** Fibers of kind LIGHT. */
    LIGHT_FIBER,
    /** Plain threads. */
    THREAD,
    /** The JDK's virtual threads on the JDK's scheduler. */
    VIRTUAL_THREAD;

    /** A call under way. */
    public interface Call<T> {
        /** Waits for its end; what it threw leaves here, as itself. */
        T get() throws Exception;

        /** Interrupts it, as cancelling a fiber does. */
        void interrupt();

        /** Whether it waits just now. */
        boolean isWaiting();

        /** Waits until it waits. */
        default Call<T> untilWaiting() {
            Crowd.until(this::isWaiting);
            return this;
        }
    }

    /** Whether they run on the scheduler. */
    public boolean areFibers() {
        return this == VIRTUAL_FIBER || this == LIGHT_FIBER;
    }

    /** Starts a call. Fibers run on {@code scheduler}; threads need none. */
    public <T> Call<T> start(Scheduler scheduler, Callable<T> body) {
        return switch (this) {
            case VIRTUAL_FIBER -> new OfFiber<>(scheduler, Fiber.Kind.VIRTUAL, body);
            case LIGHT_FIBER -> new OfFiber<>(scheduler, Fiber.Kind.LIGHT, body);
            case THREAD -> new OfThread<>(Thread.ofPlatform().daemon(), body);
            case VIRTUAL_THREAD -> new OfThread<>(Thread.ofVirtual(), body);
        };
    }

    private static Exception unwrapped(Throwable cause) {
        if (cause instanceof Error error) throw error;
        return (Exception) cause;
    }

    private static final class OfFiber<T> implements Call<T> {
        private final Fiber<T> fiber;
        private final FutureTask<T> outcome; // a cancelled fiber is done before its body is
        private final CountDownLatch started = new CountDownLatch(1);

        OfFiber(Scheduler scheduler, Fiber.Kind kind, Callable<T> body) {
            outcome = new FutureTask<>(body);
            fiber = Fiber.builder().on(scheduler).kind(kind).start((Callable<T>) () -> {
                started.countDown();
                outcome.run();
                return null;
            });
        }

        @Override
        public T get() throws Exception {
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw unwrapped(e.getCause());
            } catch (CompletionException e) {
                throw unwrapped(Objects.requireNonNull(e.getCause()));
            }
        }

        @Override
        public void interrupt() {
            Crowd.until(() -> started.getCount() == 0); // else it would never run
            fiber.cancel(true);
        }

        @Override
        public boolean isWaiting() {
            Status now = fiber.status();
            return now == Status.WAITING || now == Status.TIMED_WAITING;
        }
    }

    private static final class OfThread<T> implements Call<T> {
        private final FutureTask<T> outcome;
        private final Thread thread;

        OfThread(Thread.Builder builder, Callable<T> body) {
            outcome = new FutureTask<>(body);
            thread = builder.start(outcome);
        }

        @Override
        public T get() throws Exception {
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw unwrapped(e.getCause());
            }
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean isWaiting() {
            Thread.State now = thread.getState();
            return now == Thread.State.WAITING || now == Thread.State.TIMED_WAITING;
        }
    }
}
