package dev.coir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tour comes to its end and shows what it promises. Times are printed, and not asserted. */
@Timeout(120)
class DemoTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

    private int demo(String... args) throws InterruptedException {
        return demo(false, args);
    }

    private int demo(boolean colours, String... args) throws InterruptedException {
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        var err = new PrintStream(complained, true, StandardCharsets.UTF_8);
        return Demo.run(new Screen(out, colours), err, args);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void assertPrinted(String... inThisOrder) {
        int from = 0;
        for (String each : inThisOrder) {
            int at = printed().indexOf(each, from);
            assertTrue(at >= 0, () -> "missing, or out of order: " + each + "\nin:\n" + printed());
            from = at + each.length();
        }
    }

    @Test
    void theWholeTourComesToItsEndAndTheStrandLosesNoIncrement() throws Exception {
        assertEquals(0, demo());
        assertPrinted("four steps", "Generators");
        assertPrinted("A strand", "to a strand over it:", "counted 1,000,000", "turns");
        assertPrinted(
                "What a switch costs",
                "coroutine: resume, suspend",
                "virtual thread: Thread.yield",
                "JDK " + Runtime.version().feature(),
                "That took");
    }

    @Test
    void theCoroutineTakesTurnsWithItsCaller() throws Exception {
        assertEquals(0, demo("coroutine"));
        assertPrinted("step 1", "step 2", "step 3", "step 4", "is it done? true");
    }

    @Test
    void theGeneratorsRunAsFarAsAskedAndUnwindWhenClosed() throws Exception {
        assertEquals(0, demo("generator"));
        assertPrinted(
                "2 3 5 7 11 13 17 19 23 29 31 37 41 43 47" + System.lineSeparator(),
                "banana coconut fig mango orange papaya quince",
                "opens the file",
                "got line 1",
                "got line 2",
                "closes the file");
    }

    @Test
    void theListNamesEverySection() throws Exception {
        assertEquals(0, demo("--list"));
        assertPrinted("coroutine", "generator", "strand", "switch", "http", "redis", "proxy");
    }

    @Test
    void anUnknownSectionIsRefusedWithTheNamesThereAre() throws Exception {
        assertEquals(2, demo("spline"));
        assertEquals("", printed());
        String complaint = complained.toString(StandardCharsets.UTF_8);
        assertTrue(complaint.contains("spline") && complaint.contains("coroutine, generator"), complaint);
    }

    @Test
    void coloursAreUsedOnlyWhenAskedFor() throws Exception {
        demo(true, "coroutine");
        assertTrue(printed().contains("\033["));
        printed.reset();
        demo(false, "coroutine");
        assertFalse(printed().contains("\033["));
    }

    @Test
    void asAProgramItPrintsPlainAsciiIntoAPipeAndExitsWithItsCode() throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Demo.class.getName()));

        assertEquals(0, runProgram(command, "generator"));
        assertPrinted("2 3 5 7", "closes the file");
        assertTrue(
                printed().chars().allMatch(c -> (c >= ' ' && c < 127) || c == '\n' || c == '\r'),
                () -> "not plain ASCII:\n" + printed());
        assertEquals(2, runProgram(command, "spline"));
    }

    private int runProgram(List<String> command, String argument) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(command);
        whole.add(argument);
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        process.getOutputStream().close();
        printed.reset();
        process.getInputStream().transferTo(printed);
        return process.waitFor();
    }
}
