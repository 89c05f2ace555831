package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ground for the contract of a primitive: each test of a subclass runs for every {@link Pairing}. */
@ParameterizedClass
@MethodSource("pairings")
abstract class SyncContract {
    /** What a party does. */
    interface Body {
        void run() throws Exception;
    }

    /** A party that has been started. */
    static final class Running {
        private final CompletableFuture<Void> outcome = new CompletableFuture<>();
        private Thread thread;
        private Fiber<?> fiber;

        private void run(Body body) {
            try {
                body.run();
                outcome.complete(null);
            } catch (Throwable failure) {
                outcome.completeExceptionally(failure);
            }
        }

        /** Waits for its end; what it threw leaves here. */
        void join() throws Exception {
            try {
                outcome.get();
            } catch (ExecutionException e) {
                throw new AssertionError("a party failed: " + e.getCause(), e.getCause());
            }
        }

        boolean isDone() {
            return outcome.isDone();
        }

        /** Interrupts a thread, cancels a fiber. */
        void interrupt() {
            if (fiber != null) fiber.cancel(true);
            else thread.interrupt();
        }

        void untilWaiting() {
            if (fiber == null) Crowd.untilWaiting(thread);
            else
                Crowd.until(() -> fiber.status() == Fiber.Status.WAITING
                        || fiber.status() == Fiber.Status.TIMED_WAITING
                        || outcome.isDone());
        }

        Thread thread() {
            return fiber == null ? thread : fiber.thread().orElse(null);
        }
    }

    @Parameter
    Pairing pairing;

    private Scheduler scheduler;
    private final List<Running> started = new ArrayList<>();

    static Stream<Pairing> pairings() {
        return Pairing.all();
    }

    @BeforeEach
    void openScheduler() {
        scheduler = Schedulers.start(pairing.workers());
    }

    @AfterEach
    void closeScheduler() throws Exception {
        for (Running each : started) {
            each.join();
            if (each.thread != null) each.thread.join();
        }
        Schedulers.close(scheduler);
    }

    final Scheduler scheduler() {
        return scheduler;
    }

    /** Starts the first of the pairing. */
    final Running first(Body body) {
        return start(pairing.first(), body);
    }

    /** Starts the second of the pairing. */
    final Running second(Body body) {
        return start(pairing.second(), body);
    }

    /** Starts one or the other: the first for even numbers. */
    final Running either(int number, Body body) {
        return number % 2 == 0 ? first(body) : second(body);
    }

    final Running start(Who who, Body body) {
        var running = new Running();
        switch (who) {
            case THREAD ->
                running.thread = Thread.ofPlatform().daemon().name("a thread").start(() -> running.run(body));
            case VIRTUAL_THREAD -> running.thread = Thread.startVirtualThread(() -> running.run(body));
            case BOUND_THREAD -> {
                // It is done before it leaves: to leave, it waits for the fibers that began on it.
                Runnable bound = () -> {
                    try (var _ = scheduler.bind()) {
                        running.run(body);
                    }
                };
                running.thread =
                        Thread.ofPlatform().daemon().name("a bound thread").start(bound);
            }
            case VIRTUAL_FIBER, LIGHT_FIBER -> {
                var kind = who == Who.LIGHT_FIBER ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
                running.fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> running.run(body));
            }
        }
        started.add(Objects.requireNonNull(running));
        return running;
    }

    /** Runs a body as the first of the pairing, to its end. */
    final void inFirst(Body body) throws Exception {
        first(body).join();
    }

    /** Whether the calling party was interrupted; it is not any more. */
    static boolean tookInterrupt() {
        try {
            Fiber.sleep(Duration.ZERO);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Asserts that something throws InterruptedException and that nothing is left of the interrupt. */
    static void assertInterrupted(Executable what) {
        assertThrows(InterruptedException.class, what);
        assertFalse(tookInterrupt(), "the interrupt was not taken");
    }
}
