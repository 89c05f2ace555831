package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.internal.task.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pins the test's own thread, which is a fresh one for every test. */
class AffinityTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void theThreadIsTiedToOneProcessor() throws IOException {
        int first = allowed().nextSetBit(0);
        assertTrue(Affinity.pinTo(first));
        assertEquals(String.valueOf(first), allowedList());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theThreadIsTiedToSeveralProcessors() throws IOException {
        BitSet all = allowed();
        assertTrue(Affinity.pinTo(all.stream().toArray()));
        assertEquals(all, allowed());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void otherThreadsStayFree() throws Exception {
        BitSet all = allowed();
        var ownDone = new Thread(() -> assertTrue(Affinity.pinTo(all.nextSetBit(0))));
        ownDone.start();
        ownDone.join();
        assertEquals(all, allowed());
    }

    @Test
    void aProcessorThatDoesNotExistIsRefusedAndNothingChanges() throws IOException {
        String before = allowedList();
        assertFalse(Affinity.pinTo(1023));
        assertFalse(Affinity.pinTo(1024), "beyond what the system's set can name");
        assertFalse(Affinity.pinTo(1_000_000_000));
        assertFalse(Affinity.pinTo(-1));
        assertFalse(Affinity.pinTo());
        assertEquals(before, allowedList());
    }

    @Test
    void aPinnedSchedulerRunsWhereverItIs() {
        var c = Cores.config(2, 1);
        var core = new SchedulerCore(new SchedulerConfig(
                c.name(),
                2,
                1,
                false,
                1024,
                0,
                0,
                0,
                0,
                c.timeSlice(),
                c.spareKeepAlive(),
                c.stallThreshold(),
                c.findings(),
                new MachinePlacement(Topology.read(Path.of("/sys")), 1, true, true),
                c.pollers(),
                null));
        var done = new java.util.concurrent.CountDownLatch(10);
        for (int i = 0; i < 10; i++) core.spawn(Tasks.of(done::countDown), -1);
        core.close();
        assertEquals(0, done.getCount());
    }

    private static BitSet allowed() throws IOException {
        return Topology.parse(allowedList());
    }

    /** Empty where the system does not tell. */
    private static String allowedList() throws IOException {
        Path status = Path.of("/proc/thread-self/status");
        if (!Files.exists(status)) return "";
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .collect(Collectors.joining());
    }
}
