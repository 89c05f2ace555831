package dev.coir.bench.peers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run as JSON, every figure included. */
final class JsonReport {
    private JsonReport() {}

    static String of(Report report) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("date", report.date());
        all.put("mode", report.quick() ? "quick" : "full");
        all.put("forks", report.forks());
        all.put("seconds", report.seconds());
        all.put("loadBefore", report.loadBefore());
        all.put("machine", report.machine());
        all.put("skipped", report.missing());
        all.put(
                "works",
                report.results().entrySet().stream()
                        .map(each -> work(report, each.getKey(), each.getValue()))
                        .toList());
        all.put("goals", report.outcomes().stream().map(JsonReport::goal).toList());
        StringBuilder out = new StringBuilder();
        write(out, all, 0);
        return out.append('\n').toString();
    }

    private static Map<String, @Nullable Object> work(Report report, Work work, Map<Side, Result> results) {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        found.put("work", work.id());
        found.put("title", work.title());
        found.put("size", work.dose(report.quick()).size());
        found.put("operationsPerRound", work.dose(report.quick()).ops());
        found.put(
                "sides",
                results.values().stream().map(each -> side(work, results, each)).toList());
        return found;
    }

    private static Map<String, @Nullable Object> side(Work work, Map<Side, Result> results, Result result) {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        found.put("system", result.side().contender().id());
        found.put("workers", result.side().workers());
        found.put("settings", result.side().contender().settings());
        if (result.failure() != null) found.put("failure", result.failure());
        if (!result.isComplete()) return found;
        if (!Double.isNaN(result.bytesPerOp())) found.put("bytesPerOperation", result.bytesPerOp());
        for (int i = 0; i < work.measures().size(); i++) {
            Work.Measure measure = work.measures().get(i);
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            figures.put("unit", measure.unit());
            figures.put("median", result.samples(i).median());
            figures.put("spread", result.samples(i).spread());
            figures.put("overBestPeer", Report.overBestPeer(results, result, i));
            figures.put("rounds", result.samples(i).all());
            found.put(measure.name().isEmpty() ? "figure" : measure.name(), figures);
        }
        return found;
    }

    private static Map<String, @Nullable Object> goal(Report.Outcome outcome) {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        Goal goal = outcome.goal();
        found.put("issue", goal.issue());
        found.put("work", goal.work());
        found.put("measure", outcome.work().title(goal.measure()));
        found.put("goal", goal.text() + " " + goal.target());
        found.put("measured", outcome.measured());
        found.put("floor", outcome.floor());
        found.put("floorIsHalved", goal.isFloorHalved(outcome.work()));
        found.put("met", outcome.isKnown() ? outcome.isMet() : null);
        return found;
    }

    private static void write(StringBuilder out, @Nullable Object value, int depth) {
        switch (value) {
            case null -> out.append("null");
            case String text -> quote(out, text);
            case Double figure -> out.append(number(figure));
            case List<?> list
            when list.stream().allMatch(Double.class::isInstance) ->
                out.append(
                        list.stream().map(each -> number((Double) each)).collect(Collectors.joining(", ", "[", "]")));
            case List<?> list -> writeAll(out, "[", "]", depth, list, each -> write(out, each, depth + 1));
            case Map<?, ?> map ->
                writeAll(out, "{", "}", depth, List.copyOf(map.keySet()), key -> {
                    quote(out, String.valueOf(key));
                    out.append(": ");
                    write(out, map.get(key), depth + 1);
                });
            default -> out.append(value);
        }
    }

    private static void writeAll(
            StringBuilder out, String open, String close, int depth, List<?> parts, Consumer<Object> writePart) {
        out.append(open);
        String gap = "\n" + "  ".repeat(depth + 1);
        for (int i = 0; i < parts.size(); i++) {
            out.append(i == 0 ? gap : "," + gap);
            writePart.accept(parts.get(i));
        }
        out.append(parts.isEmpty() ? "" : "\n" + "  ".repeat(depth)).append(close);
    }

    private static String number(double figure) {
        return Double.isFinite(figure) ? String.format(Locale.ROOT, "%.4g", figure) : "null";
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }
}
