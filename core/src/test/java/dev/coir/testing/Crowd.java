package dev.coir.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/** Threads that start together. Waits have no limit here: the {@link Watchdog} has one. */
public final class Crowd {
    /** What one thread of the crowd does. */
    public interface Part {
        /**
         * Called once on each thread.
         *
         * @param index 0, 1, ... which thread this is
         */
        void run(int index) throws Exception;
    }

    private Crowd() {}

    /** Runs {@code part} on {@code size} platform threads at once and waits for all; the first failure leaves here. */
    public static void run(int size, Part part) throws Exception {
        run(size, Thread.ofPlatform().daemon().name("crowd ", 0).factory(), part);
    }

    /** As {@link #run(int, Part)}, on threads of the given kind. */
    public static void run(int size, ThreadFactory kind, Part part) throws Exception {
        var start = new CyclicBarrier(size);
        List<FutureTask<Void>> outcomes = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int index = i;
            var outcome = new FutureTask<Void>(() -> {
                start.await();
                part.run(index);
                return null;
            });
            outcomes.add(outcome);
            threads.add(kind.newThread(outcome));
            threads.getLast().start();
        }
        for (FutureTask<Void> each : outcomes) each.get();
        for (Thread each : threads) each.join(); // started in a fiber, they count as its scheduler's
    }

    /** Starts one daemon thread; {@code get()} waits for its end, and throws what it threw. */
    public static FutureTask<Void> start(String name, Part part) {
        var outcome = new FutureTask<Void>(() -> {
            part.run(0);
            return null;
        });
        Thread.ofPlatform().daemon().name(name).start(outcome);
        return outcome;
    }

    /** Runs {@code part} on another thread, to its end. */
    public static void onAnotherThread(Part part) throws Exception {
        run(1, part);
    }

    /** Waits until {@code condition} holds. */
    public static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) throw new AssertionError("interrupted while waiting");
            Thread.yield();
        }
    }

    /** Waits until {@code thread} is parked or blocked. */
    public static void untilWaiting(Thread thread) {
        until(() -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            default -> false;
        });
    }
}
