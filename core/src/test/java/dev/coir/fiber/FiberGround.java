package dev.coir.fiber;

import dev.coir.fiber.Fiber.Status;
import dev.coir.testing.Crowd;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** The ground that fibers of a contract stand on: an executor and a kind. */
abstract class FiberGround {
    @Parameter
    Ground ground;

    private Ground.Open open;

    @BeforeEach
    void openGround() throws Exception {
        open = ground.opens().open();
    }

    @AfterEach
    void closeGround() throws Exception {
        open.closing().close();
    }

    final Executor executor() {
        return open.executor();
    }

    final Fiber.Builder fibers() {
        return Fiber.builder().on(executor()).kind(ground.kind());
    }

    /** For tests in which both overloads would do. */
    final <T> Fiber<T> call(Callable<T> body) {
        return fibers().start(body);
    }

    /** A fiber that waits until {@code gate} opens, and is seen to wait. */
    final <T> Fiber<T> waitingAt(CompletableFuture<T> gate) {
        Fiber<T> fiber = call(() -> Fiber.await(gate));
        untilStatus(fiber, Status.WAITING);
        return fiber;
    }

    static void untilStatus(Fiber<?> fiber, Status status) {
        Crowd.until(() -> fiber.status() == status);
    }
}
