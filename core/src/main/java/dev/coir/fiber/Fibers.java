package dev.coir.fiber;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Bridges from the JDK's interfaces to fibers. */
public final class Fibers {
    private Fibers() {}

    /**
     * A factory of virtual threads that run on {@code on}. Each is the thread of a fiber of kind VIRTUAL; what its task throws
     * is reported to the uncaught handler.
     *
     * @param on any executor
     * @return makes unstarted threads
     */
    public static ThreadFactory threadFactory(Executor on) {
        Objects.requireNonNull(on, "on");
        return task -> Fiber.builder().on(on).unstarted(task).thread().orElseThrow();
    }

    /**
     * An executor service with a new fiber per task. Closing it waits for its tasks, and leaves {@code on} running.
     *
     * @param on any executor
     * @return the service
     */
    public static ExecutorService executorService(Executor on) {
        return Executors.newThreadPerTaskExecutor(threadFactory(on));
    }
}
