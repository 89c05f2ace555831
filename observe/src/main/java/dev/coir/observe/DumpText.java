package dev.coir.observe;

import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A dump in words, and as JSON. */
final class DumpText {
    private static final int NAMES_SHOWN = 10; // of fibers that do the same

    private DumpText() {}

    static String text(FiberDump dump) {
        var text = new StringBuilder();
        text.append("Scheduler ")
                .append(dump.scheduler())
                .append(", ")
                .append(dump.state())
                .append(", at ")
                .append(dump.time());
        text.append(": ").append(count(dump.workers().size(), "thread"));
        text.append(", ").append(count(dump.fibers().size(), "fiber")).append(byStatus(dump.fibers()));
        text.append(", ").append(dump.queued()).append(" queued\n");
        for (WorkerView each : dump.workers()) worker(text, each);
        alike(dump.fibers()).forEach((sight, fibers) -> fibers(text, sight, fibers));
        return text.toString();
    }

    private static String count(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }

    private static String byStatus(List<FiberView> fibers) {
        if (fibers.isEmpty()) return "";
        var counts = new EnumMap<Fiber.Status, Integer>(Fiber.Status.class);
        for (FiberView each : fibers) counts.merge(each.status(), 1, Integer::sum);
        return counts.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static void worker(StringBuilder text, WorkerView worker) {
        text.append("\nworker ").append(worker.group()).append('/').append(worker.number());
        text.append(" \"").append(worker.thread()).append("\" ");
        text.append(
                switch (worker.state()) {
                    case RUNS -> "runs " + worker.runs().orElse("something");
                    case BLOCKED ->
                        "is blocked in " + worker.runs().orElse("something") + "; another has taken its place";
                    case SEARCHES -> "looks for work";
                    case SLEEPS -> "sleeps";
                    case AWAY -> "is bound, and away";
                });
        if (!worker.ranFor().isZero()) text.append(", for ").append(time(worker.ranFor()));
        text.append('\n');
        frames(text, worker.stack());
    }

    static String time(Duration d) {
        long micros = d.toNanos() / 1000;
        if (micros < 10_000) return micros + " us";
        return micros < 10_000_000 ? micros / 1000 + " ms" : micros / 1_000_000 + " s";
    }

    /** What fibers may have in common. */
    private record Sight(
            Fiber.Kind kind,
            Fiber.Status status,
            boolean cancelled,
            Optional<String> reason,
            Optional<String> thread,
            List<StackTraceElement> stack,
            Optional<String> missing) {}

    private static Map<Sight, List<FiberView>> alike(List<FiberView> fibers) {
        Map<Sight, List<FiberView>> groups = new LinkedHashMap<>();
        for (FiberView f : fibers) {
            var sight = new Sight(
                    f.kind(), f.status(), f.cancelled(), f.waitReason(), f.thread(), f.stack(), f.stackMissing());
            groups.computeIfAbsent(sight, none -> new ArrayList<>()).add(f);
        }
        return groups;
    }

    private static void fibers(StringBuilder text, Sight sight, List<FiberView> fibers) {
        text.append('\n');
        if (fibers.size() > 1) text.append(fibers.size()).append(" fibers ");
        else text.append("fiber ");
        text.append(fibers.stream()
                .limit(NAMES_SHOWN)
                .map(each -> each.name() + " #" + each.id())
                .collect(Collectors.joining(", ")));
        if (fibers.size() > NAMES_SHOWN)
            text.append(" and ").append(fibers.size() - NAMES_SHOWN).append(" more");
        text.append(": ").append(sight.kind()).append(", ");
        text.append(sight.status().toString().toLowerCase(Locale.ROOT).replace('_', ' '));
        sight.reason().ifPresent(reason -> text.append(" in ").append(reason));
        if (sight.cancelled()) text.append(", cancelled");
        sight.thread().ifPresent(thread -> text.append(", on ").append(thread));
        text.append('\n');
        sight.missing()
                .ifPresent(why ->
                        text.append("    stack not available: ").append(why).append('\n'));
        frames(text, sight.stack());
    }

    private static void frames(StringBuilder text, List<StackTraceElement> stack) {
        for (StackTraceElement each : stack) text.append("    at ").append(each).append('\n');
    }

    static String json(FiberDump dump) {
        var text = new StringBuilder();
        var json = new Json(text);
        json.open('{');
        json.key("scheduler").text(dump.scheduler());
        json.key("state").text(dump.state());
        json.key("time").text(dump.time().toString());
        json.key("queued").number(dump.queued());
        json.key("workers").open('[');
        for (WorkerView each : dump.workers()) worker(json, each);
        json.close(']').key("fibers").open('[');
        for (FiberView each : dump.fibers()) fiber(json, each);
        json.close(']').close('}');
        return text.toString();
    }

    private static void worker(Json json, WorkerView worker) {
        json.newLine().open('{');
        json.key("group").number(worker.group());
        json.key("number").number(worker.number());
        json.key("thread").text(worker.thread());
        json.key("state").text(worker.state().toString());
        json.key("runs").text(worker.runs().orElse(null));
        json.key("ranForNanos").number(worker.ranFor().toNanos());
        json.key("stack").texts(worker.stack());
        json.close('}');
    }

    private static void fiber(Json json, FiberView fiber) {
        json.newLine().open('{');
        json.key("name").text(fiber.name());
        json.key("id").number(fiber.id());
        json.key("kind").text(fiber.kind().toString());
        json.key("status").text(fiber.status().toString());
        json.key("cancelled").truth(fiber.cancelled());
        json.key("waitReason").text(fiber.waitReason().orElse(null));
        json.key("thread").text(fiber.thread().orElse(null));
        json.key("stack").texts(fiber.stack());
        json.key("stackMissing").text(fiber.stackMissing().orElse(null));
        json.close('}');
    }
}
