package dev.coir.bench;

import dev.coir.fiber.Fiber;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** What does starting a fiber, and having it run to its end, cost? ns per fiber; baseline: the JDK's virtual threads. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FiberSpawn {
    private static final int FIBERS = 20_000;

    static Comparison comparison() {
        return Comparison.of(FiberSpawn.class, "Spawn and run, 2 workers")
                .baseline("virtualThreads", "virtual threads of the JDK")
                .atMost(0.6, "virtualFibers", "VIRTUAL")
                .atMost(0.3, "lightFibers", "LIGHT");
    }

    @Benchmark
    @OperationsPerInvocation(FIBERS)
    public void virtualThreads() throws InterruptedException {
        Crowds.runInVirtualThreads(FIBERS, () -> {});
    }

    @Benchmark
    @OperationsPerInvocation(FIBERS)
    public void virtualFibers(Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, FIBERS, () -> {});
    }

    @Benchmark
    @OperationsPerInvocation(FIBERS)
    public void lightFibers(Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.LIGHT, FIBERS, () -> {});
    }
}
