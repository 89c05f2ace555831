package dev.coir.bench.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.bench.peers.SideProcess.SideFailed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes at the other end of the protocol, well-behaved and not; the tools that are not there. */
@Timeout(60)
class SideProcessTest {
    @TempDir
    Path folder;

    private SideProcess shell(String script) throws Exception {
        return new SideProcess(List.of("sh", "-c", script), folder.resolve("log"));
    }

    @Test
    void aSideAnswersEachCommand() throws Exception {
        try (var side =
                shell("echo ready; read a; echo warmed 3; read b; echo figures 1.5 2.5; read c; echo bytes 8")) {
            side.awaitReady();
            assertEquals(3, side.warm(10, 100));
            assertArrayEquals(new double[] {1.5, 2.5}, side.round(100));
            assertEquals(8, side.bytesPerOp(100));
        }
    }

    @Test
    void aSideThatEndsIsQuoted() throws Exception {
        try (var side = shell("echo out of luck >&2; exit 3")) {
            var failure = assertThrows(SideFailed.class, side::awaitReady);
            assertEquals("ended: out of luck", failure.getMessage());
        }
    }

    @Test
    void anAnswerThatWasNotAskedForIsAFailure() throws Exception {
        try (var side = shell("echo hello")) {
            var failure = assertThrows(SideFailed.class, side::awaitReady);
            assertEquals("answered hello (expected: ready)", failure.getMessage());
        }
    }

    @Test
    void aPeerWithoutItsToolsIsSkippedWithThePackagesThatBringThem() {
        var peer = new NativePeer(
                Contender.GO,
                "src/main/go",
                List.of("golang-go"),
                List.of("no-such-program"),
                List.of("no-such-program"));
        var commands = new Commands(List.of(peer));
        assertEquals(1, commands.missing().size());
        String line = commands.missing().getFirst();
        assertTrue(line.startsWith("Go skipped: its tools are not installed. apt-get install golang-go"), line);
        assertEquals(false, commands.canRun(Contender.GO));
        assertEquals(true, commands.canRun(Contender.JDK));
    }

    @Test
    void aPeerThatDoesNotCompileIsSkippedWithTheComplaint() throws Exception {
        var peer = new NativePeer(
                Contender.GO,
                "src/main/go",
                List.of("golang-go"),
                List.of("echo", "go version 0"),
                List.of("sh", "-c", "echo no library >&2; exit 1"));
        Files.createDirectories(folder.resolve("src/main/go"));
        var failure = assertThrows(NativePeer.Missing.class, () -> peer.build(folder));
        assertTrue(String.valueOf(failure.getMessage()).contains("no library"), failure.getMessage());
    }
}
