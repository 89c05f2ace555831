package dev.coir.parallel;

import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does several things at once, each in a fiber on the current executor, and returns when all have ended. What one of them
 * throws leaves here, with what others throw suppressed in it; those under way go on to their end, the others are not begun.
 * An interrupt does not end the wait, and is remembered. For time limits and cancellation use a scope.
 */
public final class Parallel {
    /** So many fibers at a time serve a range or an Iterable: enough to wait in, few enough to be cheap. */
    static final int FIBERS = 1024;

    private static final int CLAIMS_PER_FIBER = 4;

    private Parallel() {}

    /**
     * Runs bodies at once. The first runs in the caller.
     *
     * @param bodies what to run; they may wait for each other
     */
    public static void run(Runnable... bodies) {
        for (Runnable each : Objects.requireNonNull(bodies, "bodies")) Objects.requireNonNull(each, "body");
        if (bodies.length == 0) return;
        var all = new Bundle(Math.max(1, bodies.length - 1));
        for (int i = 1; i < bodies.length; i++) all.start(bodies[i]);
        all.runHere(bodies[0]);
        all.join();
    }

    /**
     * Calls a body for every number of a range.
     *
     * @param from the first
     * @param to the first that is not in it; nothing happens when it is not greater than {@code from}
     * @param body gets each number once; at most 1 024 calls are under way at a time
     */
    public static void forEach(int from, int to, IntConsumer body) {
        Objects.requireNonNull(body, "body");
        long size = (long) to - from;
        if (size <= 0) return;
        int fibers = (int) Math.min(size, FIBERS);
        long claim = Math.max(1, size / ((long) FIBERS * CLAIMS_PER_FIBER));
        var next = new AtomicLong(from);
        var all = new Bundle(fibers);
        Runnable part = () -> {
            while (!all.hasFailed()) {
                long begin = next.getAndAdd(claim);
                if (begin >= to) return;
                for (long i = begin; i < Math.min(begin + claim, to); i++) body.accept((int) i);
            }
        };
        for (int i = 1; i < fibers && next.get() < to; i++) all.start(part);
        all.runHere(part);
        all.join();
    }

    /**
     * Calls a body for everything that an Iterable gives. The caller iterates.
     *
     * @param <T> what it gives
     * @param items any; may be endless if the body throws in the end
     * @param body gets each item once; at most 1 024 calls are under way at a time
     */
    public static <T extends @Nullable Object> void forEach(Iterable<? extends T> items, Consumer<? super T> body) {
        Objects.requireNonNull(items, "items");
        Objects.requireNonNull(body, "body");
        var all = new Bundle(FIBERS);
        all.runHere(() -> {
            Iterator<? extends T> each = items.iterator();
            while (!all.hasFailed() && each.hasNext()) {
                T item = each.next();
                all.start(() -> body.accept(item));
            }
        });
        all.join();
    }
}
