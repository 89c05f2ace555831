package dev.coir.bench.micro;

import dev.coir.bench.micro.Comparison.Work;
import dev.coir.bench.peers.Samples;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the works of a comparison in turn, several times over: what disturbs the machine for a while then disturbs all of
 * them, and not the one that happened to run.
 */
final class Rounds {
    private static final List<String> FORK_FLAGS = List.of(
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow", // JMH itself
            "-Xms512m",
            "-Xmx512m");

    private final Plan plan;
    private final CommandLineOptions jmh;
    private final Progress progress;

    Rounds(Plan plan, CommandLineOptions jmh, Progress progress) {
        this.plan = plan;
        this.jmh = jmh;
        this.progress = progress;
    }

    /** Measures every work of {@code comparison}; every second round goes through them backwards. */
    Map<Work, Samples> measure(Comparison comparison) throws RunnerException {
        Map<Work, Samples> samples = new LinkedHashMap<>();
        for (int round = 0; round < plan.rounds(); round++) {
            List<Work> order =
                    round % 2 == 0 ? comparison.works() : comparison.works().reversed();
            for (Work work : order) {
                progress.starting(comparison, work, round + 1, plan.rounds());
                List<Double> found = runOnce(work);
                samples.computeIfAbsent(work, first -> new Samples()).addRound(found);
                progress.ended(found);
            }
        }
        return samples;
    }

    private List<Double> runOnce(Work work) throws RunnerException {
        List<String> flags = new ArrayList<>(FORK_FLAGS);
        flags.addAll(jmh.getJvmArgs().orElse(List.of()));
        ChainedOptionsBuilder options = new OptionsBuilder()
                .parent(jmh)
                .include("^" + Pattern.quote(work.method()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(plan.warmups())
                .warmupTime(plan.warmupTime())
                .measurementIterations(plan.iterations())
                .measurementTime(plan.iterationTime())
                .shouldFailOnError(true)
                .jvmArgs(flags.toArray(new String[0]));
        if (!jmh.verbosity().hasValue()) options.verbosity(VerboseMode.SILENT);

        List<Double> found = new ArrayList<>();
        Collection<RunResult> results = new Runner(options.build()).run();
        for (RunResult result : results) {
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    found.add(iteration.getPrimaryResult().getScore());
                }
            }
            for (Result<?> profiled : result.getSecondaryResults().values()) progress.profiled(profiled);
        }
        return found;
    }
}
