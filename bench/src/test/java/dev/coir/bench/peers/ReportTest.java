package dev.coir.bench.peers;

import static dev.coir.bench.peers.Runs.FLOOR;
import static dev.coir.bench.peers.Runs.GO_1;
import static dev.coir.bench.peers.Runs.GO_2;
import static dev.coir.bench.peers.Runs.JDK;
import static dev.coir.bench.peers.Runs.LIGHT;
import static dev.coir.bench.peers.Runs.VIRTUAL;
import static dev.coir.bench.peers.Runs.report;
import static dev.coir.bench.peers.Runs.result;
import static dev.coir.bench.peers.Runs.results;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.bench.programs.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** What is shown of a run: the table, the JSON, the page, the picture. */
class ReportTest {
    private static final Report SAMPLE = report(
            "FiberYield/1000",
            result(VIRTUAL, 200, 210, 190),
            result(LIGHT, 110, 110, 110),
            result(JDK, 400, 420, 380),
            result(GO_1, 150, 150, 150),
            result(GO_2, 250, 250, 250),
            result(FLOOR, 100, 100, 100));

    private static String table(Report report) {
        var bytes = new ByteArrayOutputStream();
        new TextTable(new PrintStream(bytes, true, StandardCharsets.UTF_8)).print(report);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void assertLine(String text, String regex) {
        assertTrue(text.lines().anyMatch(each -> each.strip().matches(regex)), "no line " + regex + " in\n" + text);
    }

    @Test
    void theFloorIsNoPeer() {
        var best = Report.bestPeer(results(result(FLOOR, 1), result(LIGHT, 2), result(JDK, 3), result(GO_2, 4)), 0);
        assertNotNull(best);
        assertEquals(JDK, best.side());
        assertNull(Report.bestPeer(results(result(FLOOR, 1), result(LIGHT, 2)), 0));
    }

    @Test
    void theTableShowsMedianSpreadAndRatioToTheBestPeerInTheColumnOfItsWorkers() {
        String table = table(SAMPLE);
        assertLine(table, "Coir VIRTUAL +200 +\\+-3% +1\\.33");
        assertLine(table, "Coir LIGHT +110 +\\+-0% +0\\.73");
        assertLine(table, "Go +150 +\\+-0% +1\\.00 +250 +\\+-0% +1\\.67");
    }

    @Test
    void theTableJudgesEachGoal() {
        String table = table(SAMPLE);
        assertLine(table, ".*Coir LIGHT \\(1\\) over bare continuations +7 +<= 1\\.15 +1\\.10 +met");
        assertLine(
                table,
                ".*Coir VIRTUAL \\(2\\) over JDK virtual threads \\(2\\) +7 +<= 0\\.45 +0\\.50 +0\\.13 half +MISSED");
        assertLine(table, ".*bytes allocated per op +3 +<= 0\\.50 +- +not measured");
        assertLine(table, "4 of 5 goals met, 2 not measured\\.");
    }

    @Test
    void aMissedGoalShowsWhatTheFloorReachesAndWhetherThatIsEnough() {
        Report report = report(
                "ChannelRoundTrip",
                result(VIRTUAL, 420),
                result(LIGHT, 300),
                result(JDK, 200),
                result(GO_1, 200),
                result(GO_2, 200),
                result(FLOOR, 190));
        String table = table(report);
        assertLine(table, ".*Coir LIGHT \\(1\\) over Go \\(1\\) +7 +<= 0\\.80 +1\\.50 +0\\.95 +MISSED");
        assertLine(table, ".*Coir VIRTUAL \\(2\\) over Go \\(2\\) +7 +<= 1\\.00 +2\\.10 +0\\.95 +MISSED");
        assertLine(table, ".*Of the goals missed here \\(6\\) it misses 4 too\\.");
        assertTrue(MarkdownReport.of(report).contains("| 7 | <= 0.80 | 1.50 | 0.95 | **missed** |"), table);
        assertTrue(MarkdownReport.of(report).contains("(6) it misses 4 too."), MarkdownReport.of(report));
        var read = Json.parse(JsonReport.of(report));
        assertEquals(0.95, at(read, "goals", 0, "floor"));
        assertEquals(false, at(read, "goals", 0, "floorIsHalved"));
    }

    @Test
    void withoutAFloorNothingIsSaidOfIt() {
        String table = table(report("MutexContended", result(VIRTUAL, 10), result(JDK, 10)));
        assertLine(table, ".*over JDK virtual threads \\(2\\) +5 +<= 0\\.50 +1\\.00 +MISSED");
        assertTrue(table.lines().noneMatch(each -> each.startsWith("floor:")), table);
        assertTrue(Report.floorNote(List.of()).isEmpty());
    }

    @Test
    void aFailedSideIsNamedWithItsReasonAndTheOthersStay() {
        Result failed = new Result(JDK, 1);
        failed.failed("ended: out of memory");
        String table = table(report("FiberPark", result(VIRTUAL, 10), failed));
        assertTrue(table.contains("JDK virtual threads (2) failed, it ended: out of memory"), table);
        assertLine(table, "Coir VIRTUAL +10\\.0 +\\+-0%");
    }

    @Test
    void theJsonCanBeReadAndHoldsEveryRound() {
        var read = Json.parse(JsonReport.of(SAMPLE));
        assertEquals("quick", at(read, "mode"));
        assertEquals("FiberYield/1000", at(read, "works", 0, "work"));
        assertEquals("coir-virtual", at(read, "works", 0, "sides", 0, "system"));
        assertEquals(190.0, at(read, "works", 0, "sides", 0, "figure", "rounds", 2));
        assertEquals("FiberYield/1000", at(read, "goals", 6, "work"));
    }

    /** What stands in a document at a path of names and numbers. */
    private static @Nullable Object at(@Nullable Object document, Object... path) {
        Object here = document;
        for (Object each : path) {
            here = each instanceof Integer number
                    ? ((List<?>) Objects.requireNonNull(here)).get(number)
                    : ((Map<?, ?>) Objects.requireNonNull(here)).get(each);
        }
        return here;
    }

    @Test
    void jsonTextIsEscaped() {
        Result failed = new Result(JDK, 1);
        failed.failed("said \"no\"\n\tand \\ left");
        var read = Json.parse(JsonReport.of(report("FiberPark", failed)));
        assertTrue(String.valueOf(at(read, "works", 0, "sides", 0, "failure")).startsWith("said \"no\""));
    }

    @Test
    void thePageHasARowForEachWorkAndEachGoal() {
        String page = MarkdownReport.of(SAMPLE);
        assertTrue(
                page.contains("| Yield among 1 000, ns | 200 (2) | 110 (1) | 400 (2) | 150 (1) | 100 | 0.73 |"), page);
        assertTrue(page.contains("| <= 0.45 | 0.50 | 0.13 half | **missed** |"), page);
        assertTrue(page.contains("2026-01-02 03:04 UTC"), page);
    }

    @Test
    void thePictureIsWellFormedAndHasABarForEachSystem() throws Exception {
        Document read = svg(SAMPLE);
        assertEquals(1 + 5, read.getElementsByTagName("rect").getLength());
        assertEquals(0, read.getElementsByTagName("path").getLength());
    }

    @Test
    void aBarThatWouldHideTheOthersIsCutOff() throws Exception {
        Document read = svg(report("FiberPark", result(VIRTUAL, 10), result(JDK, 20), result(GO_2, 9000)));
        assertEquals(1, read.getElementsByTagName("path").getLength());
        assertTrue(read.getDocumentElement().getTextContent().contains("9 000"));
    }

    private static Document svg(Report report) throws Exception {
        byte[] bytes = SvgPlot.of(report).getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
    }

    @Test
    void figuresHaveAsManyDigitsAsAreWorthReading() {
        assertEquals("0.05", Report.figure(0.05));
        assertEquals("12.3", Report.figure(12.34));
        assertEquals("1 235", Report.figure(1234.6));
    }
}
