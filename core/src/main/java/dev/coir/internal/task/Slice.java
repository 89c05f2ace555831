package dev.coir.internal.task;

import dev.coir.internal.MonitorsBelow;

/**
 * The next slice of a task, for an executor that is no scheduler of ours; equal to the task's other slices.
 *
 * @param of the task
 */
public record Slice(Live of) implements Runnable {
    @Override
    public void run() {
        MonitorsBelow.settle(); // of whoever made the executor run this
        of.runSlice();
    }
}
