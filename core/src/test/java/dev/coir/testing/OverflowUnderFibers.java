package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets the stack of a worker end while a plain task runs fibers on top of itself at ever deeper levels; then uses the worker as
 * if nothing had been. For SwitchOverflowTest.
 */
public final class OverflowUnderFibers {
    private static final int ROUNDS = 40;

    private OverflowUnderFibers() {}

    /**
     * Prints "survived" when the JVM does.
     *
     * @param args the kind of the fibers
     */
    public static void main(String[] args) throws Exception {
        var kind = Fiber.Kind.valueOf(args[0]);
        var wrong = new AtomicInteger();
        var scheduler = Scheduler.start(1);
        for (int i = 0; i < ROUNDS && wrong.get() == 0; i++) {
            var stop = new AtomicBoolean();
            Fiber<?> above = local(scheduler, kind).start(() -> {
                while (!stop.get()) Fiber.yield();
            });
            int skipped = i;
            scheduler.execute(() -> {
                Thread self = Thread.currentThread();
                overflow(skipped);
                if (Thread.currentThread() != self) wrong.incrementAndGet();
                stop.set(true);
            });
            Fiber<?> next = local(scheduler, kind).start(() -> {
                while (!stop.get()) Fiber.yield();
                Fiber.sleep(Duration.ofMillis(1));
                return null;
            });
            if (!ends(above) || !ends(next)) wrong.incrementAndGet();
        }
        System.out.println("survived, wrong " + wrong);
        if (wrong.get() == 0) scheduler.close();
        else Runtime.getRuntime().halt(1); // the worker may be stuck
    }

    private static boolean ends(Fiber<?> fiber) throws InterruptedException {
        try {
            fiber.get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException overflow) {
            return overflow.getCause() instanceof StackOverflowError; // its own body found no room
        } catch (TimeoutException lost) {
            return false;
        }
    }

    private static Fiber.Builder local(Scheduler scheduler, Fiber.Kind kind) {
        return Fiber.builder().on(scheduler).kind(kind).local(true);
    }

    private static void overflow(int skipped) {
        int[] deepest = {0};
        try {
            measure(0, deepest);
        } catch (StackOverflowError expected) {
            deepest[0] -= 400 - skipped;
        }
        try {
            yieldBelow(deepest[0], 0);
        } catch (StackOverflowError expected) {
            return;
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int measure(int depth, int[] deepest) {
        deepest[0] = depth;
        return measure(depth + 1, deepest) + 1;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int yieldBelow(int from, int depth) {
        if (depth >= from) Fiber.yield();
        return yieldBelow(from, depth + 1) + 1;
    }
}
