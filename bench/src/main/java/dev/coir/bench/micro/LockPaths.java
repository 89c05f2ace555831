package dev.coir.bench.micro;

import dev.coir.sync.McsLock;
import dev.coir.sync.Mutex;
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
 * What do the locks cost, alone and when two threads want them at once? ns per lock and unlock around one addition, as each
 * thread sees it; baseline: {@code ReentrantLock}. How they do among fibers is asked by the works MutexAlone and
 * MutexContended of the comparison.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LockPaths {
    static Comparison alone() {
        return Comparison.of(LockPaths.class, "Lock and unlock, nobody else there")
                .baseline("reentrantAlone", "ReentrantLock")
                .atMost(1.2, "mutexAlone", "Mutex")
                .shown("fairAlone", "Mutex, fair")
                .shown("spinAlone", "SpinLock")
                .shown("mcsAlone", "McsLock");
    }

    static Comparison contended() {
        return Comparison.of(LockPaths.class, "Lock and unlock, two threads at once")
                .baseline("reentrantContended", "ReentrantLock")
                .shown("mutexContended", "Mutex")
                .shown("spinContended", "SpinLock")
                .shown("mcsContended", "McsLock");
    }

    /** The locks, and the number that they guard. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final ReentrantLock reentrant = new ReentrantLock();
        private final Mutex mutex = new Mutex();
        private final Mutex fair = new Mutex(true);
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
    public long mutexAlone(Shared shared) {
        return shared.add(shared.mutex);
    }

    @Benchmark
    public long fairAlone(Shared shared) {
        return shared.add(shared.fair);
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
    public long mutexContended(Shared shared) {
        return shared.add(shared.mutex);
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
