package dev.coir.bench.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.bench.micro.Comparison.Work;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The small benchmarks run. Nothing is measured here. */
@Timeout(120)
class MicroTest {
    static Stream<Work> works() {
        return Micro.COMPARISONS.stream().flatMap(each -> each.works().stream());
    }

    @Test
    void everyBenchmarkStandsInExactlyOneComparison() {
        List<String> listed = works().map(Work::method).toList();
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
}
