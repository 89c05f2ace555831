package dev.coir.bench.micro;

import dev.coir.coro.Coroutine;
import java.util.concurrent.TimeUnit;
import jdk.internal.vm.Continuation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does leaving a coroutine and entering it again cost? ns per resume and suspend; baseline: the same loop on a bare
 * JDK continuation.
 *
 * <p>A virtual thread's {@code Thread.yield} is shown beside them: it, too, leaves a stack and enters it again, but goes
 * through the JDK's scheduler in between.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CoroutineSwitch {
    private static final int YIELDS = 10_000;

    static Comparison comparison() {
        return Comparison.of(CoroutineSwitch.class, "Leave a coroutine and enter it again")
                .baseline("naked", "bare continuation: run, yield")
                .atMost(1.15, "coroutine", "Coroutine: resume, suspend")
                .shown("virtualThread", "virtual thread: Thread.yield");
    }

    /** A coroutine that suspends for ever; belongs to the thread that measures. */
    @State(Scope.Thread)
    public static class Suspending {
        final Coroutine coroutine = Coroutine.of(() -> {
            while (true) Coroutine.suspend();
        });
    }

    /** The same without Coir. */
    @State(Scope.Thread)
    public static class NakedSuspending {
        final Continuation continuation = Naked.loop();
    }

    @Benchmark
    public void coroutine(Suspending state) {
        state.coroutine.resume();
    }

    @Benchmark
    public void naked(NakedSuspending state) {
        state.continuation.run();
    }

    /** Starting and joining the thread is part of it, spread over ten thousand yields. */
    @Benchmark
    @OperationsPerInvocation(YIELDS)
    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is measured
    public void virtualThread() throws InterruptedException {
        Thread.startVirtualThread(() -> {
                    for (int i = 0; i < YIELDS; i++) Thread.yield();
                })
                .join();
    }
}
