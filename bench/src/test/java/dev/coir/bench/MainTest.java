package dev.coir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program understands its arguments, and runs what they ask for. Nothing is measured here. */
@Timeout(180)
class MainTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int bench(String... args) {
        return Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8), args);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void assertPrinted(String text) {
        assertTrue(printed().contains(text), printed());
    }

    @Test
    void aShortComparisonPrintsATableAndGoalsAndWritesItsResults(@TempDir Path folder) throws Exception {
        assertEquals(0, bench("--quick", "--only", "mutexalone", "--out", folder.toString()), printed());
        assertPrinted("Lock and unlock, nobody else there, ns  [MutexAlone]");
        assertPrinted("JDK virtual threads");
        assertPrinted("<= 1.20");
        assertTrue(Files.readString(folder.resolve("bench.json")).contains("\"work\": \"MutexAlone\""));
        assertTrue(Files.readString(folder.resolve("bench.md")).contains("| Lock and unlock"));
        assertTrue(Files.readString(folder.resolve("bench.svg")).startsWith("<svg"));
    }

    @Test
    void theNameOfASmallPartRunsItInJmh() {
        int code = bench("--quick", "--only", "coroutineswitch", "--", "-f", "1", "-wi", "0", "-i", "1", "-r", "10ms");
        assertEquals(0, code, printed());
        assertPrinted("[3/3] CoroutineSwitch, round 1/1");
        assertPrinted("bare continuation: run, yield");
        assertPrinted("<= 1.15");
    }

    @Test
    void aWholeNameMeansThatOneAndAPartAllThatHaveIt() {
        var names = List.of("FiberYield/10", "FiberYield/1000", "Skynet");
        assertEquals(List.of("FiberYield/10"), Main.matching(names, "fiberyield/10"));
        assertEquals(List.of("FiberYield/10", "FiberYield/1000"), Main.matching(names, "yield"));
        assertEquals(List.of(), Main.matching(names, "Nothing"));
    }

    @Test
    void theListNamesTheWorksAndTheSmallParts() {
        assertEquals(0, bench("--list"));
        for (String name : new String[] {
            "FiberYield/1000", "Skynet", "IdleCpu", "QueueOps", "LockPaths", "AgentCost", "Monitor", "servers"
        }) {
            assertEquals(
                    1,
                    printed().lines().filter(each -> each.strip().equals(name)).count(),
                    name);
        }
    }

    @Test
    void theUsageIsPrintedOnDemand() {
        assertEquals(0, bench("--help"));
        assertPrinted("usage: bench");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--only",
                "--only --quick",
                "--only Nothing",
                "--slow",
                "--forks",
                "--forks none",
                "--forks 0",
                "--out",
                "--quick -- -prof gc",
                "--only Monitor -- -prof gc",
                "--micro -- -rff out.json",
                "--micro -- -nonsense",
                "--micro -- CoroutineSwitch"
            })
    void argumentsThatMakeNoSenseAreRefusedWithTheUsage(String line) {
        assertEquals(2, bench(line.split(" ", -1)));
        assertPrinted("usage: bench");
    }
}
