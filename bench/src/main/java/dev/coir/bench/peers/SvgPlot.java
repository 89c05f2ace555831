package dev.coir.bench.peers;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A run as a picture: a panel for each work, a bar for each system (its better number of workers), shorter is better. A bar
 * that would make the others unreadable is cut off, and its end shows it.
 */
final class SvgPlot {
    private static final int COLUMNS = 3;
    private static final int PANEL_WIDTH = 380;
    private static final int LABEL_WIDTH = 146;
    private static final int BAR_WIDTH = 155;
    private static final int BAR_HEIGHT = 15;
    private static final int BAR_STEP = 19;
    private static final int PANEL_HEAD = 30;
    private static final int PANEL_GAP = 22;
    private static final int MARGIN = 20;
    private static final int TOP = 70;
    private static final double CUT_OFF = 3; // times the second-largest bar

    private final StringBuilder out = new StringBuilder();

    private SvgPlot() {}

    static String of(Report report) {
        return new SvgPlot().draw(report);
    }

    private String draw(Report report) {
        List<Work> works = report.results().keySet().stream()
                .filter(each -> !bars(report, each).isEmpty())
                .toList();
        int rows = (works.size() + COLUMNS - 1) / COLUMNS;
        List<Integer> tops = new ArrayList<>(List.of(TOP));
        for (int row = 0; row < rows; row++) {
            int most = 0;
            for (int i = row * COLUMNS; i < Math.min(works.size(), (row + 1) * COLUMNS); i++) {
                most = Math.max(most, bars(report, works.get(i)).size());
            }
            tops.add(tops.getLast() + PANEL_HEAD + most * BAR_STEP + PANEL_GAP);
        }
        int width = 2 * MARGIN + COLUMNS * PANEL_WIDTH;
        int height = tops.getLast() + MARGIN;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">",
                width, height, width, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
        text(MARGIN, 28, "font-size=\"18\" font-weight=\"bold\"", "Coir and its peers: shorter is better");
        text(MARGIN, 48, "fill=\"#555555\"", subtitle(report));
        for (int i = 0; i < works.size(); i++) {
            panel(report, works.get(i), MARGIN + i % COLUMNS * PANEL_WIDTH, tops.get(i / COLUMNS));
        }
        line("</svg>");
        return out.toString();
    }

    private static String subtitle(Report report) {
        return report.date().replace('T', ' ') + " UTC, "
                + report.machine().getOrDefault("processor", "") + ", "
                + report.machine().getOrDefault("cores", "?") + " cores, JDK "
                + report.machine().getOrDefault("JDK", "") + ", " + (report.quick() ? "quick" : "full")
                + " run; in brackets: workers"
                + (Machine.isBusy(report.loadBefore()) ? "; THE MACHINE WAS BUSY" : "");
    }

    private static List<Result> bars(Report report, Work work) {
        Map<Side, Result> results = report.results().getOrDefault(work, Map.of());
        return List.copyOf(Report.bestSides(results, 0).values());
    }

    private void panel(Report report, Work work, int x, int y) {
        List<Result> bars = bars(report, work);
        text(x, y + 14, "font-weight=\"bold\"", report.title(work, 0));
        double longest = longest(bars);
        for (int i = 0; i < bars.size(); i++) bar(bars.get(i), x, y + PANEL_HEAD + i * BAR_STEP, longest);
    }

    private static double longest(List<Result> bars) {
        List<Double> sorted = bars.stream()
                .map(each -> each.samples(0).median())
                .sorted()
                .toList()
                .reversed();
        if (sorted.size() < 3) return sorted.getFirst();
        return Math.min(sorted.getFirst(), CUT_OFF * sorted.get(1));
    }

    private void bar(Result result, int x, int y, double longest) {
        double value = result.samples(0).median();
        boolean cut = value > longest;
        double length = longest <= 0 ? 0 : BAR_WIDTH * Math.min(Math.max(value, 0), longest) / longest;
        Contender contender = result.side().contender();
        int left = x + LABEL_WIDTH;
        String weight = contender.isCoir() ? " font-weight=\"bold\"" : "";
        text(
                left - 6,
                y + 12,
                "text-anchor=\"end\" fill=\"#333333\"" + weight,
                result.side().label());
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                left, y, Math.max(1, length), BAR_HEIGHT, colour(contender));
        if (cut)
            line(
                    "<path d=\"M %.1f %d l 6 %d l -6 %d\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"3\"/>",
                    left + length - 14, y, BAR_HEIGHT / 2, BAR_HEIGHT - BAR_HEIGHT / 2);
        text((int) (left + length + 5), y + 12, "fill=\"#333333\"" + weight, Report.figure(value));
    }

    private static String colour(Contender contender) {
        return switch (contender) {
            case COIR_VIRTUAL -> "#b5541c";
            case COIR_LIGHT -> "#e08a3c";
            case COIR_TASK -> "#8f3f12";
            case FLOOR -> "#c9c9c9";
            case JDK, KOTLIN, JOX, GO, BOOST -> "#6f8fa8";
        };
    }

    private void text(int x, int y, String attributes, String content) {
        String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        line("<text x=\"%d\" y=\"%d\" %s>%s</text>", x, y, attributes, escaped);
    }

    @FormatMethod
    private void line(String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args)).append('\n');
    }
}
