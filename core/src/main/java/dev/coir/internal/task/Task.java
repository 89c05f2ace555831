package dev.coir.internal.task;

import org.jspecify.annotations.Nullable;

/**
 * Something to run, with its own link: a queue of tasks needs no nodes. A task stands in one such queue at a time, and whoever
 * took it out may queue it again. What others do with tasks stands in {@link Tasks}, so that public classes may be tasks
 * without showing it.
 */
public abstract class Task {
    @Nullable
    Task next; // owned by the queue the task stands in

    /** For subclasses. */
    protected Task() {}

    /** Runs the task, or its next slice. */
    protected abstract void runSlice();
}
