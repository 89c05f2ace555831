package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large numbers: a tree of a million fibers, half a million yields, parks and sleeps. The short dose takes a tenth of it. */
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
class ManyStressTest {
    private static final int DOSE = Chaos.isLongDose() ? 10 : 1;

    @ParameterizedTest
    @EnumSource
    void skynet(Fiber.Kind kind) {
        long leaves = 100_000L * DOSE;
        try (var scheduler = Scheduler.start(2)) {
            Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind);
            long sum = builder.start(() -> skynet(builder, 0, leaves)).join();
            assertEquals(leaves * (leaves - 1) / 2, sum);
        }
    }

    private static long skynet(Fiber.Builder builder, long first, long leaves) {
        if (leaves == 1) return first;
        List<Fiber<Long>> children = new ArrayList<>(10);
        long each = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long from = first + i * each;
            children.add(builder.start(() -> skynet(builder, from, each)));
        }
        long sum = 0;
        for (Fiber<Long> child : children) sum += child.join();
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void yields(Fiber.Kind kind) {
        count(kind, 500, 100 * DOSE, i -> Fiber.yield());
    }

    @ParameterizedTest
    @EnumSource
    void sleeps(Fiber.Kind kind) {
        count(kind, 5000, 10 * DOSE, i -> Fiber.sleep(Duration.ofNanos((i * 7919L) % 2_000_000)));
    }

    /** Each waits for a stage that another task completes at the same time. */
    @ParameterizedTest
    @EnumSource
    void parks(Fiber.Kind kind) {
        try (var scheduler = Scheduler.start(2)) {
            count(scheduler, kind, 500, 100 * DOSE, i -> {
                var stage = new CompletableFuture<Integer>();
                if (i % 2 == 0) scheduler.execute(() -> stage.complete(i));
                else Fiber.go(scheduler, () -> stage.complete(i));
                assertEquals(i, Fiber.await(stage));
            });
        }
    }

    /** Virtual fibers park as any thread does, and are unparked by a plain task, early or late. */
    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void parksOfTheThread(Fiber.Kind kind) {
        try (var scheduler = Scheduler.start(2)) {
            count(scheduler, kind, 500, 100 * DOSE, i -> {
                Thread self = Thread.currentThread();
                scheduler.execute(() -> LockSupport.unpark(self));
                LockSupport.park();
            });
        }
    }

    private interface Step {
        void run(int i) throws Exception;
    }

    private static void count(Fiber.Kind kind, int fibers, int steps, Step step) {
        try (var scheduler = Scheduler.start(2)) {
            count(scheduler, kind, fibers, steps, step);
        }
    }

    private static void count(Scheduler scheduler, Fiber.Kind kind, int fibers, int steps, Step step) {
        var done = new LongAdder();
        List<Fiber<?>> all = new ArrayList<>();
        for (int f = 0; f < fibers; f++) {
            all.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                for (int i = 0; i < steps; i++) {
                    step.run(i);
                    done.increment();
                }
                return null;
            }));
        }
        for (Fiber<?> each : all) each.join();
        assertEquals((long) fibers * steps, done.sum());
    }
}
