package dev.coir.internal.sched;

import dev.coir.internal.task.Live;
import java.util.List;

/** Gets what the monitor finds. */
public interface Findings {
    /** Ignores everything. */
    Findings IGNORED = new Findings() {
        @Override
        public void stalled(String thread, Object task, long nanos, boolean blocked, List<StackTraceElement> stack) {}

        @Override
        public void exhausted(int spares, Object task, List<StackTraceElement> stack) {}

        @Override
        public void asleep(List<Live> fibers) {}
    };

    /**
     * A task has held its thread for long.
     *
     * @param thread the thread's name
     * @param task what runs there
     * @param nanos for how long
     * @param blocked whether the thread waits, and not computes
     * @param stack where the task is
     */
    void stalled(String thread, Object task, long nanos, boolean blocked, List<StackTraceElement> stack);

    /**
     * A task blocks its thread, and no other may stand in for it.
     *
     * @param spares how many stand in already
     * @param task what blocks
     * @param stack where
     */
    void exhausted(int spares, Object task, List<StackTraceElement> stack);

    /**
     * Fibers wait, and nothing that the scheduler knows can wake them.
     *
     * @param fibers those that wait
     */
    void asleep(List<Live> fibers);
}
