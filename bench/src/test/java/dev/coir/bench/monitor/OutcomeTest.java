package dev.coir.bench.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a case's JVM says is understood and judged. Nothing is measured here. */
@Timeout(60)
class OutcomeTest {
    private static final List<Double> LATE =
            IntStream.rangeClosed(0, 100).mapToObj(each -> (double) each / 10).toList();

    @Test
    void aLineIsReadAsItWasWritten() {
        Outcome outcome = Outcome.of(1.25, LATE);
        assertEquals(new Outcome(1.25, 101, 5, 9.9, 10, 0), outcome);
        assertEquals(outcome, Outcome.parse(outcome.line()));
    }

    @Test
    void anythingElseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Outcome.parse("1.25 101 5 9.9 10"));
        assertThrows(IllegalArgumentException.class, () -> Outcome.parse("outcome 1.25 101"));
    }

    @Test
    void whoBlocksMustNotTakeMuchLongerThanASecondInAll() {
        assertTrue(new Outcome(1.1, 100, 1, 20, 40, 1).isGood(true));
        assertFalse(new Outcome(2.1, 200, 1, 20, 40, 1).isGood(true));
        assertTrue(new Outcome(3.1, 300, 1, 20, 40, 1).isGood(false));
    }

    @Test
    void theTickerMustNotBeLateNorStandStill() {
        assertFalse(new Outcome(1.0, 100, 1, 30, 40, 2).isGood(true));
        assertFalse(new Outcome(3.0, 1, 1, 2, 3, 0).isGood(false));
    }
}
