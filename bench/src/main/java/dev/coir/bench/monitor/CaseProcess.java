package dev.coir.bench.monitor;

import dev.coir.executor.Reports;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A JVM that runs one case: one worker, the fibers of the case, and a ticker beside them. Prints one line. */
final class CaseProcess {
    private static final Duration TICK = Duration.ofMillis(10);
    private static final long LOOP_NANOS = 3_000_000_000L;
    private static final long WARM_UP_NANOS = 300_000_000L;
    private static final long ALONE_NANOS = 100_000_000L; // the ticker, before the others begin

    private static volatile boolean stop;

    @SuppressWarnings("UnusedVariable") // so that the JIT cannot leave the work out
    private static volatile int sink;

    private CaseProcess() {}

    /**
     * The child's entry.
     *
     * @param args the name of the case
     */
    public static void main(String[] args) throws Exception {
        Case of = Case.valueOf(args[0]);
        try (var scheduler =
                Scheduler.builder().workers(1).reports(Reports.NONE).start()) {
            // The ticker's own code is loaded before anything is measured.
            Fiber.go(scheduler, () -> ticks(System.nanoTime() + WARM_UP_NANOS)).join();
            System.out.println((of.blocks() ? blocks(scheduler, of) : loops(scheduler, of)).line());
        }
    }

    private static Outcome blocks(Scheduler scheduler, Case of) throws Exception {
        Blocking.rehearse(of, scheduler);
        List<Callable<@Nullable Object>> bodies = Blocking.bodies(of);
        stop = false;
        Fiber<List<Double>> ticker = Fiber.go(scheduler, () -> ticks(Long.MAX_VALUE));
        TimeUnit.NANOSECONDS.sleep(ALONE_NANOS);
        long start = System.nanoTime();
        List<Fiber<@Nullable Object>> blocked = new ArrayList<>();
        for (Callable<@Nullable Object> each : bodies)
            blocked.add(Fiber.builder().on(scheduler).kind(of.kind()).start(each));
        for (Fiber<?> each : blocked) each.join();
        double seconds = (System.nanoTime() - start) / 1e9;
        stop = true;
        return Outcome.of(seconds, ticker.join());
    }

    private static Outcome loops(Scheduler scheduler, Case of) {
        stop = false;
        long start = System.nanoTime();
        Fiber<@Nullable Void> busy =
                Fiber.builder().on(scheduler).kind(of.kind()).start(() -> loop(of));
        List<Double> late =
                Fiber.go(scheduler, () -> ticks(System.nanoTime() + LOOP_NANOS)).join();
        stop = true;
        busy.join();
        return Outcome.of((System.nanoTime() - start) / 1e9, late);
    }

    private static void loop(Case of) {
        switch (of) {
            case LOOP_SYNCHRONIZED -> {
                synchronized (CaseProcess.class) {
                    count();
                }
            }
            case LOOP_STREAM ->
                sink = Stream.of(1, 2).mapToInt(each -> count() + each).sum();
            default -> sink = count();
        }
    }

    private static int count() {
        int i = 0;
        while (!stop) i++;
        return i;
    }

    /** By how many milliseconds each tick came late, until it is told to stop or the time has come. */
    private static List<Double> ticks(long until) throws InterruptedException {
        List<Double> late = new ArrayList<>();
        long now = System.nanoTime();
        while (!stop && now < until) {
            long due = now + TICK.toNanos();
            Fiber.sleep(TICK);
            now = System.nanoTime();
            late.add((now - due) / 1e6);
        }
        return late;
    }
}
