package dev.coir.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who meets whom at a primitive, and on how many workers.
 *
 * @param first usually the one who was there first
 * @param second the other
 * @param workers of the scheduler on which fibers run
 */
record Pairing(Who first, Who second, int workers) {
    /** Fiber and fiber, fiber and thread, thread and fiber, thread and thread; both kinds; 1, 2, 4 and 8 workers. */
    static Stream<Pairing> all() {
        List<Pairing> all = new ArrayList<>();
        for (int workers : new int[] {1, 2, 4, 8}) {
            for (Who fiber : new Who[] {Who.VIRTUAL_FIBER, Who.LIGHT_FIBER}) {
                all.add(new Pairing(fiber, fiber, workers));
                all.add(new Pairing(fiber, Who.THREAD, workers));
                all.add(new Pairing(Who.THREAD, fiber, workers));
            }
        }
        all.add(new Pairing(Who.LIGHT_FIBER, Who.VIRTUAL_FIBER, 2));
        all.add(new Pairing(Who.VIRTUAL_FIBER, Who.LIGHT_FIBER, 1));
        for (Who fiber : new Who[] {Who.VIRTUAL_FIBER, Who.LIGHT_FIBER}) {
            all.add(new Pairing(Who.BOUND_THREAD, fiber, 1));
            all.add(new Pairing(fiber, Who.BOUND_THREAD, 1));
        }
        all.add(new Pairing(Who.THREAD, Who.THREAD, 1));
        all.add(new Pairing(Who.VIRTUAL_THREAD, Who.VIRTUAL_THREAD, 1));
        return all.stream();
    }

    @Override
    public String toString() {
        return first + " and " + second + ", " + workers + (workers == 1 ? " worker" : " workers");
    }
}
