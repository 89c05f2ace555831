package dev.coir.internal.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What others do with tasks: make them, run them, link them to lists. */
public final class Tasks {
    private Tasks() {}

    /**
     * A task that runs the command.
     *
     * @param command what to run
     * @return a task that may be queued
     */
    public static Task of(Runnable command) {
        return new Plain(Objects.requireNonNull(command, "command"));
    }

    /**
     * A task that runs a slice of something that has a stack of its own.
     *
     * @param slice what to run
     * @return a task that may be queued
     */
    public static Task slice(Runnable slice) {
        return new Slice(slice);
    }

    /**
     * Whether a task runs on the stack of whoever runs it, and so cannot be left when it waits.
     *
     * @param task any task
     * @return false for fibers and slices
     */
    public static boolean isPlain(Task task) {
        return task instanceof Plain;
    }

    /**
     * What a task runs.
     *
     * @param task any task
     * @return the command it was made of; null for a fiber
     */
    public static @Nullable Runnable commandOf(Task task) {
        return task instanceof Plain plain ? plain.command : task instanceof Slice slice ? slice.slice : null;
    }

    /**
     * Runs a task that is in no queue.
     *
     * @param task what to run
     */
    public static void perform(Task task) {
        task.runSlice();
    }

    /**
     * Takes the first task off a list.
     *
     * @param first the front of a list that belongs to the caller
     * @return the rest of the list
     */
    public static @Nullable Task unlink(Task first) {
        Task rest = first.next;
        first.next = null;
        return rest;
    }

    /**
     * Appends a task to a list.
     *
     * @param last the end of a list that belongs to the caller
     * @param task the task that follows it, in no queue; null for none
     */
    public static void append(Task last, @Nullable Task task) {
        last.next = task;
    }

    private static final class Plain extends Task {
        private final Runnable command;

        Plain(Runnable command) {
            this.command = command;
        }

        @Override
        protected void runSlice() {
            command.run();
        }

        @Override
        public String toString() {
            return command.toString();
        }
    }

    private static final class Slice extends Task {
        private final Runnable slice;

        Slice(Runnable slice) {
            this.slice = slice;
        }

        @Override
        protected void runSlice() {
            slice.run();
        }

        @Override
        public String toString() {
            return slice.toString();
        }
    }

    /**
     * Cancels a task because its scheduler shuts down. Any thread.
     *
     * @param task the task
     */
    public static void cancel(Live task) {
        task.cancelForShutdown();
    }
}
