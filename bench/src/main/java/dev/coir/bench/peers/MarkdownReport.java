package dev.coir.bench.peers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A run as tables that a page can show: the figures, then the goals. */
final class MarkdownReport {
    private MarkdownReport() {}

    static String of(Report report) {
        StringBuilder out = new StringBuilder();
        out.append(caption(report)).append("\n\n");
        figures(out, report);
        List<Report.Outcome> outcomes = report.outcomes();
        if (!outcomes.isEmpty()) goals(out, outcomes);
        return out.toString();
    }

    /** When, where and how, in one sentence. */
    static String caption(Report report) {
        String machine = report.machine().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining("; "));
        return String.format(
                Locale.ROOT,
                "%s UTC, %s run, processes of each side: %d, load average before: %.1f. %s.",
                report.date().replace('T', ' '),
                report.quick() ? "quick" : "full",
                report.forks(),
                report.loadBefore(),
                machine);
    }

    private static void figures(StringBuilder out, Report report) {
        Set<Contender> columns = EnumSet.noneOf(Contender.class);
        report.results()
                .values()
                .forEach(each -> columns.addAll(Report.bestSides(each, 0).keySet()));
        out.append("The better of one and two workers each, which number in brackets. Less is better.\n\n");
        List<String> header = new ArrayList<>(List.of("work"));
        columns.forEach(each -> header.add(each.label()));
        header.add("Coir over best peer");
        row(out, header);
        out.append("|---|").append("---|".repeat(columns.size() + 1)).append('\n');
        report.results().forEach((work, results) -> {
            for (int i = 0; i < work.measures().size(); i++) row(out, cells(report, work, results, i, columns));
        });
    }

    private static List<String> cells(
            Report report, Work work, Map<Side, Result> results, int measure, Set<Contender> columns) {
        Map<Contender, Result> best = Report.bestSides(results, measure);
        List<String> cells = new ArrayList<>(List.of(report.title(work, measure)));
        for (Contender each : columns) {
            Result result = best.get(each);
            if (result == null) cells.add("");
            else
                cells.add(Report.figure(result.samples(measure).median())
                        + (each.isParallel() ? " (" + result.side().workers() + ")" : ""));
        }
        double ratio = best.values().stream()
                .filter(each -> each.side().contender().isCoir())
                .mapToDouble(each -> Report.overBestPeer(results, each, measure))
                .min()
                .orElse(Double.NaN);
        cells.add(Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f", ratio));
        return cells;
    }

    private static void goals(StringBuilder out, List<Report.Outcome> outcomes) {
        out.append('\n');
        row(out, List.of("goal", "issue", "wanted", "measured", "floor", ""));
        out.append("|---|---|---|---|---|---|\n");
        for (Report.Outcome each : outcomes) {
            Goal goal = each.goal();
            row(
                    out,
                    List.of(
                            each.work().title(goal.measure()) + ": " + goal.text(),
                            Integer.toString(goal.issue()),
                            goal.target(),
                            each.isKnown() ? Goal.number(each.measured()) : "",
                            each.floorText(),
                            !each.isKnown() ? "not measured" : each.isMet() ? "met" : "**missed**"));
        }
        List<String> note = Report.floorNote(outcomes);
        if (!note.isEmpty()) out.append('\n').append(String.join(" ", note)).append('\n');
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
