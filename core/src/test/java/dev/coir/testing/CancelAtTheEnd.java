package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Cancels so many fibers whose callback is a strand's that the JIT takes that for the common case; then one that others have joined, where
 * a stack ends.
 */
public final class CancelAtTheEnd {
    private static final int UNTIL_COMPILED = 60_000;
    private static final int FIBERS = 5;

    private CancelAtTheEnd() {}

    /**
     * Prints how many of those who joined wait still.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        ClassLoader.getSystemResource("java/lang/Object.class"); // the JDK must not initialize this where a stack ends
        int lost = 0;
        try (var scheduler = Scheduler.start(1)) {
            Strand strand = Strand.over(scheduler);
            for (int i = 0; i < UNTIL_COMPILED; i++)
                calledBack(scheduler, strand).cancel(false);
            for (int i = 0; i < FIBERS; i++) {
                Fiber<?> fiber = Fiber.builder().on(scheduler).unstarted(() -> {});
                var joiner = new FutureTask<>(() -> {
                    try {
                        return fiber.join();
                    } catch (CancellationException asMeant) {
                        return null;
                    }
                });
                var thread = new Thread(joiner);
                thread.start();
                while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
                fiber.toCompletableFuture().whenComplete((value, failure) -> strand.execute(() -> {}));
                var deep = new FutureTask<>(() -> cancelAtTheEnd(fiber), null);
                new Thread(null, deep, "deep", 256 << 10).start();
                deep.get();
                try {
                    joiner.get(5, TimeUnit.SECONDS);
                } catch (TimeoutException waitsStill) {
                    lost++;
                }
            }
        }
        System.out.println("lost " + lost);
        System.exit(0);
    }

    private static Fiber<?> calledBack(Scheduler on, Strand strand) {
        Fiber<?> fiber = Fiber.builder().on(on).unstarted(() -> {});
        fiber.toCompletableFuture().whenComplete((value, failure) -> strand.execute(() -> {}));
        return fiber;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void cancelAtTheEnd(Fiber<?> fiber) {
        try {
            cancelAtTheEnd(fiber);
        } catch (StackOverflowError end) {
            return;
        }
        try {
            if (!fiber.isDone()) fiber.cancel(false);
        } catch (StackOverflowError tooDeep) {
            return;
        }
    }
}
