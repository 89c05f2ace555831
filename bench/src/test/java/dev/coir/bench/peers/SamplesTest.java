package dev.coir.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static Samples of(List<List<Double>> rounds) {
        var samples = new Samples();
        rounds.forEach(samples::addRound);
        return samples;
    }

    @Test
    void oneDisturbedIterationDoesNotMoveTheMedian() {
        assertEquals(11, of(List.of(List.of(10.0, 11.0, 9000.0))).median());
        assertEquals(10.5, of(List.of(List.of(10.0), List.of(11.0))).median());
    }

    @Test
    void theSpreadIsHalfTheDistanceBetweenTheQuartiles() {
        assertEquals(0.1, of(List.of(List.of(8.0, 9.0, 10.0, 11.0, 12.0))).spread(), 1e-9);
    }

    @Test
    void figuresThatAreAllNothingHaveNoSpread() {
        assertEquals(0, of(List.of(List.of(0.0), List.of(0.0))).spread());
    }

    @Test
    void theRatioComparesRoundsThatWereCloseInTime() {
        var baseline = of(List.of(List.of(10.0), List.of(100.0), List.of(10.0)));
        var work = of(List.of(List.of(11.0), List.of(110.0), List.of(30.0)));
        assertEquals(1.1, work.over(baseline), 1e-9);
    }
}
