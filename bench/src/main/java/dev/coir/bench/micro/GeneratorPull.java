package dev.coir.bench.micro;

import dev.coir.coro.Generator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does one value of a generator cost? ns per {@code next()} of an infinite generator of numbers; baseline: a bare JDK
 * continuation that leaves the same numbers in a field.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GeneratorPull {
    static Comparison comparison() {
        return Comparison.of(GeneratorPull.class, "Pull one value out of a generator")
                .baseline("naked", "bare continuation and a field")
                .shown("generator", "Generator: next");
    }

    /** A run of an infinite generator; belongs to the thread that measures. */
    @State(Scope.Thread)
    public static class Numbers {
        final Generator.Cursor<Integer> cursor = Generator.<Integer>of(sink -> {
                    for (int n = 0; ; n++) sink.yield(n);
                })
                .iterator();
    }

    /** The same without Coir. */
    @State(Scope.Thread)
    public static class NakedNumbers {
        final Naked.Counter counter = new Naked.Counter();
    }

    @Benchmark
    public Integer generator(Numbers state) {
        return state.cursor.next();
    }

    @Benchmark
    public Integer naked(NakedNumbers state) {
        return state.counter.next();
    }
}
