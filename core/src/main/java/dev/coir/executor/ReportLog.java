package dev.coir.executor;

import java.util.List;

/** Writes reports to the log. */
final class ReportLog {
    private static final int MOST_LINES = 100;

    private ReportLog() {}

    static void warn(Object report) {
        System.getLogger("dev.coir.reports").log(System.Logger.Level.WARNING, report);
    }

    static String lines(List<?> each) {
        var text = new StringBuilder();
        for (Object line : each.subList(0, Math.min(each.size(), MOST_LINES)))
            text.append("\n    ").append(line);
        if (each.size() > MOST_LINES)
            text.append("\n    and ").append(each.size() - MOST_LINES).append(" more");
        return text.toString();
    }
}
