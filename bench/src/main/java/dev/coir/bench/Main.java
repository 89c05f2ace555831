package dev.coir.bench;

import dev.coir.bench.servers.Servers;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the benchmarks, saying what it does, and prints one table. */
public final class Main {
    static final List<Comparison> COMPARISONS = Stream.concat(
                    Stream.of(
                            CoroutineSwitch.comparison(),
                            GeneratorPull.comparison(),
                            LightYield.comparison(),
                            FiberYield.comparison(),
                            FiberPark.comparison(),
                            FiberSpawn.comparison(),
                            TaskTree.comparison(),
                            ChannelRoundTrip.comparison(),
                            ChannelThroughput.comparison(),
                            StrandThroughput.comparison(),
                            LockPaths.alone(),
                            LockPaths.contended(),
                            MutexPaths.alone(),
                            MutexPaths.contended(),
                            QueueOps.oneByOne(),
                            QueueOps.batches()),
                    AgentCost.comparisons().stream())
            .toList();

    private Main() {}

    /**
     * Exits with 2 when the arguments are not understood and with 1 when a benchmark fails. A missed goal is printed, and
     * no failure: the machine may be busy.
     *
     * @param args {@code [--quick] [--only NAME] [-- JMH arguments]}
     */
    public static void main(String[] args) {
        System.exit(run(System.out, args));
    }

    static int run(PrintStream out, String... args) {
        Arguments arguments;
        List<Comparison> chosen;
        try {
            arguments = Arguments.parse(args);
            if (Servers.NAME.equals(arguments.only())) return Servers.run(out, arguments.quick());
            chosen = chosen(arguments);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            out.println(Arguments.USAGE);
            return 2;
        }
        if (arguments.help()) {
            out.println(Arguments.USAGE);
            return 0;
        }
        if (arguments.list()) {
            names().forEach(out::println);
            return 0;
        }
        try {
            measure(out, arguments, chosen);
            return 0;
        } catch (RunnerException e) {
            out.println();
            out.println("a benchmark failed: " + e.getMessage());
            out.println("run it again with -- -v EXTRA to see what JMH says");
            return 1;
        }
    }

    private static void measure(PrintStream out, Arguments arguments, List<Comparison> chosen) throws RunnerException {
        Plan plan = (arguments.quick() ? Plan.QUICK : Plan.FULL).with(arguments.jmh());
        int works = chosen.stream().mapToInt(each -> each.works().size()).sum();
        out.println(machine());
        out.printf(
                Locale.ROOT,
                "%d works in %d rounds of JVMs, about %.0f seconds%n%n",
                works,
                plan.rounds(),
                plan.seconds(works));

        Progress progress = new Progress(out, works * plan.rounds());
        Rounds rounds = new Rounds(plan, arguments.jmh(), progress);
        Map<Comparison, Map<Comparison.Work, Samples>> found = new LinkedHashMap<>();
        for (Comparison each : chosen) found.put(each, rounds.measure(each));
        progress.over();

        Table table = new Table(out);
        found.forEach(table::add);
        table.end();
    }

    private static List<Comparison> chosen(Arguments arguments) {
        String only = arguments.only();
        if (only == null) return COMPARISONS;
        List<Comparison> chosen = COMPARISONS.stream()
                .filter(each -> each.name().equalsIgnoreCase(only))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    "no benchmark " + only + " (there are: " + String.join(", ", names()) + ")");
        }
        return chosen;
    }

    private static List<String> names() {
        return COMPARISONS.stream().map(Comparison::name).distinct().collect(Collectors.toList());
    }

    private static String machine() {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        String line = "JDK " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + "), "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", " + processors
                + " processors";
        if (load < 0.25 * processors) return line;
        return line
                + String.format(
                        Locale.ROOT,
                        "%nload average %.1f: other programs are running, and the figures will show it",
                        load);
    }
}
