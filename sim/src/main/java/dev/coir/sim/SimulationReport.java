package dev.coir.sim;

import java.time.Duration;
import java.util.List;

/**
 * How a run went.
 *
 * @param seed what decided it
 * @param steps how often somebody ran
 * @param elapsed how much time has passed in it
 * @param fingerprint of all its steps: two runs with the same number went the same way
 * @param lastSteps a line for each of the last steps, oldest first
 */
public record SimulationReport(long seed, long steps, Duration elapsed, long fingerprint, List<String> lastSteps) {
    /**
     * How a run went.
     *
     * @param lastSteps is copied
     */
    public SimulationReport {
        lastSteps = List.copyOf(lastSteps);
    }
}
