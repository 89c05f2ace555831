package dev.coir.bench.peers;

import static dev.coir.bench.peers.Runs.GO_1;
import static dev.coir.bench.peers.Runs.GO_2;
import static dev.coir.bench.peers.Runs.JDK;
import static dev.coir.bench.peers.Runs.LIGHT;
import static dev.coir.bench.peers.Runs.VIRTUAL;
import static dev.coir.bench.peers.Runs.result;
import static dev.coir.bench.peers.Runs.results;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
    @Test
    void everyGoalIsAboutSidesThatDoItsWork() {
        for (Goal goal : Goals.ALL) {
            Work work = Runs.work(goal.work());
            assertTrue(goal.side().contender().isCoir(), goal.toString());
            assertTrue(work.sides().contains(goal.side()), goal.toString());
            assertTrue(work.sides().containsAll(goal.against()), goal.toString());
            assertTrue(goal.measure() < work.measures().size(), goal.toString());
        }
    }

    @Test
    void aShortRunHasTheSidesOfAllGoalsAndNoneTwice() {
        for (Work work : Works.ALL) {
            List<Side> sides = work.quickSides();
            assertTrue(sides.containsAll(Goals.sidesOf(work)), work.id());
            assertTrue(work.sides().containsAll(sides), work.id());
            assertEquals(sides.size(), new HashSet<>(sides).size(), work.id());
        }
    }

    @Test
    void worksHaveNamesOfTheirOwn() {
        List<String> names = Peers.names();
        assertEquals(names.size(), new HashSet<>(names).size());
    }

    @Test
    void aRatioIsTakenRoundByRoundOverTheBestOfTheOthers() {
        var goal = Goal.ratio(7, "FiberSpawn", VIRTUAL, 0.5, GO_1, GO_2);
        var found = results(result(VIRTUAL, 10, 100, 10), result(GO_1, 500, 500, 500), result(GO_2, 20, 200, 40));
        assertEquals(0.5, goal.measured(found), 1e-9);
        assertTrue(goal.isMetBy(0.5));
        assertFalse(goal.isMetBy(0.51));
    }

    @Test
    void aSpeedupIsMetFromItsBoundUpwards() {
        var goal = Goal.speedup(7, "TaskTree", VIRTUAL, 1.8, LIGHT);
        assertEquals(2.0, goal.measured(results(result(VIRTUAL, 5), result(LIGHT, 10))), 1e-9);
        assertTrue(goal.isMetBy(1.8));
        assertFalse(goal.isMetBy(1.79));
    }

    @Test
    void bytesAreComparedWithABoundOrWithAnother() {
        Result own = result(VIRTUAL, 1);
        own.bytesPerOp(24);
        Result other = result(JDK, 1);
        other.bytesPerOp(20);
        var found = results(own, other);
        assertEquals(24, Goal.bytes(3, "FiberYield/1000", VIRTUAL, 0).measured(found));
        assertEquals(4, Goal.bytesMore(3, "FiberYield/1000", VIRTUAL, 0, JDK).measured(found));
    }

    @Test
    void aMissingOrFailedSideLeavesAGoalUnknown() {
        var goal = Goal.ratio(7, "FiberPark", VIRTUAL, 0.5, JDK);
        assertTrue(Double.isNaN(goal.measured(results(result(VIRTUAL, 1)))));
        Result failed = result(JDK, 1);
        failed.failed("ended");
        assertTrue(Double.isNaN(goal.measured(results(result(VIRTUAL, 1), failed))));
    }
}
