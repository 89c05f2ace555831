package dev.coir.bench.micro;

import dev.coir.executor.Strand;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * What does it cost to have a few instructions run under mutual exclusion by a pool, with two threads submitting as fast as
 * they can? ns per task, as each submitter sees it (two submitters: halve it for the time between two tasks); baseline:
 * tasks that take a {@code ReentrantLock}, in the same pool of two threads.
 *
 * <p>Each submitter hands in ten thousand tasks and waits for the last of them, so memory stays flat. The counting down
 * that this needs is done under the same exclusion and is part of the few instructions. Submitters that take the lock
 * themselves and need no pool are shown beside them: where a caller may wait, that is the cheaper way.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(2)
public class StrandThroughput {
    private static final int TASKS = 10_000;
    private static final int POOL_THREADS = 2;

    static Comparison comparison() {
        return Comparison.of(StrandThroughput.class, "A short critical section run by a pool, two submitters")
                .baseline("lockInPool", "pool, tasks take a ReentrantLock")
                .atMost(0.5, "strand", "Strand over the same pool")
                .shown("lockByCaller", "submitters take the ReentrantLock, no pool");
    }

    /** The pool, the two ways to exclusion over it, and what they protect. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final ExecutorService pool = Executors.newFixedThreadPool(POOL_THREADS);
        private final Strand strand = Strand.over(pool);
        private final Lock lock = new ReentrantLock();
        private long balance = 1;
        private long movements;
        private long highest;

        /** About ten instructions; not to be run by two threads at once. */
        void move() {
            long next = balance * 31 + ++movements;
            balance = next;
            if (next > highest) highest = next;
        }

        @TearDown
        public void close() {
            pool.shutdownNow();
        }
    }

    /** One submitting thread. */
    @State(Scope.Thread)
    public static class Submitter {
        private int left; // set before submitting, then changed only under the exclusion
        private volatile @Nullable Thread waiting;

        /** One task's share of the work, run under the exclusion. */
        void task(Shared shared) {
            shared.move();
            if (--left > 0) return;
            Thread submitter = waiting;
            waiting = null;
            LockSupport.unpark(submitter);
        }

        void submitAndWait(Executor to, Runnable task) {
            left = TASKS;
            waiting = Thread.currentThread();
            for (int i = 0; i < TASKS; i++) to.execute(task);
            while (waiting != null) LockSupport.park(this);
        }
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void strand(Shared shared, Submitter submitter) {
        submitter.submitAndWait(shared.strand, () -> submitter.task(shared));
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void lockInPool(Shared shared, Submitter submitter) {
        submitter.submitAndWait(shared.pool, () -> {
            shared.lock.lock();
            try {
                submitter.task(shared);
            } finally {
                shared.lock.unlock();
            }
        });
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void lockByCaller(Shared shared) {
        for (int i = 0; i < TASKS; i++) {
            shared.lock.lock();
            try {
                shared.move();
            } finally {
                shared.lock.unlock();
            }
        }
    }
}
