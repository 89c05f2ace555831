package dev.coir.observe;

import dev.coir.observe.Row.Bar;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rings of all threads tell together: rows of bars and points, and arrows between them. */
final class Story {
    private record Key(Scene.Stage stage, long number) {}

    private final long begun;
    private final long ended;
    private final Map<Key, Row> rows = new LinkedHashMap<>();
    private final Map<Long, Waits> waits = new LinkedHashMap<>(); // by fiber
    private final Map<Long, String> names = new HashMap<>(); // of fibers that were given one
    private final Arrows arrows = new Arrows();
    private final Set<TraceEvent> events = Collections.newSetFromMap(new IdentityHashMap<>());

    Story(List<Ring> rings, long begun, long ended) {
        this.begun = begun;
        this.ended = ended;
        for (Ring each : rings) new Chapter(this, each).tell();
        waits.forEach((fiber, each) -> each.into(rowOf(fiber), begun, ended));
        for (TraceEvent each : events) add(each);
    }

    long begun() {
        return begun;
    }

    long ended() {
        return ended;
    }

    Collection<Row> rows() {
        return rows.values();
    }

    List<Arrows.Arrow> arrowsAll() {
        return arrows.all();
    }

    Arrows arrows() {
        return arrows;
    }

    /** What a row is called. */
    String titleOf(Row row) {
        Scene scene = row.scene();
        if (scene.stage() == Scene.Stage.FIBERS) return nameOf(scene.number());
        String given = scene.name();
        return given == null || given.isEmpty() ? "thread-" + scene.number() : given;
    }

    String nameOf(long fiber) {
        String given = names.get(fiber);
        return given != null ? given : "fiber-" + fiber;
    }

    void learnName(long fiber, @Nullable Object name) {
        if (fiber != 0 && name instanceof String given) names.put(fiber, given);
    }

    Row rowOf(Scene scene) {
        return rows.computeIfAbsent(new Key(scene.stage(), scene.number()), key -> new Row(scene));
    }

    Row rowOf(long fiber) {
        return rowOf(new Scene(Scene.Stage.FIBERS, fiber, null));
    }

    Waits waitsOf(long fiber) {
        return waits.computeIfAbsent(fiber, none -> new Waits());
    }

    void learn(TraceEvent event) {
        events.add(event);
    }

    private void add(TraceEvent event) {
        Scene scene = event.scene();
        if (scene == null) return;
        learnName(scene.stage() == Scene.Stage.FIBERS ? scene.number() : 0, scene.name());
        boolean open = event.ended() == TraceEvent.OPEN || event.ended() - ended > 0;
        Map<String, Object> notes = open ? Map.of("end", "after the trace") : Map.of();
        long from = Math.max(event.begun(), begun);
        rowOf(scene).add(new Bar(from, Math.max(from, open ? ended : event.ended()), "event", event.name(), notes));
    }
}
