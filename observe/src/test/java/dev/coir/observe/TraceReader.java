package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A trace file, parsed by somebody else's parser and held to what viewers expect of one. */
final class TraceReader {
    private static final ObjectMapper PARSER = new ObjectMapper();

    /** An event of the file; times in nanoseconds. */
    record Event(String phase, long pid, long tid, long from, long to, String category, String name, JsonNode args) {
        boolean within(Event outer) {
            return from >= outer.from && to <= outer.to;
        }
    }

    private record Track(long pid, long tid) {}

    final long lost;
    final List<Event> events = new ArrayList<>();
    private final Map<Track, String> names = new HashMap<>();

    TraceReader(Path file) throws IOException {
        JsonNode read = PARSER.readTree(file.toFile());
        lost = read.get("otherData").get("lostEvents").longValue();
        var flowStarts = new HashSet<Long>();
        var flowEnds = new HashSet<Long>();
        for (JsonNode each : read.get("traceEvents")) {
            String phase = each.get("ph").textValue();
            long pid = each.get("pid").longValue();
            long tid = each.get("tid").longValue();
            if (phase.equals("M")) {
                String name = each.get("args").get("name").textValue();
                if (each.get("name").textValue().equals("thread_name"))
                    assertEquals(null, names.put(new Track(pid, tid), name), "named twice: " + name);
                continue;
            }
            long from = nanos(each.get("ts"));
            assertTrue(from >= 0, each::toString);
            long to = phase.equals("X") ? from + nanos(each.get("dur")) : from;
            assertTrue(to >= from, each::toString);
            if (phase.equals("s")) assertTrue(flowStarts.add(each.get("id").longValue()));
            if (phase.equals("f")) assertTrue(flowEnds.add(each.get("id").longValue()));
            events.add(new Event(
                    phase,
                    pid,
                    tid,
                    from,
                    to,
                    each.get("cat").textValue(),
                    each.get("name").textValue(),
                    each.path("args")));
        }
        assertEquals(flowStarts, flowEnds);
        checkNesting();
        checkThatArrowsBeginAndEndInBars();
    }

    private static long nanos(JsonNode micros) {
        return new BigDecimal(micros.asText()).movePointRight(3).longValueExact();
    }

    /** On each track, of two bars one is inside the other or they do not touch. */
    private void checkNesting() {
        Map<Track, ArrayDeque<Event>> open = new HashMap<>();
        for (Event each : events) {
            if (!each.phase().equals("X")) continue;
            var track = new Track(each.pid(), each.tid());
            assertTrue(names.containsKey(track), () -> "no name for the row of " + each);
            ArrayDeque<Event> around = open.computeIfAbsent(track, none -> new ArrayDeque<>());
            while (!around.isEmpty() && around.peek().to() <= each.from()) around.pop();
            Event outer = around.peek();
            assertTrue(outer == null || each.within(outer), () -> each + " sticks out of " + outer);
            around.push(each);
        }
    }

    private void checkThatArrowsBeginAndEndInBars() {
        Map<Long, List<Event>> barsOfThread = new HashMap<>();
        for (Event each : events) {
            if (each.phase().equals("X") && each.pid() == Scene.Stage.THREADS.pid)
                barsOfThread
                        .computeIfAbsent(each.tid(), none -> new ArrayList<>())
                        .add(each);
        }
        for (Event each : events) {
            if (!each.phase().equals("s") && !each.phase().equals("f")) continue;
            assertTrue(
                    barsOfThread.getOrDefault(each.tid(), List.of()).stream().anyMatch(each::within),
                    () -> "no bar under the arrow's end " + each);
        }
    }

    /** The bars and points of the row with this name. */
    List<Event> row(Scene.Stage stage, String name) {
        return events.stream()
                .filter(each -> each.pid() == stage.pid && name.equals(names.get(new Track(each.pid(), each.tid()))))
                .toList();
    }

    Set<String> rows(Scene.Stage stage) {
        var found = new HashSet<String>();
        names.forEach((track, name) -> {
            if (track.pid() == stage.pid) found.add(name);
        });
        return found;
    }

    long count(Predicate<Event> wanted) {
        return events.stream().filter(wanted).count();
    }
}
