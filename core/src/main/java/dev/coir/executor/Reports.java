package dev.coir.executor;

import java.time.Duration;
import java.util.List;

/**
 * Gets what a scheduler's monitor finds wrong. Each method writes to the log (a {@link System.Logger} named
 * {@code dev.coir.reports}) unless it is overridden; override it with nothing to switch that report off. Called on the
 * monitor's thread, or on the one that it concerns: be quick, and do not throw.
 *
 * {@snippet :
 * Scheduler.builder().reports(new Reports() {
 *     public void stalled(Stall stall) { metrics.count("stalls"); }
 * }).start();
 * }
 */
public interface Reports {
    /** Writes everything to the log. */
    Reports LOGGED = new Reports() {};

    /** Drops everything. */
    Reports NONE = new Reports() {
        @Override
        public void stalled(Stall stall) {}

        @Override
        public void sparesExhausted(Exhaustion exhaustion) {}

        @Override
        public void allAsleep(AllAsleep asleep) {}
    };

    /**
     * A slice has taken longer than {@link Scheduler.Builder#stallThreshold}. Reported once per slice, while it lasts.
     *
     * @param stall what and where
     */
    default void stalled(Stall stall) {
        ReportLog.warn(stall);
    }

    /**
     * A task blocks its thread, and {@link Scheduler.Builder#maxSpareCarriers} allows no other to stand in. Reported once
     * per scheduler.
     *
     * @param exhaustion what and where
     */
    default void sparesExhausted(Exhaustion exhaustion) {
        ReportLog.warn(exhaustion);
    }

    /**
     * Fibers wait, and nothing can be seen that could wake them: nothing is queued, no timer is set, no socket is watched,
     * and every other thread that keeps the JVM alive waits for Coir as well. A daemon thread or a virtual thread of the
     * JDK's own scheduler might still do it.
     *
     * @param asleep which fibers
     */
    default void allAsleep(AllAsleep asleep) {
        ReportLog.warn(asleep);
    }

    /**
     * A slice that takes long.
     *
     * @param scheduler the scheduler's name
     * @param thread the worker's thread
     * @param task the fiber or task, as it prints itself
     * @param duration how long it has run without letting go of its thread
     * @param blocked true when its thread waits; false when it computes
     * @param stack where it is now
     */
    record Stall(
            String scheduler,
            String thread,
            String task,
            Duration duration,
            boolean blocked,
            List<StackTraceElement> stack) {
        @Override
        public String toString() {
            return task + " has " + (blocked ? "blocked" : "kept busy") + " thread " + thread + " of scheduler "
                    + scheduler + " for " + duration.toMillis() + " ms without letting go of it"
                    + (blocked
                            ? "; wrap the call in Fiber.blocking, so that another thread takes over at once"
                            : "; call Fiber.yield in the loop, or run with the agent, which does it for you")
                    + ReportLog.lines(stack);
        }
    }

    /**
     * A blocked thread that nobody stands in for.
     *
     * @param scheduler the scheduler's name
     * @param spares how many threads stand in already
     * @param task the fiber or task that blocks
     * @param stack where it blocks
     */
    record Exhaustion(String scheduler, int spares, String task, List<StackTraceElement> stack) {
        @Override
        public String toString() {
            return task + " blocks a worker of scheduler " + scheduler + ", and all " + spares
                    + " spare threads are in use (maxSpareCarriers): others wait until it returns"
                    + ReportLog.lines(stack);
        }
    }

    /**
     * Fibers that nothing seems to wake.
     *
     * @param scheduler the scheduler's name
     * @param fibers each as it prints itself, with what it waits for
     */
    record AllAsleep(String scheduler, List<String> fibers) {
        @Override
        public String toString() {
            return "all " + fibers.size() + " fibers of scheduler " + scheduler
                    + " wait, and nothing that could wake them can be seen:" + ReportLog.lines(fibers);
        }
    }
}
