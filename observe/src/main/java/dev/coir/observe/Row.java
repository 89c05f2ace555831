package dev.coir.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One row of the picture: bars that lie inside one another, and points. */
final class Row {
    /**
     * A stretch of time.
     *
     * @param from when it begins
     * @param to when it ends
     * @param category what sort of thing it is
     * @param name what it is called
     * @param notes what else is known
     */
    record Bar(long from, long to, String category, String name, Map<String, Object> notes) {
        Bar endingAt(long time, String why) {
            var more = new LinkedHashMap<>(notes);
            more.put("cut", why);
            return new Bar(from, time, category, name, more);
        }
    }

    /** A moment. */
    record Point(long at, String category, String name) {}

    private final Scene scene;
    private final List<Bar> bars = new ArrayList<>();
    private final List<Point> points = new ArrayList<>();

    Row(Scene scene) {
        this.scene = scene;
    }

    Scene scene() {
        return scene;
    }

    void add(Bar bar) {
        bars.add(bar);
    }

    void add(Point point) {
        points.add(point);
    }

    List<Point> points() {
        return points;
    }

    /** The bars by time, each either inside another or beside it: what sticks out of the one it began in is cut off. */
    List<Bar> nested() {
        bars.sort(Comparator.comparingLong(Bar::from)
                .thenComparing(Comparator.comparingLong(Bar::to).reversed()));
        List<Bar> nested = new ArrayList<>();
        var around = new ArrayDeque<Bar>();
        for (Bar each : bars) {
            while (!around.isEmpty() && around.peek().to() <= each.from()) around.pop();
            Bar outer = around.peek();
            Bar fitting = outer != null && each.to() > outer.to()
                    ? each.endingAt(outer.to(), "it lasted longer than what it began in")
                    : each;
            nested.add(fitting);
            around.push(fitting);
        }
        return nested;
    }
}
