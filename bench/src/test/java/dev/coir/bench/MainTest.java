package dev.coir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.bench.Comparison.Work;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks run, and the program around them understands its arguments. Nothing is measured here. */
@Timeout(120)
class MainTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int bench(String... args) {
        return Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8), args);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    static Stream<Work> works() {
        return Main.COMPARISONS.stream().flatMap(each -> each.works().stream());
    }

    @Test
    void everyBenchmarkStandsInExactlyOneComparison() {
        List<String> listed =
                works().filter(each -> !each.agent()).map(Work::method).toList();
        var format = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        Set<String> known = BenchmarkList.defaultList().getAll(format, List.of()).stream()
                .map(each -> each.getUsername())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(known, new TreeSet<>(listed));
        assertEquals(known.size(), listed.size(), "a work is listed twice");
    }

    @ParameterizedTest
    @MethodSource("works")
    void everyWorkRuns(Work work) throws Exception {
        var options = new OptionsBuilder()
                .include("^" + work.method().replace(".", "\\.") + "$")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(5))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        assertEquals(1, new Runner(options).run().size());
    }

    @Test
    void aShortRunPrintsATableWithRatiosAndGoals() {
        int code = bench("--quick", "--only", "coroutineswitch", "--", "-f", "1", "-wi", "0", "-i", "1", "-r", "10ms");
        assertEquals(0, code, printed());
        assertTrue(printed().contains("[3/3] CoroutineSwitch, round 1/1"), printed());
        assertTrue(printed().contains("bare continuation: run, yield"), printed());
        assertTrue(printed().contains("<= 1.15"), printed());
    }

    @Test
    void programsRunInAJvmWithTheAgent() {
        int code = bench("--quick", "--only", "agentcost", "--", "-f", "1", "-wi", "0", "-i", "1", "-r", "10ms");
        assertEquals(0, code, printed());
        assertTrue(printed().contains("Programs with the agent, geometric mean"), printed());
    }

    @Test
    void theListNamesEveryBenchmarkOnce() {
        assertEquals(0, bench("--list"));
        assertEquals(
                List.of(
                        "CoroutineSwitch",
                        "GeneratorPull",
                        "LightYield",
                        "FiberYield",
                        "FiberPark",
                        "FiberSpawn",
                        "TaskTree",
                        "ChannelRoundTrip",
                        "ChannelThroughput",
                        "StrandThroughput",
                        "LockPaths",
                        "MutexPaths",
                        "QueueOps",
                        "AgentCost"),
                printed().lines().toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--only", "--only Nothing", "--slow", "-- -rff out.json", "-- -nonsense", "-- CoroutineSwitch"})
    void argumentsThatMakeNoSenseAreRefusedWithTheUsage(String line) {
        assertEquals(2, bench(line.split(" ", -1)));
        assertTrue(printed().contains("usage: bench"), printed());
    }
}
