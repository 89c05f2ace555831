package dev.coir.observe;

import java.io.Writer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Writes a story in the trace-event format: one JSON object that Perfetto and Chrome open. */
final class TraceFile {
    private final Json json;
    private final Story story;

    private TraceFile(Json json, Story story) {
        this.json = json;
        this.story = story;
    }

    static void write(Writer out, Story story, long lost) {
        new TraceFile(new Json(out), story).write(lost);
    }

    private void write(long lost) {
        json.open('{');
        json.key("displayTimeUnit").text("ns");
        json.key("otherData").open('{');
        json.key("writer").text("Coir");
        json.key("lostEvents").number(lost);
        json.close('}');
        json.key("traceEvents").open('[');
        for (Scene.Stage each : Scene.Stage.values()) meta(each.pid, 0, "process_name", each.title);
        for (Row each : story.rows()) row(each);
        arrows(story.arrowsAll());
        json.close(']').close('}').newLine();
    }

    private void row(Row row) {
        int pid = row.scene().stage().pid;
        long tid = row.scene().number();
        meta(pid, tid, "thread_name", story.titleOf(row));
        for (Row.Bar each : row.nested()) {
            event("X", pid, tid, each.from(), each.category(), each.name());
            json.key("dur").micros(each.to() - each.from());
            notes(each.notes());
            json.close('}');
        }
        row.points().sort(Comparator.comparingLong(Row.Point::at));
        for (Row.Point each : row.points()) {
            event("i", pid, tid, each.at(), each.category(), each.name());
            json.key("s").text("t");
            json.close('}');
        }
    }

    private void meta(int pid, long tid, String what, String name) {
        json.newLine().open('{');
        json.key("ph")
                .text("M")
                .key("pid")
                .number(pid)
                .key("tid")
                .number(tid)
                .key("name")
                .text(what);
        json.key("args").open('{').key("name").text(name).close('}');
        json.close('}');
    }

    private void event(String phase, int pid, long tid, long at, String category, String name) {
        json.newLine().open('{');
        json.key("ph").text(phase).key("pid").number(pid).key("tid").number(tid);
        json.key("ts").micros(Math.max(0, at - story.begun()));
        json.key("cat").text(category).key("name").text(name);
    }

    private void notes(Map<String, Object> notes) {
        if (notes.isEmpty()) return;
        json.key("args").open('{');
        notes.forEach((key, value) -> {
            json.key(key);
            if (value instanceof Long number) json.number(number);
            else json.text(value.toString());
        });
        json.close('}');
    }

    private void arrows(List<Arrows.Arrow> arrows) {
        int pid = Scene.Stage.THREADS.pid;
        long id = 0;
        for (Arrows.Arrow each : arrows) {
            id++;
            event("s", pid, each.fromThread(), each.fromTime(), "wake", "wake");
            json.key("id").number(id).close('}');
            event("f", pid, each.toThread(), each.toTime(), "wake", "wake");
            json.key("id").number(id).key("bp").text("e").close('}');
        }
    }
}
