package dev.coir.internal.task;

/**
 * The next slice of a task, for an executor that is no scheduler of ours; equal to the task's other slices.
 *
 * @param of the task
 */
public record Slice(Live of) implements Runnable {
    @Override
    public void run() {
        of.runSlice();
    }
}
