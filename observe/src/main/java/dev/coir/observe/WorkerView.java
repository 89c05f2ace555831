package dev.coir.observe;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A thread of a scheduler, or bound to it, as a dump found it.
 *
 * @param group in which group it works
 * @param number its number in the group, among all there ever were
 * @param thread its name
 * @param state what it was doing
 * @param runs the fiber or task under way; empty when there was none
 * @param ranFor how long that has run at least; zero when it has only begun, or nobody watches the time
 * @param stack where a plain task was, newest frame first; empty for a fiber, whose stack stands with it
 */
public record WorkerView(
        int group,
        int number,
        String thread,
        State state,
        Optional<String> runs,
        Duration ranFor,
        List<StackTraceElement> stack) {
    /** What a thread does. */
    public enum State {
        /** Runs a fiber or a task. */
        RUNS,
        /** Is inside a task that blocks: another thread runs the scheduler's tasks in its place. */
        BLOCKED,
        /** Looks for work, or is between two slices. */
        SEARCHES,
        /** Sleeps until there is work. */
        SLEEPS,
        /** Is bound, and does something of its own. */
        AWAY
    }

    /** Copies the frames. */
    public WorkerView {
        stack = List.copyOf(stack);
    }
}
