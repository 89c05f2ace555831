package dev.coir.bench.monitor;

import dev.coir.agent.CoirAgent;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How do others fare on a worker whose fibers block it, or never wait? By how many milliseconds a ticker of 10 ms comes late,
 * on one worker. Goals: four fibers that block for a second each take about one second in all, and the 99th percentile of
 * the lateness stays under 30 ms.
 */
public final class Monitor {
    /** What {@code --only} calls it. */
    public static final String NAME = "Monitor";

    private Monitor() {}

    /**
     * Runs every case in a JVM of its own and prints what came of it.
     *
     * @param out where to
     * @return 0, or 1 when a case did not come to its end
     * @throws IOException when a JVM cannot be started
     */
    public static int run(PrintStream out) throws IOException {
        out.println(String.format(
                "%-62s %8s %7s %10s %9s %9s %9s",
                "one worker, a ticker of 10 ms, and beside it",
                "total",
                "ticks",
                "late p50",
                "p99",
                "max",
                ">= 30 ms"));
        int failed = 0;
        int met = 0;
        int goals = 0;
        for (Case each : Case.values()) {
            String title = (each.blocks() ? "four fibers in " : "") + each.title() + ", " + each.kind();
            Outcome outcome = outcome(each);
            if (outcome == null) {
                out.println(title + ": FAILED");
                failed++;
                continue;
            }
            boolean good = outcome.isGood(each.blocks());
            goals++;
            if (good) met++;
            out.println(String.format(
                    Locale.ROOT,
                    "%-62s %6.2f s %7d %7.1f ms %6.1f ms %6.1f ms %9d  %s",
                    title,
                    outcome.seconds(),
                    outcome.ticks(),
                    outcome.p50(),
                    outcome.p99(),
                    outcome.max(),
                    outcome.tooLate(),
                    good ? "met" : "MISSED"));
            out.flush();
        }
        out.println("goals: about one second in all for those that block, and p99 under 30 ms. " + met + " of " + goals
                + " met.");
        return failed == 0 ? 0 : 1;
    }

    private static @Nullable Outcome outcome(Case of) throws IOException {
        Process jvm = new ProcessBuilder(command(of))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var answers = jvm.inputReader(StandardCharsets.UTF_8)) {
            String line = answers.readLine();
            return line == null ? null : Outcome.parse(line);
        } finally {
            jvm.destroy();
        }
    }

    private static List<String> command(Case of) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:" + agentJar(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CaseProcess.class.getName(),
                of.name());
    }

    private static String agentJar() {
        try {
            var place = CoirAgent.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(place.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
