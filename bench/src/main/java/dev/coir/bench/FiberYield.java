package dev.coir.bench;

import dev.coir.fiber.Fiber;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What does a yield cost in a crowd of a thousand? ns per yield, two threads underneath; baseline: the JDK's virtual
 * threads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FiberYield {
    private static final int CROWD = 1000;
    private static final int YIELDS = 1000;

    static Comparison comparison() {
        return Comparison.of(FiberYield.class, "Yield, 1 000 fibers, 2 workers")
                .baseline("virtualThreads", "virtual threads of the JDK")
                .atMost(0.5, "virtualFibers", "VIRTUAL")
                .shown("lightFibers", "LIGHT");
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is measured
    public void virtualThreads() throws InterruptedException {
        Crowds.runInVirtualThreads(CROWD, () -> {
            for (int i = 0; i < YIELDS; i++) Thread.yield();
        });
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    public void virtualFibers(Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.VIRTUAL, CROWD, FiberYield::yields);
    }

    @Benchmark
    @OperationsPerInvocation(CROWD * YIELDS)
    public void lightFibers(Crowds.Two on) throws InterruptedException {
        on.run(Fiber.Kind.LIGHT, CROWD, FiberYield::yields);
    }

    static void yields() {
        for (int i = 0; i < YIELDS; i++) Fiber.yield();
    }
}
