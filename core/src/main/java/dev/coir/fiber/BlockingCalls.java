package dev.coir.fiber;

import dev.coir.internal.StackRoom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Threads that make blocking calls on behalf of fibers. */
final class BlockingCalls {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("coir-blocking-", 0).factory());

    private BlockingCalls() {}

    static <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        StackRoom.ensureMore(); // what is begun elsewhere must be waited for
        var outcome = new Arrival<T>();
        Future<?> making = THREADS.submit(() -> {
            try {
                outcome.succeed(call.call());
            } catch (Throwable failure) {
                outcome.fail(failure);
            }
        });
        try {
            return outcome.await(Fiber.BLOCKING_CALL);
        } catch (InterruptedException e) {
            making.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) throw cause;
            if (e.getCause() instanceof Error cause) throw cause;
            throw e;
        }
    }
}
