package dev.coir.examples;

import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each stand-alone example prints what its reader expects. */
@Timeout(60)
class ExamplesTest {
    @FunctionalInterface
    private interface Program {
        void main(String[] args) throws Exception;
    }

    private static void assertPrints(Program program, String... lines) throws Exception {
        PrintStream before = System.out;
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        assertLinesMatch(
                List.of(lines), printed.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void stepByStep() throws Exception {
        assertPrints(StepByStep::main, "Step 1", "Step 2", "Step 3", "Step 4", "done");
    }

    @Test
    void treeWalk() throws Exception {
        assertPrints(
                TreeWalk::main,
                "in order:",
                "  banana",
                "  coconut",
                "  fig",
                "  mango",
                "  orange",
                "  papaya",
                "  quince",
                "the first after d:",
                "  fig");
    }

    @Test
    void bankStrand() throws Exception {
        assertPrints(BankStrand::main, "4 clerks asked for 100000 transfers", "total 1000, no account overdrawn");
    }
}
