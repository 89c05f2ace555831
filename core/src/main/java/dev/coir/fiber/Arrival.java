package dev.coir.fiber;

import dev.coir.internal.wait.Waiter;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Something that one brings, once, to one who waits for it: the one who made this. */
final class Arrival<T extends @Nullable Object> {
    private final Waiter waiter = new Waiter(); // its signal publishes the rest
    private @Nullable T value;
    private @Nullable Throwable failure;
    private @Nullable CancellationException cancellation;

    void succeed(T brought) {
        value = brought;
        waiter.signal();
    }

    void fail(Throwable cause) {
        failure = cause;
        waiter.signal();
    }

    void cancel(CancellationException why) {
        cancellation = why;
        waiter.signal();
    }

    @SuppressWarnings("NullAway") // T says whether it may be null
    T await(String reason) throws InterruptedException, ExecutionException {
        if (waiter.await(reason, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        if (cancellation != null) throw cancellation;
        if (failure != null) throw new ExecutionException(failure);
        return value;
    }

    void awaitWhateverHappens(String reason) {
        waiter.await(reason, Long.MAX_VALUE, false);
    }
}
