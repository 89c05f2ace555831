package dev.coir.bench;

import dev.coir.fiber.Fiber;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.internal.vm.Continuation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How close to the floor is a yield of a LIGHT fiber? ns per yield among a thousand on one worker; baseline: a thousand bare
 * continuations run in turn.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LightYield {
    private static final int CROWD = 1000;
    private static final int YIELDS = 1000;

    static Comparison comparison() {
        return Comparison.of(LightYield.class, "Yield, 1 000 fibers, 1 worker")
                .baseline("naked", "bare continuations in turn")
                .atMost(1.25, "lightFibers", "LIGHT")
                .shown("virtualFibers", "VIRTUAL");
    }

    /** Continuations that yield for ever. */
    @State(Scope.Thread)
    public static class NakedCrowd {
        final Continuation[] crowd = Stream.generate(Naked::loop).limit(CROWD).toArray(Continuation[]::new);
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    public void naked(NakedCrowd state) {
        for (int i = 0; i < YIELDS; i++) {
            for (Continuation each : state.crowd) each.run();
        }
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    public void lightFibers(Crowds.One on) throws InterruptedException {
        on.run(Fiber.Kind.LIGHT, CROWD, FiberYield::yields);
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    public void virtualFibers(Crowds.One on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, CROWD, FiberYield::yields);
    }
}
