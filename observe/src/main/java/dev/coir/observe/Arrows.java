package dev.coir.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who made a fiber run: from the slice that started or woke it to the slice that came of it. */
final class Arrows {
    /** From a moment of one thread to a moment of another. */
    record Arrow(long fromThread, long fromTime, long toThread, long toTime) {}

    private record Moment(long time, long thread, boolean isSlice) {}

    private final Map<Long, List<Moment>> byFiber = new HashMap<>();

    /** In a slice on a thread, a fiber is made to run. */
    void cause(long fiber, long thread, long time) {
        momentsOf(fiber).add(new Moment(time, thread, false));
    }

    /** A slice of a fiber begins. */
    void slice(long fiber, long thread, long time) {
        momentsOf(fiber).add(new Moment(time, thread, true));
    }

    private List<Moment> momentsOf(long fiber) {
        return byFiber.computeIfAbsent(fiber, none -> new ArrayList<>());
    }

    /** The first cause since the slice before counts. */
    List<Arrow> all() {
        List<Arrow> arrows = new ArrayList<>();
        for (List<Moment> moments : byFiber.values()) {
            moments.sort(Comparator.comparingLong(Moment::time));
            Moment cause = null;
            for (Moment each : moments) {
                if (!each.isSlice()) {
                    if (cause == null) cause = each;
                } else if (cause != null) {
                    arrows.add(new Arrow(cause.thread(), cause.time(), each.thread(), each.time()));
                    cause = null;
                }
            }
        }
        return arrows;
    }
}
