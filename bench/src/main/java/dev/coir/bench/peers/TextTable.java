package dev.coir.bench.peers;

import dev.coir.bench.peers.Report.Outcome;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table on the terminal: a block for each work and measure, a line for each system, a column for each number of workers. */
final class TextTable {
    private static final int LABEL = 24;
    private static final String CELL = "%10s %6s %7s";
    private static final String EMPTY_CELL = String.format(CELL, "", "", "");

    private final PrintStream out;

    TextTable(PrintStream out) {
        this.out = out;
    }

    void print(Report report) {
        line("", String.format("%25s", "1 worker      "), String.format("%25s", "2 workers     "), "");
        line("", header(), header(), "bytes/op");
        report.results().forEach((work, results) -> {
            for (int measure = 0; measure < work.measures().size(); measure++) {
                block(report.title(work, measure) + "  [" + work.id() + "]", results, measure);
            }
        });
        out.println();
        out.println(
                "median of all rounds; spread: half the distance between the quartiles; ratio: to the best peer's median,");
        out.println(
                "round by round, less is better (bare continuations are a floor, no peer). bytes/op: allocated on the heap.");
        printGoals(report.outcomes());
    }

    private static String header() {
        return String.format(CELL, "median", "spread", "ratio");
    }

    private void block(String title, Map<Side, Result> results, int measure) {
        out.println();
        out.println(title);
        Set<Contender> contenders = EnumSet.noneOf(Contender.class);
        results.keySet().forEach(each -> contenders.add(each.contender()));
        for (Contender each : contenders) {
            Result one = results.get(Side.of(each, 1));
            Result two = results.get(Side.of(each, 2));
            line("  " + each.label(), cell(results, one, measure), cell(results, two, measure), bytes(one, two));
            for (Result side : new Result[] {one, two}) {
                if (side != null && side.failure() != null)
                    out.println("    " + side.side().label() + " failed, it " + side.failure());
            }
        }
    }

    private static String cell(Map<Side, Result> results, @Nullable Result result, int measure) {
        if (result == null) return EMPTY_CELL;
        if (!result.isComplete()) return String.format(CELL, "failed", "", "");
        Samples samples = result.samples(measure);
        double ratio = Report.overBestPeer(results, result, measure);
        return String.format(
                CELL,
                Report.figure(samples.median()),
                String.format(Locale.ROOT, "+-%.0f%%", 100 * samples.spread()),
                Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f", ratio));
    }

    private static String bytes(@Nullable Result one, @Nullable Result two) {
        Result counted = two == null || Double.isNaN(two.bytesPerOp()) ? one : two;
        if (counted == null || Double.isNaN(counted.bytesPerOp())) return "";
        return String.format(Locale.ROOT, "%.0f", Math.max(0, counted.bytesPerOp()));
    }

    private void line(String label, String one, String two, String bytes) {
        out.println(String.format("%-" + LABEL + "s %s   %s %9s", label, one, two, bytes)
                .stripTrailing());
    }

    private void printGoals(List<Outcome> outcomes) {
        if (outcomes.isEmpty()) return;
        out.println();
        out.println(goalLine("Goals", "issue", "goal", "measured", "floor", ""));
        for (Outcome each : outcomes) {
            out.println(goalLine(
                    each.work().title(each.goal().measure()) + ": "
                            + each.goal().text(),
                    Integer.toString(each.goal().issue()),
                    each.goal().target(),
                    each.isKnown() ? Goal.number(each.measured()) : "-",
                    each.floorText(),
                    !each.isKnown() ? "not measured" : each.isMet() ? "met" : "MISSED"));
        }
        long known = outcomes.stream().filter(Outcome::isKnown).count();
        long met =
                outcomes.stream().filter(each -> each.isKnown() && each.isMet()).count();
        out.println(met + " of " + known + (known == 1 ? " goal met" : " goals met")
                + (known == outcomes.size() ? "." : ", " + (outcomes.size() - known) + " not measured."));
        Report.floorNote(outcomes).forEach(out::println);
    }

    private static String goalLine(
            String text, String issue, String goal, String measured, String floor, String verdict) {
        return String.format("%-102s %5s %9s %9s %9s  %s", text, issue, goal, measured, floor, verdict)
                .stripTrailing();
    }
}
