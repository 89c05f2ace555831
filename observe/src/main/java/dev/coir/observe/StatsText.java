package dev.coir.observe;

import dev.coir.executor.SchedulerStats;
import dev.coir.executor.SchedulerStats.WorkerStats;
import java.util.function.ToLongFunction;

/** A scheduler's numbers, for tools. */
final class StatsText {
    private StatsText() {}

    static String json(SchedulerStats stats) {
        var out = new StringBuilder();
        var json = new Json(out);
        json.open('{').key("scheduler").text(stats.name());
        json.key("sharedQueued").number(stats.sharedQueued());
        json.key("suspendedFibers").number(stats.suspendedFibers());
        json.key("timers").number(stats.timers());
        json.key("handoffs").number(stats.handoffs());
        json.key("workers").open('[');
        for (WorkerStats each : stats.workers()) {
            json.newLine().open('{');
            json.key("group").number(each.group()).key("index").number(each.index());
            json.key("ran").number(each.ran()).key("stolen").number(each.stolen());
            json.key("parked").number(each.parked()).key("polled").number(each.polled());
            json.key("overflowed").number(each.overflowed()).key("queued").number(each.queued());
            json.close('}');
        }
        json.close(']').close('}');
        return out.append('\n').toString();
    }

    /** The text format of Prometheus, version 0.0.4. */
    static String metrics(SchedulerStats stats) {
        var out = new StringBuilder();
        String labels = "scheduler=\"" + escaped(stats.name()) + "\"";
        one(
                out,
                "coir_suspended_fibers",
                "gauge",
                "Fibers that have suspended and not ended.",
                labels,
                stats.suspendedFibers());
        one(out, "coir_timers", "gauge", "Timers that are set.", labels, stats.timers());
        one(out, "coir_shared_queued", "gauge", "Tasks in the shared queues.", labels, stats.sharedQueued());
        one(
                out,
                "coir_handoffs_total",
                "counter",
                "Times a worker went on with another thread.",
                labels,
                stats.handoffs());
        each(out, "coir_queued", "gauge", "Tasks in the worker's own queue.", stats, labels, WorkerStats::queued);
        each(out, "coir_ran_total", "counter", "Tasks and slices of fibers run.", stats, labels, WorkerStats::ran);
        each(
                out,
                "coir_stolen_total",
                "counter",
                "Tasks taken from other workers.",
                stats,
                labels,
                WorkerStats::stolen);
        each(out, "coir_parked_total", "counter", "Times the worker fell asleep.", stats, labels, WorkerStats::parked);
        each(out, "coir_polled_total", "counter", "Times the worker polled.", stats, labels, WorkerStats::polled);
        each(
                out,
                "coir_overflowed_total",
                "counter",
                "Tasks moved to the shared queue.",
                stats,
                labels,
                WorkerStats::overflowed);
        return out.toString();
    }

    private static void one(StringBuilder out, String name, String type, String help, String labels, long value) {
        head(out, name, type, help);
        line(out, name, labels, value);
    }

    private static void each(
            StringBuilder out,
            String name,
            String type,
            String help,
            SchedulerStats stats,
            String labels,
            ToLongFunction<WorkerStats> value) {
        head(out, name, type, help);
        for (WorkerStats worker : stats.workers()) {
            String its = labels + ",group=\"" + worker.group() + "\",worker=\"" + worker.index() + "\"";
            line(out, name, its, value.applyAsLong(worker));
        }
    }

    private static void head(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder out, String name, String labels, long value) {
        out.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
