package dev.coir.bench;

import dev.coir.sync.McsLock;
import dev.coir.sync.SpinLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * What do the spinning locks cost, alone and when two threads want them at once? ns per lock and unlock around one addition,
 * as each thread sees it; baseline: {@code ReentrantLock}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LockPaths {
    static Comparison alone() {
        return Comparison.of(LockPaths.class, "Lock and unlock, nobody else there")
                .baseline("reentrantAlone", "ReentrantLock")
                .shown("spinAlone", "SpinLock")
                .shown("mcsAlone", "McsLock");
    }

    static Comparison contended() {
        return Comparison.of(LockPaths.class, "Lock and unlock, two threads at once")
                .baseline("reentrantContended", "ReentrantLock")
                .shown("spinContended", "SpinLock")
                .shown("mcsContended", "McsLock");
    }

    /** The locks, and the number that they guard. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final ReentrantLock reentrant = new ReentrantLock();
        private final SpinLock spin = new SpinLock();
        private final McsLock mcs = new McsLock();
        private long guarded;

        private long add(Lock lock) {
            lock.lock();
            try {
                return ++guarded;
            } finally {
                lock.unlock();
            }
        }
    }

    @Benchmark
    public long reentrantAlone(Shared shared) {
        return shared.add(shared.reentrant);
    }

    @Benchmark
    public long spinAlone(Shared shared) {
        return shared.add(shared.spin);
    }

    @Benchmark
    public long mcsAlone(Shared shared) {
        return shared.add(shared.mcs);
    }

    @Benchmark
    @Threads(2)
    public long reentrantContended(Shared shared) {
        return shared.add(shared.reentrant);
    }

    @Benchmark
    @Threads(2)
    public long spinContended(Shared shared) {
        return shared.add(shared.spin);
    }

    @Benchmark
    @Threads(2)
    public long mcsContended(Shared shared) {
        return shared.add(shared.mcs);
    }
}
