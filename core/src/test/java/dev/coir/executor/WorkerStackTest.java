package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How deep a fiber may call is the depth of a worker's stack. */
class WorkerStackTest {
    @ParameterizedTest
    @EnumSource
    void aDeepFiberNeedsADeepWorkerStack(Fiber.Kind kind) {
        try (Scheduler deep =
                Scheduler.builder().workers(1).workerStackSize(64 << 20).start()) {
            assertEquals(100_000, on(deep, kind, () -> depth(100_000)));
        }
    }

    /** Else a fiber could go from a thread with a large stack, which somebody has left behind, to one with a small stack. */
    @ParameterizedTest
    @EnumSource
    void noWorkersStackIsSmallerThanTheJvms(Fiber.Kind kind) {
        try (Scheduler small = Scheduler.builder()
                        .workers(1)
                        .workerStackSize(128 << 10)
                        .start();
                Scheduler usual = Scheduler.start(1)) {
            for (Scheduler each : new Scheduler[] {small, usual}) on(each, kind, WorkerStackTest::end); // compiles it
            int atSmall = on(small, kind, WorkerStackTest::end);
            int atUsual = on(usual, kind, WorkerStackTest::end);
            assertTrue(atSmall > atUsual / 2, () -> atSmall + " levels instead of " + atUsual);
        }
    }

    private interface Body {
        int run();
    }

    private static int on(Scheduler scheduler, Fiber.Kind kind, Body body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body::run).join();
    }

    private static int depth(int n) {
        return n == 0 ? 0 : depth(n - 1) + 1;
    }

    private static int deepest;

    /** How many levels there are to the end. */
    private static int end() {
        for (int i = 0; i < 100; i++) {
            deepest = 0;
            assertThrows(StackOverflowError.class, () -> descend(1));
        }
        return deepest;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int descend(int level) {
        deepest = level;
        return descend(level + 1) + 1;
    }
}
