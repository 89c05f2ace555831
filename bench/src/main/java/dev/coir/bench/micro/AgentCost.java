package dev.coir.bench.micro;

import dev.coir.bench.programs.Json;
import dev.coir.bench.programs.Matrix;
import dev.coir.bench.programs.NBody;
import dev.coir.bench.programs.Regex;
import dev.coir.bench.programs.Sort;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What do the agent's polls cost a program that only computes? ns per run; baseline: the same program in a JVM without the
 * agent. Polls sleep until a fiber is asked to give way for the first time, and are awake from then on; both are measured.
 * Goals, for polls asleep: no program more than 10 % slower, and 3 % in the geometric mean, which the table's end tells.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class AgentCost {
    static final String AWAKE = "coir.bench.awake";
    private static final double WORST = 1.10;

    private final String document = Json.sample(200);
    private final int[] numbers = new Random(1).ints(50_000).toArray();
    private final Regex regex = new Regex("a.*b.*c");
    private final String haystack = "abcde fgh xaybzc ".repeat(12);
    private final double[][] matrix = Matrix.sample(160);

    static List<Comparison> comparisons() {
        return List.of(
                of("nBody", "n-body"),
                of("json", "JSON parse"),
                of("sort", "sort"),
                of("regex", "regex"),
                of("matrix", "matrix multiply"));
    }

    private static Comparison of(String method, String title) {
        return Comparison.of(AgentCost.class, "Polls in " + title)
                .baseline(method, "without the agent")
                .withAgent(WORST, method, "with the agent, polls asleep")
                .withAgentAwake(method, "with the agent, polls awake");
    }

    /** As after the first time that a fiber was asked to give way. */
    @Setup
    public void wakePolls() throws ReflectiveOperationException {
        if (!Boolean.getBoolean(AWAKE)) return;
        Class<?> poll = Class.forName("dev.coir.agent.boot.Poll", true, null);
        poll.getMethod("raise").invoke(null);
        poll.getMethod("lower").invoke(null);
    }

    @Benchmark
    public double nBody() {
        return new NBody().run(1_000);
    }

    @Benchmark
    public @Nullable Object json() {
        return Json.parse(document);
    }

    @Benchmark
    public int[] sort() {
        int[] copy = numbers.clone();
        Sort.sort(copy);
        return copy;
    }

    @Benchmark
    public int regex() {
        return regex.count(haystack);
    }

    @Benchmark
    public double[][] matrix() {
        return Matrix.multiply(matrix, matrix);
    }
}
