package dev.coir.net.internal;

import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Party;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A party that runs as far as it gets when the test says so: a fiber on the test's own thread. A thread cannot be held back; it
 * runs whenever it can, and the test waits until it has got as far.
 */
final class Stepped<T> {
    /** Who reads or writes. */
    enum Who {
        VIRTUAL_FIBER,
        LIGHT_FIBER,
        THREAD
    }

    private final ManualExecutor executor = new ManualExecutor();
    private final Future<T> future;
    private final Runnable interrupt;

    private Stepped(Who who, Callable<T> body) {
        if (who == Who.THREAD) {
            var task = new FutureTask<>(body);
            Thread thread = Thread.ofPlatform().daemon().start(task);
            future = task;
            interrupt = thread::interrupt;
        } else {
            Fiber.Kind kind = who == Who.LIGHT_FIBER ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
            Fiber<T> fiber = Fiber.builder().on(executor).kind(kind).start(body);
            future = fiber;
            interrupt = () -> Party.interrupt(fiber);
        }
    }

    static <T> Stepped<T> start(Who who, Callable<T> body) {
        return new Stepped<>(who, body);
    }

    /** Runs it until it waits for one direction of a handle. */
    Stepped<T> runUntilItAwaits(Handle handle, int direction) {
        if (!runsUntilItAwaits(handle, direction)) throw new AssertionError("it has ended: " + future);
        return this;
    }

    /** Runs it until it waits for one direction of a handle. @return false when it has ended before */
    boolean runsUntilItAwaits(Handle handle, int direction) {
        while (!handle.isAwaited(direction)) {
            if (future.isDone()) return false;
            if (!executor.runNext()) Thread.yield();
        }
        return true;
    }

    /** Waits until it could run, and does not run it. */
    void awaitRunnable() {
        while (executor.isEmpty()) Thread.yield();
    }

    void interrupt() {
        interrupt.run();
    }

    /** Runs it to its end. @return what it returned; what it threw is thrown */
    T end() throws Exception {
        while (!future.isDone()) {
            executor.drain();
            Thread.yield();
        }
        try {
            return future.get(0, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) throw cause;
            throw e;
        }
    }
}
