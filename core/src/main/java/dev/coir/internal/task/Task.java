package dev.coir.internal.task;

import dev.coir.internal.Uncaught;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something to run, with its own link: a queue of tasks needs no nodes. A task stands in one queue at a time, and whoever
 * took it out may queue it again.
 */
public abstract class Task implements Runnable {
    @Nullable
    Task next; // owned by the queue the task stands in

    /** For subclasses. */
    protected Task() {}

    /**
     * The command as a task: itself if it is one, else a task that runs it.
     *
     * @param command what to run
     * @return a task that may be queued
     */
    public static Task of(Runnable command) {
        Objects.requireNonNull(command, "command");
        return command instanceof Task task ? task : new Plain(command);
    }

    /**
     * Takes this task off the front of a list that was {@linkplain Mailbox#takeAll taken} from a mailbox.
     *
     * @return the rest of the list
     */
    public final @Nullable Task unlink() {
        Task rest = next;
        next = null;
        return rest;
    }

    /** Runs this task; what it throws goes to the thread's uncaught-exception handler. */
    public final void runReporting() {
        try {
            run();
        } catch (Throwable failure) {
            Uncaught.report(failure);
        }
    }

    private static final class Plain extends Task {
        private final Runnable command;

        Plain(Runnable command) {
            this.command = command;
        }

        @Override
        public void run() {
            command.run();
        }

        @Override
        public String toString() {
            return command.toString();
        }
    }
}
