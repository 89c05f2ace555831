package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.sync.Semaphore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces that are switched on and off while fibers of all sorts run: every file is whole, and what it shows lies in order. */
class TraceStormTest {
    private static final int ROUNDS = "long".equals(System.getProperty("coir.dose")) ? 300 : 12;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "VIRTUAL,8", "LIGHT,0", "LIGHT,1", "LIGHT,2", "LIGHT,8"})
    void switchingOnAndOffInAStorm(Kind kind, int workers) throws Exception {
        var steps = new AtomicInteger();
        Path file = folder.resolve("trace.json");
        try (var ground = new Ground(workers)) {
            churn(ground, kind, steps);
            for (int round = 0; round < ROUNDS; round++) {
                int before;
                try (var trace = Trace.to(file, round % 3 == 0 ? 32 : 4096)) {
                    before = steps.get();
                    Ground.await(() -> steps.get() > before + 200);
                }
                var read = new TraceReader(file);
                assertTrue(read.count(each -> each.category().equals("fiber")) > 0, "round " + round);
                if (round % 3 == 0) assertTrue(read.lost > 0, "round " + round);
            }
        }
        assertFalse(Trace.isOn());
    }

    /** C1 of Recorder: from its first event to its last nothing of a thread is missing. Each slice makes one mark. */
    @ParameterizedTest
    @CsvSource({"VIRTUAL,1", "VIRTUAL,2", "LIGHT,1", "LIGHT,2"})
    void nothingIsMissingInTheMiddle(Kind kind, int workers) throws Exception {
        Path file = folder.resolve("trace.json");
        try (var ground = new Ground(workers)) {
            var steps = new AtomicInteger();
            for (String name : List.of("a", "b")) ground.start(kind, name, () -> yields(ground, steps));
            Ground.await(() -> steps.get() > 20_000); // compiled
            for (int round = 0; round < ROUNDS; round++) {
                try (var trace = Trace.to(file)) {
                    int before = steps.get();
                    Ground.await(() -> steps.get() > before + 100);
                }
                var read = new TraceReader(file);
                for (String name : List.of("a", "b")) checkSteps(read, name);
            }
        }
    }

    private static boolean yields(Ground ground, AtomicInteger steps) {
        for (int i = 0; !ground.stop.get(); i++) {
            steps.incrementAndGet();
            if (Trace.isOn()) Trace.mark(Integer.toString(i));
            Fiber.yield();
        }
        return true;
    }

    private static void checkSteps(TraceReader read, String fiber) {
        List<Integer> marks = read.row(Scene.Stage.FIBERS, fiber).stream()
                .filter(each -> each.category().equals("mark"))
                .map(each -> Integer.valueOf(each.name()))
                .toList();
        for (int i = 1; i < marks.size(); i++) assertEquals(marks.get(i - 1) + 1, marks.get(i), marks::toString);
        long slices = read.count(each -> each.category().equals("fiber")
                && each.name().equals(fiber)
                && each.phase().equals("X"));
        assertTrue(Math.abs(slices - marks.size()) <= 1, () -> slices + " slices, marks: " + marks);
    }

    private static void churn(Ground ground, Kind kind, AtomicInteger steps) {
        for (int i = 0; i < 3; i++) {
            ground.start(kind, "yields-" + i, () -> {
                while (!ground.stop.get()) {
                    try (var event = Trace.event("step")) {
                        steps.incrementAndGet();
                        Fiber.yield();
                    }
                }
                return true;
            });
        }
        var ping = new Semaphore(1);
        var pong = new Semaphore(0);
        ground.start(kind, "pings", () -> turns(ground, ping, pong));
        ground.start(kind, "pongs", () -> turns(ground, pong, ping));
        ground.start(kind, "sleeps", () -> {
            while (!ground.stop.get()) Fiber.sleep(Duration.ofNanos(100_000));
            return true;
        });
        ground.start(kind, "blocks", () -> {
            while (!ground.stop.get())
                Fiber.blocking(() -> Fiber.go(() -> Fiber.yield()).join());
            return true;
        });
        ground.start(kind, "starts", () -> {
            while (!ground.stop.get())
                Fiber.builder().kind(kind).start(() -> Trace.mark("here")).join();
            return true;
        });
    }

    private static boolean turns(Ground ground, Semaphore own, Semaphore other) throws InterruptedException {
        while (!ground.stop.get()) {
            own.tryAcquire(1, TimeUnit.MILLISECONDS);
            other.release();
        }
        return true;
    }
}
