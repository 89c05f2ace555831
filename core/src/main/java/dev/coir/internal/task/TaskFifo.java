package dev.coir.internal.task;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An unbounded first-in-first-out queue for one thread. */
public final class TaskFifo {
    /*
     * A ring that grows, rather than a list linked through the tasks: with a generational collector every stored reference
     * is paid for, and here a task costs one.
     */
    private static final int INITIAL_CAPACITY = 16;

    private @Nullable Task[] slots = new Task[INITIAL_CAPACITY];
    private int head;
    private int size;

    /** An empty queue. */
    public TaskFifo() {}

    /**
     * Appends a task.
     *
     * @param task the task
     */
    public void add(Task task) {
        if (size == slots.length) grow();
        slots[(head + size++) & (slots.length - 1)] = task;
    }

    private void grow() {
        @Nullable Task[] larger = Arrays.copyOfRange(slots, head, head + 2 * slots.length);
        System.arraycopy(slots, 0, larger, slots.length - head, head);
        Arrays.fill(larger, slots.length, larger.length, null);
        slots = larger;
        head = 0;
    }

    /**
     * Takes the oldest task.
     *
     * @return the task, or null when there is none
     */
    public @Nullable Task poll() {
        if (size == 0) return null;
        Task oldest = slots[head];
        slots[head] = null;
        head = (head + 1) & (slots.length - 1);
        size--;
        return oldest;
    }

    /**
     * What {@link #poll} would take.
     *
     * @return the task, or null when there is none
     */
    public @Nullable Task peek() {
        return size == 0 ? null : slots[head];
    }

    /**
     * How much there is to take.
     *
     * @return how many tasks
     */
    public int size() {
        return size;
    }

    /**
     * Whether there is nothing to take.
     *
     * @return true when empty
     */
    public boolean isEmpty() {
        return size == 0;
    }
}
