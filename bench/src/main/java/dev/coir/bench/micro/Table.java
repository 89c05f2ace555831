package dev.coir.bench.micro;

import dev.coir.bench.micro.Comparison.Agent;
import dev.coir.bench.micro.Comparison.Work;
import dev.coir.bench.peers.Samples;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleFunction;

/** The table at the end. */
final class Table {
    private static final int LABEL_WIDTH = 54;
    private static final double MEAN_WITH_AGENT = 1.03;

    private final PrintStream out;
    private int goals;
    private int missed;
    private final Map<Agent, List<Double>> withAgent = new EnumMap<>(Agent.class); // ratios

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
            withAgent
                    .computeIfAbsent(each.getKey().agent(), first -> new ArrayList<>())
                    .add(ratio);
            row(
                    "  " + each.getKey().label(),
                    number(found.median()),
                    String.format(Locale.ROOT, "+-%.0f%%", 100 * found.spread()),
                    String.format(Locale.ROOT, "%.2f", ratio),
                    goal(each.getKey(), ratio));
        }
    }

    void end() {
        addMean(Agent.ASLEEP, "asleep", ratio -> goal(MEAN_WITH_AGENT, ratio));
        addMean(Agent.AWAKE, "awake", ratio -> "");
        out.println();
        out.println("ns/op: median of all iterations. spread: half the distance between the quartiles.");
        out.println("ratio: time over that of the first work of its group, taken round by round; lower is better.");
        if (goals > 0) out.println(goals - missed + " of " + goals + (goals == 1 ? " goal met." : " goals met."));
    }

    private void addMean(Agent agent, String polls, DoubleFunction<String> goal) {
        List<Double> ratios = withAgent.getOrDefault(agent, List.of());
        if (ratios.size() < 2) return;
        double logs = 0;
        for (double each : ratios) logs += Math.log(each);
        double mean = Math.exp(logs / ratios.size());
        out.println();
        row(
                "Programs with the agent, polls " + polls + ", geometric mean",
                "",
                "",
                String.format(Locale.ROOT, "%.3f", mean),
                goal.apply(mean));
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
