package dev.coir.bench.micro;

import dev.coir.bench.micro.Comparison.Work;
import dev.coir.bench.peers.Samples;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Runs the small benchmarks, saying what it does, and prints one table. */
public final class Micro {
    static final List<Comparison> COMPARISONS = List.of(
            CoroutineSwitch.comparison(),
            GeneratorPull.comparison(),
            StrandThroughput.comparison(),
            LockPaths.alone(),
            LockPaths.contended(),
            QueueOps.oneByOne(),
            QueueOps.batches());

    private Micro() {}

    /** What {@code --only} calls them. */
    public static List<String> names() {
        return COMPARISONS.stream().map(Comparison::name).distinct().toList();
    }

    /**
     * What stands behind {@code --}, as JMH reads it.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static CommandLineOptions options(List<String> args) {
        for (String arg : args) {
            if (arg.equals("-rf") || arg.equals("-rff")) {
                throw new IllegalArgumentException(
                        arg + ": every round is a JMH run of its own, so its result file would hold the last one only;"
                                + " the table is the result");
            }
        }
        CommandLineOptions options;
        try {
            options = new CommandLineOptions(args.toArray(new String[0]));
        } catch (CommandLineOptionException e) {
            throw new IllegalArgumentException("JMH does not understand its arguments: " + e.getMessage(), e);
        }
        if (!options.getIncludes().isEmpty()) {
            throw new IllegalArgumentException("benchmark name behind --: " + options.getIncludes() + " (use --only)");
        }
        return options;
    }

    /**
     * Measures.
     *
     * @param names which of {@link #names}
     * @return the exit code: 1 when a benchmark failed
     */
    public static int run(PrintStream out, boolean quick, List<String> names, CommandLineOptions jmh) {
        try {
            measure(out, quick, names, jmh);
            return 0;
        } catch (RunnerException e) {
            out.println();
            out.println("a benchmark failed: " + e.getMessage());
            out.println("run it again with -- -v EXTRA to see what JMH says");
            return 1;
        }
    }

    private static void measure(PrintStream out, boolean quick, List<String> names, CommandLineOptions jmh)
            throws RunnerException {
        List<Comparison> chosen =
                COMPARISONS.stream().filter(each -> names.contains(each.name())).toList();
        Plan plan = (quick ? Plan.QUICK : Plan.FULL).with(jmh);
        int works = chosen.stream().mapToInt(each -> each.works().size()).sum();
        out.printf(
                Locale.ROOT,
                "%d benchmarks in %d rounds of JVMs, about %.0f seconds%n%n",
                works,
                plan.rounds(),
                plan.seconds(works));

        Progress progress = new Progress(out, works * plan.rounds());
        Rounds rounds = new Rounds(plan, jmh, progress);
        Map<Comparison, Map<Work, Samples>> found = new LinkedHashMap<>();
        for (Comparison each : chosen) found.put(each, rounds.measure(each));
        progress.over();

        Table table = new Table(out);
        found.forEach(table::add);
        table.end();
    }
}
