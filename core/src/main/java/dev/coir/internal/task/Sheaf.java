package dev.coir.internal.task;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Many tasks that stand in a {@link SharedQueue} as one: the half ring that a worker ran over with, or those that were started
 * together. It belongs to whoever took it out; it is never run.
 */
public final class Sheaf extends Task {
    /*
     * An array, not a list that is linked through the tasks. Who takes a list that another processor has made waits for one
     * task after the other to come over, for each says where the next one is; of an array they come many at a time. And a collector
     * with generations charges every reference that is written by itself, but those that are copied together only once.
     */
    private final @Nullable Task[] tasks;
    private int first; // these two: who it belongs to
    private int end;

    private Sheaf(@Nullable Task[] tasks, int end) {
        this.tasks = tasks;
        this.end = end;
    }

    /**
     * An empty one.
     *
     * @param capacity for how many tasks
     */
    public Sheaf(int capacity) {
        this(new Task[capacity], 0);
    }

    /**
     * One of all these tasks.
     *
     * @param tasks in no queue; belongs to the sheaf from now on
     * @return a new one
     */
    public static Sheaf of(Task... tasks) {
        return new Sheaf(tasks, tasks.length);
    }

    /**
     * Fills it, if it is empty, with the older half of a queue and a task.
     *
     * @param queue any worker's
     * @param last the task that comes last, in no queue
     */
    public void fill(LocalQueue queue, Task last) {
        if (first != end) throw new IllegalStateException("a sheaf is filled when it is empty: " + this);
        first = 0;
        end = queue.takeHalf(tasks, tasks.length - 1);
        Arrays.fill(tasks, end, tasks.length, null); // what was copied in vain is not kept
        tasks[end++] = last;
    }

    /**
     * Takes the first task out.
     *
     * @return the task; it must not be empty
     */
    public Task takeFirst() {
        Task task = Objects.requireNonNull(tasks[first]);
        tasks[first++] = null;
        return task;
    }

    /**
     * Moves tasks to a queue, in their order, as far as there is room.
     *
     * @param queue the caller's
     */
    public void moveTo(LocalQueue queue) {
        int moved = queue.pushAll(tasks, first, end - first);
        Arrays.fill(tasks, first, first + moved, null);
        first += moved;
    }

    /**
     * How many tasks it has.
     *
     * @return 0 or more
     */
    public int size() {
        return end - first;
    }

    /**
     * How many it may have.
     *
     * @return the length of its array
     */
    public int capacity() {
        return tasks.length;
    }

    @Override
    protected void runSlice() {
        throw new AssertionError(this + " is not to be run, but its tasks");
    }

    @Override
    public String toString() {
        return "Sheaf[" + size() + " tasks]";
    }
}
