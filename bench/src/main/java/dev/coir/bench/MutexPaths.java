package dev.coir.bench;

import dev.coir.fiber.Fiber;
import dev.coir.sync.Mutex;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does a mutex cost, alone and wanted by eight at once? ns per lock and unlock around one addition; baseline:
 * {@code ReentrantLock}, among eight on the JDK's virtual threads, which have as many threads underneath as there are
 * processors.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MutexPaths {
    private static final int CROWD = 8;
    private static final int ROUNDS = 100_000; // long enough for both workers to take part

    static Comparison alone() {
        return Comparison.of(MutexPaths.class, "Mutex: lock and unlock, nobody else there")
                .baseline("reentrantAlone", "ReentrantLock, a thread")
                .atMost(1.2, "mutexAlone", "Mutex, a thread")
                .shown("fairAlone", "Mutex, fair, a thread")
                .shown("virtualAlone", "Mutex, a VIRTUAL fiber")
                .shown("lightAlone", "Mutex, a LIGHT fiber");
    }

    static Comparison contended() {
        return Comparison.of(MutexPaths.class, "Mutex: lock and unlock, 8 at once, 2 workers")
                .baseline("reentrantAmongVirtualThreads", "ReentrantLock, virtual threads of the JDK")
                .atMost(0.5, "mutexAmongVirtualFibers", "Mutex, VIRTUAL")
                .shown("mutexAmongLightFibers", "Mutex, LIGHT")
                .shown("fairAmongVirtualFibers", "Mutex, fair, VIRTUAL");
    }

    /** The locks, and the number that they guard. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final ReentrantLock reentrant = new ReentrantLock();
        private final Mutex mutex = new Mutex();
        private final Mutex fair = new Mutex(true);
        private long guarded;

        private long add(Lock lock) {
            lock.lock();
            try {
                return ++guarded;
            } finally {
                lock.unlock();
            }
        }

        private void rounds(Lock lock) {
            for (int i = 0; i < ROUNDS; i++) add(lock);
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
    @OperationsPerInvocation(ROUNDS)
    public void virtualAlone(Shared shared, Crowds.One on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, 1, () -> shared.rounds(shared.mutex));
    }

    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public void lightAlone(Shared shared, Crowds.One on) throws InterruptedException {
        on.run(Fiber.Kind.LIGHT, 1, () -> shared.rounds(shared.mutex));
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * ROUNDS)
    public void reentrantAmongVirtualThreads(Shared shared) throws InterruptedException {
        Crowds.runInVirtualThreads(CROWD, () -> shared.rounds(shared.reentrant));
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * ROUNDS)
    public void mutexAmongVirtualFibers(Shared shared, Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, CROWD, () -> shared.rounds(shared.mutex));
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * ROUNDS)
    public void mutexAmongLightFibers(Shared shared, Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.LIGHT, CROWD, () -> shared.rounds(shared.mutex));
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * ROUNDS)
    public void fairAmongVirtualFibers(Shared shared, Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, CROWD, () -> shared.rounds(shared.fair));
    }
}
