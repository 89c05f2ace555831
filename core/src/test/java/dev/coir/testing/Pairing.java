package dev.coir.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who stands at the two ends of a primitive.
 *
 * @param first one end
 * @param second the other
 * @param workers of the scheduler that the fibers among them run on
 */
public record Pairing(Callers first, Callers second, int workers) {
    /** Fiber and fiber, fiber and thread, thread and fiber, thread and thread; both kinds; 1, 2, 4 and 8 workers. */
    public static Stream<Pairing> all() {
        List<Pairing> all = new ArrayList<>();
        for (Callers first : Callers.values()) {
            for (Callers second : Callers.values()) {
                if (!first.areFibers() && !second.areFibers()) {
                    all.add(new Pairing(first, second, 1));
                    continue;
                }
                for (int workers : new int[] {1, 2, 4, 8}) all.add(new Pairing(first, second, workers));
            }
        }
        return all.stream();
    }

    @Override
    public String toString() {
        String who = first + " and " + second;
        return first.areFibers() || second.areFibers() ? who + ", workers: " + workers : who;
    }
}
