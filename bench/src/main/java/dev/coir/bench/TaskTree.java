package dev.coir.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Do two workers do twice the work of one? ns per task of about a microsecond, in a tree where each task starts two more;
 * baseline: one worker.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TaskTree {
    private static final int DEPTH = 14;
    private static final int TASKS = (1 << DEPTH) - 1;
    private static final int TOKENS = 400; // about a microsecond

    static Comparison comparison() {
        return Comparison.of(TaskTree.class, "A tree of 1 us tasks")
                .baseline("one", "1 worker")
                .atMost(1 / 1.7, "two", "2 workers");
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void one(Crowds.One on) throws InterruptedException {
        grow(on.scheduler);
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void two(Crowds.Two on) throws InterruptedException {
        grow(on.scheduler);
    }

    private static void grow(Executor executor) throws InterruptedException {
        var done = new CountDownLatch(1 << (DEPTH - 1));
        executor.execute(() -> node(executor, DEPTH, done));
        done.await();
    }

    private static void node(Executor executor, int depth, CountDownLatch done) {
        Blackhole.consumeCPU(TOKENS);
        if (depth == 1) {
            done.countDown();
        } else {
            executor.execute(() -> node(executor, depth - 1, done));
            executor.execute(() -> node(executor, depth - 1, done));
        }
    }
}
