package dev.coir.bench.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The comparison with peers, from the first line on the terminal to the written results. */
public final class Peers {
    private static final int QUICK_FORKS = 1;
    private static final int FULL_FORKS = 3;

    private Peers() {}

    /** What {@code --only} calls the works. */
    public static List<String> names() {
        return Works.ALL.stream().map(Work::id).toList();
    }

    /**
     * Compares, prints, writes.
     *
     * @param names which of {@link #names}
     * @param forks processes of each side; 0 for the default
     * @param folder where the results go
     * @return the exit code: 1 when a side failed
     */
    public static int run(PrintStream out, List<String> names, boolean quick, int forks, Path folder)
            throws IOException {
        Commands commands = new Commands();
        double load = Machine.load();
        Map<String, String> machine = Machine.describe(commands.versions());
        machine.forEach((what, value) -> out.println(what + ": " + value));
        commands.missing().forEach(out::println);
        if (Machine.isBusy(load))
            out.printf(Locale.ROOT, "load average %.1f: other programs run, and the figures will show it%n", load);

        List<Work> works =
                Works.ALL.stream().filter(each -> names.contains(each.id())).toList();
        int processes = forks > 0 ? forks : quick ? QUICK_FORKS : FULL_FORKS;
        Progress progress = new Progress(out, works.size(), processes);
        Path logs = Commands.module().resolve("target/peers/logs");
        Contest contest = new Contest(commands, quick, processes, logs, progress);
        int sides = works.stream().mapToInt(each -> contest.sides(each).size()).sum();
        out.printf(Locale.ROOT, "%d works, %d sides, processes of each: %d%n%n", works.size(), sides, processes);

        Map<Work, Map<Side, Result>> results = new LinkedHashMap<>();
        for (Work each : works) {
            results.put(each, contest.hold(each));
            progress.ended();
        }
        double seconds = progress.over();
        String date = ZonedDateTime.now(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.MINUTES)
                .toLocalDateTime()
                .toString();
        var report = new Report(date, quick, processes, machine, load, seconds, commands.missing(), results);
        new TextTable(out).print(report);
        out.println();
        write(out, folder, report);
        boolean failed = results.values().stream()
                .flatMap(each -> each.values().stream())
                .anyMatch(each -> each.failure() != null);
        return failed ? 1 : 0;
    }

    private static void write(PrintStream out, Path folder, Report report) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("bench.json"), JsonReport.of(report));
        Files.writeString(folder.resolve("bench.md"), MarkdownReport.of(report));
        Files.writeString(folder.resolve("bench.svg"), SvgPlot.of(report));
        out.printf(
                Locale.ROOT,
                "%.0f seconds. Results: %s, bench.md, bench.svg%n",
                report.seconds(),
                folder.resolve("bench.json"));
    }
}
