package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is shown of made-up rounds. */
class ServerTableTest {
    private static final Contestant COIR = Contestant.coir("Coir, light fibers", "http", "light");
    private static final Contestant GO = new Contestant("Go, net", List.of(), Map.of(), 1.1);
    private static final Contestant FLOOR = Contestant.floor("bare epoll, C", List.of());

    private static Measured rates(double... rates) {
        var measured = new Measured();
        for (double each : rates) measured.add(new Load.Run(each, 0.97), 11);
        return measured;
    }

    private static String table(Measured coir, Measured go, Measured floor) {
        return table(true, coir, go, floor);
    }

    private static String table(boolean judged, Measured coir, Measured go, Measured floor) {
        Map<Contestant, Measured> found = new LinkedHashMap<>();
        found.put(COIR, coir);
        found.put(GO, go);
        found.put(FLOOR, floor);
        var bytes = new ByteArrayOutputStream();
        new ServerTable(new PrintStream(bytes, true, UTF_8)).print("Hello", judged, found);
        return bytes.toString(UTF_8);
    }

    private static void assertLine(String text, String regex) {
        assertTrue(text.lines().anyMatch(each -> each.strip().matches(regex)), "no line " + regex + " in\n" + text);
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        var one = new Measured();
        var other = new Measured();
        one.add(new Load.Run(100, 0.5), 1);
        one.add(new Load.Run(10, 0.9), 2);
        one.add(new Load.Run(30, 0.8), 3);
        other.add(new Load.Run(50, 1), 1);
        other.add(new Load.Run(5, 1), 1);
        other.add(new Load.Run(10, 1), 1);
        assertEquals(2, one.over(other));
        assertEquals(30, one.rate());
        assertEquals(2, one.cpuMicros());
        assertEquals(0.8, one.busy());
        assertEquals(1.5, one.spread());
    }

    @Test
    void eachLineHasRateSpreadRatioGoalAndHowBusyTheLoadWas() {
        String table = table(rates(120_000, 120_000), rates(100_000, 100_000), rates(150_000, 150_000));
        assertLine(table, "Hello +req/s +spread +ratio +goal +CPU +load");
        assertLine(table, "Coir, light fibers +120,000 +0% +11\\.0 us +97%");
        assertLine(table, "Go, net +100,000 +0% +1\\.20 +>= 1\\.1 met +11\\.0 us +97%");
        assertLine(table, "bare epoll, C +150,000 +0% +0\\.80 +11\\.0 us +97%");
        assertTrue(table.lines().noneMatch(each -> each.contains("floor:")), table);
    }

    /** Under a load that is the limit itself: neither the goal nor the floor says anything. */
    @Test
    void aLoadThatJudgesNoGoalsOnlyTellsThem() {
        String table = table(false, rates(100, 100), rates(100, 100), rates(125, 110));
        assertLine(table, "Go, net +100 +0% +1\\.00 +>= 1\\.1 +11\\.0 us +97%");
        assertTrue(table.lines().noneMatch(each -> each.contains("MISSED") || each.contains("floor:")), table);
    }

    private static void assertVerdict(String table, String ratio, String verdict) {
        String expected =
                "  floor: bare epoll answers " + ratio + " times what Go does (1.00 by CPU), load 97%; " + verdict;
        assertEquals(
                List.of(expected),
                table.lines().filter(each -> each.contains("floor:")).toList(),
                table);
    }

    /** Round by round 1.04, 1.05 and 1.06. */
    @Test
    void aGoalThatTheFloorMissesTooWasOutOfReach() {
        String table = table(rates(100, 101, 102), rates(100, 200, 1000), rates(104, 210, 1060));
        assertVerdict(table, "1.05", "so >= 1.1 was out of reach under this load");
    }

    @Test
    void aGoalThatTheFloorReachesLeavesRoom() {
        String table = table(rates(100, 100), rates(100, 100), rates(125, 110));
        assertVerdict(table, "1.18", "so there is room for >= 1.1");
    }

    @Test
    void roundsThatDisagreeTellNothing() {
        String table = table(rates(100, 100), rates(100, 100), rates(112, 104));
        assertVerdict(table, "1.08", "on both sides of >= 1.1, so this run cannot tell");
    }

    @Test
    void aFloorBelowCoirIsSaidToBeNone() {
        String table = table(rates(105), rates(100), rates(103));
        assertVerdict(table, "1.03", "less than Coir: no floor in this run");
    }

    @Test
    void whatAServerNeedsOfItsProcessorIsComparedToo() {
        var go = new Measured();
        go.add(new Load.Run(100, 1), 12);
        var floor = new Measured();
        floor.add(new Load.Run(101, 1), 8);
        assertLine(
                table(rates(100), go, floor), "floor: .* 1\\.01 times what Go does \\(1\\.50 by CPU\\), load 100%; .*");
    }
}
