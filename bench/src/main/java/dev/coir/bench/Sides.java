package dev.coir.bench;

import dev.coir.channel.Clause;
import dev.coir.channel.Select;
import dev.coir.fiber.Fiber;
import java.util.concurrent.Callable;

/** Two parties that talk. */
final class Sides {
    /** What one of them does. */
    interface Part {
        void run() throws InterruptedException;
    }

    private Sides() {}

    /** Runs two fibers and waits for both. */
    static void run(Crowds.Running on, Fiber.Kind kind, Part one, Part other) throws Exception {
        var fibers = Fiber.builder().on(on.scheduler).kind(kind);
        Fiber<?> first = fibers.start(callable(one));
        Fiber<?> second = fibers.start(callable(other));
        first.get();
        second.get();
    }

    private static Callable<Boolean> callable(Part part) {
        return () -> {
            part.run();
            return true;
        };
    }

    /** A part as a thread takes it. */
    static Runnable unchecked(Part part) {
        return () -> {
            try {
                part.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    static int select(Clause<Integer> one, Clause<Integer> other) throws InterruptedException {
        return Select.<Integer>select(one, other);
    }
}
