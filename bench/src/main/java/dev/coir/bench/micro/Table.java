package dev.coir.bench.micro;

import dev.coir.bench.micro.Comparison.Work;
import dev.coir.bench.peers.Samples;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The table at the end. */
final class Table {
    private static final int LABEL_WIDTH = 54;

    private final PrintStream out;
    private int goals;
    private int missed;

    Table(PrintStream out) {
        this.out = out;
        row("", "ns/op", "spread", "ratio", "goal");
    }

    void add(Comparison comparison, Map<Work, Samples> samples) {
        out.println();
        out.println(comparison.title());
        Samples baseline = Objects.requireNonNull(samples.get(comparison.baseline()));
        for (Map.Entry<Work, Samples> each : samples.entrySet()) {
            Samples found = each.getValue();
            double ratio = found.over(baseline);
            row(
                    "  " + each.getKey().label(),
                    number(found.median()),
                    String.format(Locale.ROOT, "+-%.0f%%", 100 * found.spread()),
                    String.format(Locale.ROOT, "%.2f", ratio),
                    goal(each.getKey(), ratio));
        }
    }

    void end() {
        out.println();
        out.println("ns/op: median of all iterations. spread: half the distance between the quartiles.");
        out.println("ratio: time over that of the first work of its group, taken round by round; lower is better.");
        if (goals > 0) out.println(goals - missed + " of " + goals + (goals == 1 ? " goal met." : " goals met."));
    }

    private String goal(Work work, double ratio) {
        return work.hasGoal() ? goal(work.atMost(), ratio) : "";
    }

    private String goal(double atMost, double ratio) {
        goals++;
        boolean met = ratio <= atMost;
        if (!met) missed++;
        return String.format(Locale.ROOT, "<= %.2f %s", atMost, met ? "met" : "MISSED");
    }

    private static String number(double nanos) {
        return String.format(Locale.ROOT, nanos < 10 ? "%.2f" : nanos < 1000 ? "%.1f" : "%,.0f", nanos);
    }

    private void row(String label, String nanos, String spread, String ratio, String goal) {
        String line = String.format("%-" + LABEL_WIDTH + "s %9s %7s %7s  %s", label, nanos, spread, ratio, goal);
        out.println(line.stripTrailing());
    }
}
