package dev.coir.observe;

import dev.coir.observe.Row.Bar;
import dev.coir.observe.Row.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the ring of one thread tells. Slices and sleeps lie inside one another, for a thread does one thing at a time. */
final class Chapter {
    /** A slice or a sleep under way. */
    private static final class Open {
        final long from;
        final String category;
        final String name;
        final long fiber;

        @Nullable
        String outcome;

        Open(long from, String category, String name, long fiber) {
            this.from = from;
            this.category = category;
            this.name = name;
            this.fiber = fiber;
        }
    }

    private final Story story;
    private final Row row;
    private final long thread;
    private final List<Ring.Entry> entries;
    private final long lost;
    private final List<Open> open = new ArrayList<>(); // the innermost last

    Chapter(Story story, Ring ring) {
        this.story = story;
        this.row = story.rowOf(Scene.of(ring.thread()));
        this.thread = ring.thread().threadId();
        this.entries = ring.entries();
        this.lost = ring.lost();
    }

    void tell() {
        long first = lost == 0 || entries.isEmpty()
                ? story.begun()
                : entries.getFirst().time();
        if (lost != 0) row.add(new Point(first, "trace", lost + " earlier events of this thread were overwritten"));
        for (Ring.Entry each : entries) {
            story.learnName(each.fiber(), each.name());
            tell(each, first);
        }
        while (!open.isEmpty()) close(open.removeLast(), story.ended(), Map.of("end", "after the trace"));
    }

    private void tell(Ring.Entry entry, long first) {
        long now = entry.time();
        long fiber = entry.fiber();
        switch (entry.kind()) {
            case SLICE_BEGAN -> {
                if (fiber != 0) story.arrows().slice(fiber, thread, now);
                open.add(new Open(now, fiber != 0 ? "fiber" : "task", label(entry), fiber));
            }
            case SLEEPS -> open.add(new Open(now, "idle", entry.number() == 1 ? "polls" : "sleeps", 0));
            case SLICE_ENDED -> endOf(now, first, "slice", "a slice");
            case SLEPT -> endOf(now, first, "idle", "sleeps");
            case STARTED -> {
                story.rowOf(fiber).add(new Point(now, "fiber", "started"));
                cause(fiber, now, "starts ");
            }
            case UNPARKED -> cause(fiber, now, "wakes ");
            case ENDED -> {
                story.rowOf(fiber).add(new Point(now, "fiber", "ended"));
                setOutcome(fiber, "ended");
            }
            case WAITS -> {
                String reason = String.valueOf(entry.detail());
                story.waitsOf(fiber).began(now, reason);
                setOutcome(fiber, "waits: " + reason);
            }
            case WAITED -> {
                story.waitsOf(fiber).ended(now);
                setOutcome(fiber, null);
            }
            case STOLE -> row.add(new Point(now, "steal", "steals " + entry.number() + " from " + entry.name()));
            case HANDED_OFF -> threadRow(entry).add(new Point(now, "hand-off", "its work goes to " + entry.detail()));
            case ASKED -> threadRow(entry).add(new Point(now, "preemption", "is asked to give way"));
            case EVENT -> {
                if (entry.detail() instanceof TraceEvent event) story.learn(event);
            }
            case MARK -> {
                if (!(entry.detail() instanceof Scene scene)) return;
                story.learnName(scene.stage() == Scene.Stage.FIBERS ? scene.number() : 0, scene.name());
                story.rowOf(scene).add(new Point(now, "mark", String.valueOf(entry.name())));
            }
        }
    }

    private static String label(Ring.Entry slice) {
        if (slice.fiber() != 0)
            return slice.name() == null
                    ? "fiber-" + slice.fiber()
                    : slice.name().toString();
        String of = slice.name() instanceof Class<?> type ? type.getName() : String.valueOf(slice.name());
        int lambda = of.indexOf("$$Lambda");
        return "task of " + (lambda < 0 ? of : of.substring(0, lambda));
    }

    private Row threadRow(Ring.Entry entry) {
        return story.rowOf(new Scene(Scene.Stage.THREADS, entry.number(), String.valueOf(entry.name())));
    }

    /** Arrows begin in bars; where there is none, a point has to do. */
    private void cause(long fiber, long now, String verb) {
        if (open.isEmpty()) row.add(new Point(now, "wake", verb + story.nameOf(fiber)));
        else story.arrows().cause(fiber, thread, now);
    }

    private void setOutcome(long fiber, @Nullable String outcome) {
        if (!open.isEmpty() && open.getLast().fiber == fiber) open.getLast().outcome = outcome;
    }

    private void endOf(long now, long first, String category, String name) {
        if (open.isEmpty()) {
            row.add(new Bar(first, now, category, name, Map.of("beginning", "not recorded")));
        } else {
            close(open.removeLast(), now, Map.of());
        }
    }

    private void close(Open bar, long to, Map<String, Object> more) {
        var notes = new LinkedHashMap<String, Object>();
        if (bar.fiber != 0) notes.put("fiber", bar.fiber);
        if (bar.outcome != null) notes.put("then", bar.outcome);
        notes.putAll(more);
        row.add(new Bar(bar.from, to, bar.category, bar.name, notes));
    }
}
