package dev.coir.bench.agent;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what was found, and judges it. */
final class CostTable {
    private static final double WORST = 1.10;
    private static final double MEAN = 1.03;

    private final PrintStream out;
    private final Map<Polls, List<Double>> ratios = new EnumMap<>(Polls.class);

    CostTable(PrintStream out) {
        this.out = out;
        row("", "us/run", "ratio", "of the forks", "goal");
    }

    void add(Program program, Costs costs) {
        out.println(program.title());
        for (Polls polls : Polls.values()) {
            double ratio = costs.ratio(polls, 0.5);
            ratios.computeIfAbsent(polls, first -> new ArrayList<>()).add(ratio);
            row(
                    "  " + polls.label(),
                    String.format(Locale.ROOT, "%.1f", costs.nanos(polls) / 1e3),
                    String.format(Locale.ROOT, "%.3f", ratio),
                    polls == Polls.NONE
                            ? ""
                            : String.format(Locale.ROOT, "%.3f to %.3f", costs.ratio(polls, 0), costs.ratio(polls, 1)),
                    polls == Polls.ASLEEP ? goal(WORST, ratio) : "");
        }
        out.flush();
    }

    void end() {
        out.println("geometric mean");
        ratios.forEach((polls, all) -> {
            if (polls == Polls.NONE) return;
            double logs = 0;
            for (double each : all) logs += Math.log(each);
            double mean = Math.exp(logs / all.size());
            String goal = polls == Polls.ASLEEP ? goal(MEAN, mean) : "";
            row("  " + polls.label(), "", String.format(Locale.ROOT, "%.3f", mean), "", goal);
        });
        out.println();
        out.println(
                "us/run: processor time of one run. ratio: over the same program without the agent, taken in rounds of");
        out.println(
                "25 ms: the median of the rounds of each fork, of those the median, and beside it the least and the most.");
    }

    private static String goal(double atMost, double ratio) {
        return String.format(Locale.ROOT, "<= %.2f %s", atMost, ratio <= atMost ? "met" : "MISSED");
    }

    private void row(String label, String time, String ratio, String range, String goal) {
        out.println(String.format("%-32s %9s %7s  %-16s  %s", label, time, ratio, range, goal)
                .stripTrailing());
    }
}
