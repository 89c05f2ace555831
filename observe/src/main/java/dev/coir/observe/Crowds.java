package dev.coir.observe;

import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fibers of a dump for a page: those that do the same at the same place are one line, however many they are. */
final class Crowds {
    private static final int SHOWN = 200;
    private static final int NAMES_SHOWN = 5;

    /** What the fibers of a crowd have in common. */
    private record Sight(
            Fiber.Kind kind, Fiber.Status status, Optional<String> reason, List<StackTraceElement> stack) {}

    /** One line. */
    private static final class Crowd {
        final Sight sight;
        final List<String> names = new ArrayList<>();
        int count;

        Crowd(Sight sight) {
            this.sight = sight;
        }
    }

    private Crowds() {}

    /** The dump's workers, and its crowds, largest first; {@code left} says how many fibers are in those that are not shown. */
    static String json(FiberDump dump) {
        List<Crowd> crowds = of(dump.fibers());
        List<Crowd> shown = crowds.subList(0, Math.min(SHOWN, crowds.size()));
        int left = dump.fibers().size()
                - shown.stream().mapToInt(each -> each.count).sum();
        var out = new StringBuilder();
        var json = new Json(out);
        json.open('{').key("scheduler").text(dump.scheduler()).key("state").text(dump.state());
        json.key("workers").open('[');
        for (WorkerView each : dump.workers()) {
            json.newLine()
                    .open('{')
                    .key("group")
                    .number(each.group())
                    .key("number")
                    .number(each.number());
            json.key("thread")
                    .text(each.thread())
                    .key("state")
                    .text(each.state().toString());
            json.key("runs").text(each.runs().orElse(null));
            json.key("ranForNanos").number(each.ranFor().toNanos()).close('}');
        }
        json.close(']').key("crowds").open('[');
        for (Crowd each : shown) crowd(json, each);
        json.close(']').key("left").number(left).close('}');
        return out.append('\n').toString();
    }

    private static List<Crowd> of(List<FiberView> fibers) {
        Map<Sight, Crowd> crowds = new LinkedHashMap<>();
        for (FiberView each : fibers) {
            var sight = new Sight(each.kind(), each.status(), each.waitReason(), each.stack());
            Crowd crowd = crowds.computeIfAbsent(sight, Crowd::new);
            crowd.count++;
            if (crowd.names.size() < NAMES_SHOWN) crowd.names.add(each.name());
        }
        List<Crowd> sorted = new ArrayList<>(crowds.values());
        sorted.sort(Comparator.comparingInt((Crowd each) -> each.count).reversed());
        return sorted;
    }

    private static void crowd(Json json, Crowd crowd) {
        json.newLine().open('{').key("count").number(crowd.count).key("names").texts(crowd.names);
        json.key("kind").text(crowd.sight.kind().toString());
        json.key("status").text(crowd.sight.status().toString());
        json.key("reason").text(crowd.sight.reason().orElse(null));
        json.key("stack").texts(crowd.sight.stack()).close('}');
    }
}
