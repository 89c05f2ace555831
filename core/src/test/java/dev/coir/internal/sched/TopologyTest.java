package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines made of folders. */
class TopologyTest {
    @TempDir
    Path sysfs;

    @Test
    void oneNodeIsRead() throws IOException {
        Topology topology = read(Map.of("node0", "0-3\n"));
        assertEquals(1, topology.nodes().size());
        assertArrayEquals(new int[] {0, 1, 2, 3}, topology.processors(0));
    }

    @Test
    void twoNodesWithInterleavedProcessorsAreRead() throws IOException {
        Topology topology = read(Map.of("node0", "0-1,4-5\n", "node1", "2-3,6,7\n"));
        assertArrayEquals(new int[] {0, 1, 4, 5}, topology.processors(0));
        assertArrayEquals(new int[] {2, 3, 6, 7}, topology.processors(1));
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7}, topology.allProcessors());
    }

    @Test
    void fourNodesComeInTheOrderOfTheirNumbersNotOfTheirNames() throws IOException {
        Topology topology = read(Map.of("node10", "3", "node2", "1", "node0", "0", "node9", "2"));
        assertEquals(4, topology.nodes().size());
        for (int node = 0; node < 4; node++) assertArrayEquals(new int[] {node}, topology.processors(node));
    }

    @Test
    void missingNodesAndNodesWithMemoryOnlyAreLeftOut() throws IOException {
        Topology topology = read(Map.of("node0", "0-1", "node1", "\n", "node4", "8,10"));
        assertEquals(2, topology.nodes().size());
        assertArrayEquals(new int[] {0, 1}, topology.processors(0));
        assertArrayEquals(new int[] {8, 10}, topology.processors(1));
    }

    @Test
    void otherEntriesOfTheFolderAreNotNodes() throws IOException {
        Path folder = nodes();
        Files.writeString(folder.resolve("online"), "0-1\n");
        Files.writeString(folder.resolve("has_cpu"), "0\n");
        Files.createDirectories(folder.resolve("power"));
        Files.createDirectories(folder.resolve("nodes"));
        assertArrayEquals(new int[] {5}, read(Map.of("node0", "5")).processors(0));
    }

    @Test
    void processorsOfHighNumbersAreRead() throws IOException {
        assertArrayEquals(
                IntStream.rangeClosed(1000, 1100).toArray(),
                read(Map.of("node0", "1000-1100")).processors(0));
    }

    @Test
    void withoutTheFolderAllProcessorsFormOneNode() {
        assertFlat(Topology.read(sysfs));
        assertFlat(Topology.read(sysfs.resolve("nowhere")));
    }

    @Test
    void aFolderWithoutNodesCountsAsNone() throws IOException {
        nodes();
        assertFlat(Topology.read(sysfs));
    }

    @Test
    void nodesWithoutAnyProcessorsCountAsNone() throws IOException {
        assertFlat(read(Map.of("node0", "", "node1", "\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage",
                "-",
                "-1",
                "3-1",
                "1-2-3",
                "0,,1",
                ",",
                "0-",
                "0x3",
                "99999999999",
                "2147483647",
                "0-2147483647",
                "0-2000000000",
                "0 1",
                "\u0000"
            })
    void garbageCountsAsOneNodeWithAllProcessors(String cpulist) throws IOException {
        assertThrows(IllegalArgumentException.class, () -> Topology.parse(cpulist));
        assertFlat(read(Map.of("node0", "0-1", "node1", cpulist)));
    }

    @Test
    void aFileOfBytesThatAreNoTextCountsAsGarbage() throws IOException {
        Path node = Files.createDirectories(nodes().resolve("node0"));
        Files.write(node.resolve("cpulist"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 7});
        assertFlat(Topology.read(sysfs));
    }

    @Test
    void aNodeWithoutItsListCountsAsGarbage() throws IOException {
        Files.createDirectories(nodes().resolve("node1"));
        assertFlat(read(Map.of("node0", "0")));
    }

    @Test
    void aNodeNumberBeyondAnyIntCountsAsGarbage() throws IOException {
        assertFlat(read(Map.of("node0", "0", "node99999999999", "1")));
    }

    @Test
    void thisMachineHasANodeWithAProcessor() {
        Topology topology = Topology.read(Path.of("/sys"));
        assertTrue(topology.allProcessors().length > 0);
    }

    private Path nodes() throws IOException {
        return Files.createDirectories(sysfs.resolve("devices/system/node"));
    }

    private Topology read(Map<String, String> cpulists) throws IOException {
        for (var each : cpulists.entrySet()) {
            Path node = Files.createDirectories(nodes().resolve(each.getKey()));
            Files.writeString(node.resolve("cpulist"), each.getValue());
        }
        return Topology.read(sysfs);
    }

    private static void assertFlat(Topology topology) {
        assertEquals(1, topology.nodes().size(), topology::toString);
        int available = Runtime.getRuntime().availableProcessors();
        assertArrayEquals(IntStream.range(0, available).toArray(), topology.processors(0));
    }
}
