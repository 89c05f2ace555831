package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Fibers that are queued when the heap is full, on workers that have never queued anything themselves. For FullHeapTest. */
public final class FullAtBegin {
    private static final int FIBERS = 1_000;
    private static final int LEAST_BYTES = 16;
    private static final long FULL_NANOS = 1_000_000_000;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static volatile boolean begun;

    @SuppressWarnings("UnusedVariable") // held, not read
    private static Object @Nullable [] kept; // an array that holds the one before, and so on

    private FullAtBegin() {}

    /**
     * Prints how many fibers have not ended.
     *
     * @param args the kind of the fibers
     */
    public static void main(String[] args) {
        var kind = Fiber.Kind.valueOf(args[0]);
        var scheduler = Scheduler.builder()
                .workers(1)
                .uncaughtHandler((thread, failure) -> {})
                .start();
        Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind);
        for (int i = 0; i < 100; i++) builder.start(() -> {}).join(); // what has to be loaded is loaded
        for (Fiber<?> each : many(builder)) each.join();
        builder.start(() -> {
            while (!begun) Thread.onSpinWait();
        });
        Fiber<?>[] all = many(builder);
        fill();
        begun = true;
        long end = System.nanoTime() + FULL_NANOS;
        while (System.nanoTime() - end < 0) LockSupport.parkNanos(1_000_000);
        kept = null;
        end = System.nanoTime() + PATIENCE_NANOS;
        while (stuck(all) != 0 && System.nanoTime() - end < 0) LockSupport.parkNanos(1_000_000);
        System.out.println("stuck: " + stuck(all));
        Runtime.getRuntime().halt(0);
    }

    private static Fiber<?>[] many(Fiber.Builder builder) {
        var all = new Fiber<?>[FIBERS];
        for (int i = 0; i < FIBERS; i++) all[i] = builder.start(() -> {});
        return all;
    }

    private static void fill() {
        int size = 1 << 20;
        while (size > LEAST_BYTES) {
            try {
                var link = new Object[] {kept, null};
                link[1] = new byte[size];
                kept = link;
            } catch (OutOfMemoryError full) {
                size >>= 1;
            }
        }
    }

    private static int stuck(Fiber<?>[] all) {
        int stuck = 0;
        for (Fiber<?> each : all) if (!each.isDone()) stuck++;
        return stuck;
    }
}
