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
        var placement = new MachinePlacement(TWO_NODES, true, false);
        for (int group = 0; group < 6; group++) assertEquals(group % 2, placement.nodeOf(group));
    }

    @Test
    void withoutNumaAllGroupsLieOnOneNode() {
        var placement = new MachinePlacement(TWO_NODES, false, true);
        for (int group = 0; group < 6; group++) assertEquals(0, placement.nodeOf(group));
    }

    @Test
    void aThreadThatIsNotPinnedKeepsToItsNode() {
        var placement = new MachinePlacement(TWO_NODES, true, false);
        assertArrayEquals(new int[] {0, 1, 4, 5}, placement.processorsFor(0, 7));
        assertArrayEquals(new int[] {2, 3}, placement.processorsFor(1, 0));
        assertArrayEquals(new int[] {0, 1, 4, 5}, placement.processorsFor(2, 0));
    }

    @Test
    void onAMachineOfOneNodeAThreadThatIsNotPinnedGoesAnywhere() {
        assertNull(new MachinePlacement(ONE_NODE, true, false).processorsFor(0, 0));
        assertNull(new MachinePlacement(TWO_NODES, false, false).processorsFor(0, 0));
    }

    @Test
    void pinnedThreadsTakeTheirNodesProcessorsInTurn() {
        var placement = new MachinePlacement(TWO_NODES, true, true);
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
        var placement = new MachinePlacement(TWO_NODES, false, true);
        for (int worker = 0; worker < 12; worker++) {
            assertArrayEquals(new int[] {worker % 6}, placement.processorsFor(0, worker));
        }
    }

    private static BitSet processors(int... numbers) {
        var set = new BitSet();
        for (int number : numbers) set.set(number);
        return set;
    }
}
