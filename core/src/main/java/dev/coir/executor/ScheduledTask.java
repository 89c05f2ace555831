package dev.coir.executor;

import dev.coir.internal.sched.DelayedTask;

/** A task that a {@link Scheduler} runs later, or again and again. */
public final class ScheduledTask {
    private final DelayedTask task;

    ScheduledTask(DelayedTask task) {
        this.task = task;
    }

    /**
     * Sees to it that no further run starts; one that is under way goes on.
     *
     * @return false when there would have been none
     */
    public boolean cancel() {
        return task.cancel();
    }

    /**
     * Whether no further run will start.
     *
     * @return true when it has run, or was cancelled
     */
    public boolean isDone() {
        return task.isDone();
    }
}
