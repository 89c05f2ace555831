package dev.coir.bench.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The costs are taken round by round and judged. Nothing is measured here. */
@Timeout(60)
class CostTableTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final CostTable table = new CostTable(new PrintStream(printed, true, StandardCharsets.UTF_8));

    private static Map<Polls, List<Double>> fork(double asleep, double awake) {
        // The machine becomes three times as slow for the last round; the ratios do not.
        return Map.of(
                Polls.NONE, List.of(100.0, 100.0, 300.0),
                Polls.ASLEEP, List.of(100 * asleep, 100 * asleep, 300 * asleep),
                Polls.AWAKE, List.of(100 * awake, 100 * awake, 300 * awake),
                Polls.ASKED, List.of(100 * awake, 100 * awake, 300 * awake));
    }

    private static Costs costs(double... asleep) {
        var costs = new Costs();
        for (double each : asleep) costs.addFork(fork(each, 2 * each));
        return costs;
    }

    private List<String> goals() {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(each -> each.contains("<= "))
                .map(each -> each.substring(each.indexOf("<= ")))
                .toList();
    }

    @Test
    void theRatioIsTheMedianOfTheForksAndTheirRangeIsShown() {
        var costs = costs(1.02, 1.5, 0.9);
        assertEquals(1.02, costs.ratio(Polls.ASLEEP, 0.5), 1e-9);
        assertEquals(0.9, costs.ratio(Polls.ASLEEP, 0), 1e-9);
        assertEquals(3.0, costs.ratio(Polls.AWAKE, 1), 1e-9);
        assertEquals(100.0, costs.nanos(Polls.NONE), 1e-9);
    }

    @Test
    void onlyPollsThatSleepAreJudgedEachProgramAndTheMean() {
        table.add(Program.SORT, costs(1.09));
        table.add(Program.JSON, costs(1.11));
        table.end();
        assertEquals(List.of("<= 1.10 met", "<= 1.10 MISSED", "<= 1.03 MISSED"), goals());
    }

    @Test
    void theMeanIsGeometric() {
        table.add(Program.SORT, costs(1.06));
        table.add(Program.JSON, costs(1.0));
        table.end();
        assertEquals(List.of("<= 1.10 met", "<= 1.10 met", "<= 1.03 met"), goals());
        assertTrue(printed.toString(StandardCharsets.UTF_8).contains("1.030"));
    }

    @Test
    void everyProgramRuns() {
        for (Program each : Program.values())
            assertEquals(1, Math.min(1, each.make().get().toString().length()));
    }

    @Test
    void jvmsWithAndWithoutTheAgentAnswer() throws Exception {
        var answers = AgentCost.measure(Program.REGEX, 1, 1, 2);
        for (Polls each : Polls.values())
            assertEquals(2, Objects.requireNonNull(answers.get(each)).size());
    }
}
