package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.internal.Rethrow;
import dev.coir.sync.Latch;
import dev.coir.testing.Crowd;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fiber that has begun can end, whatever becomes of its executor. */
class BrokenExecutorTest {
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class, RejectedExecutionException.class})
    void whoWakesAFiberOfABrokenExecutorNoticesNothingAndTheFiberGoesOn(Class<? extends Throwable> failure) {
        var broken = new AtomicBoolean();
        Executor executor = command -> {
            if (broken.get()) throw Rethrow.asIs(made(failure));
            new Thread(command).start();
        };
        var gate = new Latch(1);
        Fiber<Integer> fiber = Fiber.go(executor, () -> {
            gate.await();
            return 42;
        });
        Crowd.until(() -> fiber.status() == Fiber.Status.WAITING);
        broken.set(true);
        gate.countDown();
        assertEquals(42, fiber.join());
    }

    private static Throwable made(Class<? extends Throwable> failure) {
        try {
            return failure.getConstructor(String.class).newInstance("broken");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such failure", e);
        }
    }
}
