package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which node a group lies on, and which processors a thread may use. */
class MachinePlacementTest {
    private static final Topology TWO_NODES = new Topology(List.of(processors(0, 1, 4, 5), processors(2, 3)));
    private static final Topology ONE_NODE = new Topology(List.of(processors(0, 1, 2)));

    @Test
    void groupsAreLaidOverNodesInTurn() {
        var placement = new MachinePlacement(TWO_NODES, 6, true, false);
        for (int group = 0; group < 6; group++) assertEquals(group % 2, placement.nodeOf(group));
    }

    @Test
    void withoutNumaAllGroupsLieOnOneNode() {
        var placement = new MachinePlacement(TWO_NODES, 6, false, true);
        for (int group = 0; group < 6; group++) assertEquals(0, placement.nodeOf(group));
    }

    @Test
    void aThreadThatIsNotPinnedKeepsToItsNode() {
        var placement = new MachinePlacement(TWO_NODES, 3, true, false);
        assertArrayEquals(new int[] {0, 1, 4, 5}, placement.processorsFor(0, 7));
        assertArrayEquals(new int[] {2, 3}, placement.processorsFor(1, 0));
        assertArrayEquals(new int[] {0, 1, 4, 5}, placement.processorsFor(2, 0));
    }

    @Test
    void onAMachineOfOneNodeAThreadThatIsNotPinnedGoesAnywhere() {
        assertNull(new MachinePlacement(ONE_NODE, 1, true, false).processorsFor(0, 0));
        assertNull(new MachinePlacement(TWO_NODES, 1, false, false).processorsFor(0, 0));
    }

    @Test
    void pinnedThreadsTakeTheirNodesProcessorsInTurn() {
        var placement = new MachinePlacement(TWO_NODES, 2, true, true);
        int[] wanted = {0, 1, 4, 5, 0, 1};
        for (int worker = 0; worker < wanted.length; worker++) {
            assertArrayEquals(new int[] {wanted[worker]}, placement.processorsFor(0, worker));
        }
        assertArrayEquals(new int[] {2}, placement.processorsFor(1, 0));
        assertArrayEquals(new int[] {3}, placement.processorsFor(1, 1));
        assertArrayEquals(new int[] {2}, placement.processorsFor(1, 2));
    }

    @Test
    void withoutNumaPinnedThreadsTakeAllProcessorsInTurn() {
        var placement = new MachinePlacement(TWO_NODES, 1, false, true);
        for (int worker = 0; worker < 12; worker++) {
            assertArrayEquals(new int[] {worker % 6}, placement.processorsFor(0, worker));
        }
    }

    /** As many threads as processors, divided among any number of groups: one each. */
    @Test
    void threadsOfSeveralGroupsDoNotShareAProcessorWhileOneIsFree() {
        for (int groups = 1; groups <= 6; groups++) {
            assertEquals(6, used(new MachinePlacement(TWO_NODES, groups, false, true), 6), groups + " groups");
        }
        for (int groups : new int[] {1, 2, 4}) {
            assertEquals(3, used(new MachinePlacement(ONE_NODE, groups, true, true), Math.max(3, groups)));
        }
        assertEquals(4, used(new MachinePlacement(TWO_NODES, 4, true, true), 4), "two groups on each of two nodes");
    }

    /** How many processors so many threads use, divided among the groups as the scheduler does it. */
    private static int used(MachinePlacement placement, int threads) {
        var processors = new BitSet();
        for (int group = 0; group < placement.groups(); group++) {
            int share = threads / placement.groups() + (group < threads % placement.groups() ? 1 : 0);
            for (int worker = 0; worker < share; worker++)
                processors.set(placement.processorsFor(group, worker)[0]);
        }
        return processors.cardinality();
    }

    private static BitSet processors(int... numbers) {
        var set = new BitSet();
        for (int number : numbers) set.set(number);
        return set;
    }
}
