package dev.coir.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When one fiber waited, put together from what several threads have written, where ends and beginnings may be missing. */
final class Waits {
    private static final String BLOCKING_CALL = "a blocking call"; // the one wait inside which there may be others

    private record Moment(long time, @Nullable String reason) {} // null at the end of a wait

    private record Open(long from, String reason) {}

    private final List<Moment> moments = new ArrayList<>();

    void began(long time, String reason) {
        moments.add(new Moment(time, reason));
    }

    void ended(long time) {
        moments.add(new Moment(time, null));
    }

    void into(Row row, long begun, long ended) {
        moments.sort(Comparator.comparingLong(Moment::time)); // stable: what one thread wrote stays in order
        var open = new ArrayDeque<Open>();
        long lastEnd = begun;
        for (Moment each : moments) {
            long now = each.time();
            if (each.reason() != null) {
                if (!open.isEmpty() && !open.peek().reason().equals(BLOCKING_CALL))
                    row.add(bar(open.pop(), now, Map.of("end", "not recorded")));
                open.push(new Open(now, each.reason()));
            } else if (!open.isEmpty()) {
                row.add(bar(open.pop(), now, Map.of()));
                lastEnd = now;
            } else {
                row.add(new Row.Bar(lastEnd, now, "wait", "waits", Map.of("beginning", "not recorded")));
                lastEnd = now;
            }
        }
        while (!open.isEmpty()) row.add(bar(open.pop(), ended, Map.of("end", "after the trace")));
    }

    private static Row.Bar bar(Open wait, long to, Map<String, Object> notes) {
        return new Row.Bar(wait.from(), to, "wait", "waits: " + wait.reason(), notes);
    }
}
