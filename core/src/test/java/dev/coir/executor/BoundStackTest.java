package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.testing.ChildJvm;
import dev.coir.testing.DeepFibersOnTop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R3 of Carrier: a fiber does not go on where its stack does not fit. In JVMs of their own, which would end of it. */
class BoundStackTest {
    private static String outcome(String mode, String... arguments) throws Exception {
        var flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.addAll(List.of(mode, "-XX:G1HeapRegionSize=8m", "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash"));
        var child = ChildJvm.run(flags, DeepFibersOnTop.class, arguments);
        assertEquals(0, child.exit(), child::output);
        return child.output().strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmixed", "-Xint"})
    void whatDoesNotFitOnABoundThreadIsRunByAnother(String mode) throws Exception {
        assertEquals("6000", outcome(mode, "anotherThreadRunsIt"));
    }

    @ParameterizedTest
    @CsvSource({"VIRTUAL, 0", "VIRTUAL, 1", "LIGHT, 0", "LIGHT, 1"})
    void whoWaitsWhereItsOwnFibersDoNotFitIsTold(String kind, String workers) throws Exception {
        assertEquals("6001", outcome("-Xmixed", "whoWaitsTooDeepIsTold", kind, workers));
    }
}
