package dev.coir.bench.peers;

import static dev.coir.bench.peers.Runs.FLOOR;
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

    @Test
    void theFloorIsComparedAsCoirIs() {
        var work = Runs.work("ChannelRoundTrip");
        var found = results(result(VIRTUAL, 60, 80), result(GO_1, 40, 20), result(GO_2, 90, 90), result(FLOOR, 30, 18));
        var ratio = Goal.ratio(7, work.id(), VIRTUAL, 0.5, GO_1, GO_2);
        assertEquals((0.75 + 0.9) / 2, ratio.floor(work, found), 1e-9);
        assertEquals(24, Goal.figure(7, work.id(), VIRTUAL, 20).floor(work, found), 1e-9);
    }

    @Test
    void theFloorIsHalvedOnlyForTwoWorkersAtWorkThatTwoCanShare() {
        var found = results(result(VIRTUAL, 90), result(LIGHT, 90), result(JDK, 100), result(FLOOR, 60));
        for (String shared : List.of("FiberYield/10", "FiberYield/1000", "FiberYield/100000", "FiberSpawn")) {
            Work work = Runs.work(shared);
            assertEquals(0.3, Goal.ratio(7, shared, VIRTUAL, 0.5, JDK).floor(work, found), 1e-9, shared);
            assertEquals(0.6, Goal.ratio(7, shared, LIGHT, 0.5, JDK).floor(work, found), 1e-9, shared);
        }
        for (String single :
                List.of("FiberPark", "ChannelRoundTrip", "WakeLatency", "StartLatency", "ParkedMemory", "Timers")) {
            Work work = Runs.work(single);
            assertEquals(0.6, Goal.ratio(7, single, VIRTUAL, 0.5, JDK).floor(work, found), 1e-9, single);
        }
    }

    @Test
    void aBytesGoalHasTheFloorsBytesAndNeverHalfOfThem() {
        var work = Runs.work("FiberYield/1000");
        Result floor = result(FLOOR, 1);
        floor.bytesPerOp(8);
        var goal = Goal.bytes(3, work.id(), VIRTUAL, 0);
        assertEquals(8, goal.floor(work, results(result(VIRTUAL, 1), floor)));
        assertFalse(goal.isFloorHalved(work));
    }

    @Test
    void thereIsNoFloorWithoutItsSideNorForASpeedup() {
        var work = Runs.work("TaskTree");
        var found = results(result(VIRTUAL, 1), result(JDK, 1));
        assertTrue(Double.isNaN(Goal.ratio(7, work.id(), VIRTUAL, 0.5, JDK).floor(work, found)));
        found = results(result(VIRTUAL, 1), result(JDK, 1), result(FLOOR, 1));
        assertTrue(Double.isNaN(Goal.speedup(7, work.id(), VIRTUAL, 0.5, JDK).floor(work, found)));
    }
}
