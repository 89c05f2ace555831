package dev.coir.testing;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Cancels so many fibers by shutdowns that the JIT takes that for the common case; then one is driven by hand where a stack ends. */
public final class DriveAtTheEnd {
    private static final int SHUTDOWNS = 10;
    private static final int FIBERS = 20_000;
    private static final int DRIVEN = 5;
    private static final int LEVELS = 500;
    private static final int UNTIL_COMPILED = 10_000;
    private static final long PATIENCE_NANOS =
            10_000_000_000L; // where there was no room it is queued again by another thread

    private DriveAtTheEnd() {}

    /**
     * Prints how many of the driven fibers came to no end.
     *
     * @param args which kind of fiber
     */
    public static void main(String[] args) throws Exception {
        ClassLoader.getSystemResource("java/lang/Object.class"); // the JDK must not initialize this where a stack ends
        Fiber.Kind kind = Fiber.Kind.valueOf(args[0]);
        for (int i = 0; i < SHUTDOWNS; i++) cancelMany(kind);
        int lost = 0;
        for (int i = 0; i < DRIVEN; i++) if (!isDriven(kind)) lost++;
        System.out.println("lost " + lost);
    }

    private static void cancelMany(Fiber.Kind kind) {
        try (var scheduler = Scheduler.start(1)) {
            var gate = new Latch(1);
            Fiber.builder().on(scheduler).kind(kind).start(() -> {
                while (gate.getCount() > 0) Thread.onSpinWait();
            });
            for (int i = 0; i < FIBERS; i++) {
                Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    Fiber.yield();
                    Fiber.yield();
                });
            }
            scheduler.shutdownNow();
            gate.countDown();
        }
    }

    private static boolean isDriven(Fiber.Kind kind) throws Exception {
        var enough = new AtomicBoolean();
        var manual = new ManualExecutor();
        Fiber<?> driven = Fiber.builder().on(manual).kind(kind).start(() -> {
            while (!enough.get()) Fiber.yield();
        });
        try (var small =
                Scheduler.builder().workers(1).workerStackSize(256 << 10).start()) {
            return Fiber.builder()
                    .on(small)
                    .kind(Fiber.Kind.LIGHT)
                    .start(() -> {
                        manual.runNext();
                        driveAtTheEnd(manual);
                        for (int i = 0; i < UNTIL_COMPILED; i++) manual.runNext();
                        driveAtTheEnd(manual);
                        enough.set(true);
                        long start = System.nanoTime();
                        while (!driven.isDone() && System.nanoTime() - start < PATIENCE_NANOS) manual.runNext();
                        return driven.isDone();
                    })
                    .get();
        }
    }

    /** Goes down to the end and drives it on the way back. @return how many levels above the end it is */
    @SuppressWarnings("InfiniteRecursion")
    private static int driveAtTheEnd(ManualExecutor manual) {
        int above;
        try {
            above = driveAtTheEnd(manual) + 1;
        } catch (StackOverflowError end) {
            above = 0;
        }
        try {
            if (above < LEVELS) manual.runNext();
        } catch (StackOverflowError tooDeep) {
            return above;
        }
        return above;
    }
}
