package dev.coir.internal.task;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue that the workers of a group share. Lock-free. New tasks are counted against its capacity and refused beyond
 * it; tasks that have been admitted before always find room.
 */
public final class SharedQueue {
    /*
     * Its elements are lists: one task from outside, or the half ring that a worker ran over with. So a burst costs one
     * queue operation per half ring, on both ends.
     *
     * Q1. size is raised before a list is added and lowered after it is taken: 0 means that nothing stands here and
     *     nobody is about to add. Closing relies on it. A refused task was never seen by anybody, not even in the size:
     *     else it would hide idleness from a worker that falls asleep just then, and make others be refused.
     *     Guarded by SharedQueueStress.
     * Q2. At most one list is opened: taken from one task at a time. Who takes the opened list owns it, and puts the rest
     *     back, there or at the end of the queue. So a worker that only wants one task leaves the others to be taken.
     *
     * Rejected: JCTools' bounded array queues (the whole capacity is allocated up front, per group, and a list of 512 tasks
     * would pay 512 operations). ADR 5.
     */
    private static final long WITHOUT_MEMORY_NANOS = 100_000_000; // as the JDK does

    private final Queue<Task> lists = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Task> opened = new AtomicReference<>();
    private final AtomicLong size = new AtomicLong();
    private final int capacity;

    /**
     * An empty queue.
     *
     * @param capacity how many tasks may stand here before new ones are refused, a power of two
     */
    public SharedQueue(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 1) {
            throw new IllegalArgumentException("runQueueCapacity: " + capacity + " (expected: a power of two)");
        }
        this.capacity = capacity;
    }

    /**
     * Reserves room for new tasks. Whoever got it must {@link #addReserved} or {@link #giveBack}.
     *
     * @param count how many tasks
     * @return false when there is no room for all of them
     */
    public boolean tryReserve(int count) {
        while (true) {
            long seen = size.get();
            if (seen + count > capacity) return false;
            if (size.compareAndSet(seen, seen + count)) return true;
        }
    }

    /**
     * Makes room for tasks that were admitted before, as {@link #tryReserve} does, beyond the capacity if need be.
     *
     * @param count how many tasks
     */
    public void reserve(int count) {
        size.addAndGet(count);
    }

    /**
     * Gives reserved room back.
     *
     * @param count how many tasks
     */
    public void giveBack(int count) {
        size.addAndGet(-count);
    }

    /**
     * Adds tasks into reserved room.
     *
     * @param list the front of a list
     */
    public void addReserved(Task list) {
        list.listed = lengthOf(list);
        append(list);
    }

    /**
     * Adds tasks that were admitted before.
     *
     * @param list the front of a list
     * @param count how many tasks it has
     */
    public void add(Task list, int count) {
        size.addAndGet(count);
        list.listed = count;
        append(list);
    }

    /** What was admitted is not lost: where there is no memory for its place in the queue, the caller waits until there is. */
    private void append(Task list) {
        while (true) {
            try {
                lists.add(list);
                return;
            } catch (OutOfMemoryError full) {
                LockSupport.parkNanos(this, WITHOUT_MEMORY_NANOS);
            }
        }
    }

    /**
     * Adds what is left of a list that was taken.
     *
     * @param list the front of a list
     */
    public void addBack(Task list) {
        int count = lengthOf(list);
        add(list, count);
    }

    private static int lengthOf(Task list) {
        int count = 1;
        for (Task each = list.next; each != null; each = each.next) count++;
        return count;
    }

    /**
     * Takes a list of tasks.
     *
     * @return the front of a list, or null when there is none
     */
    public @Nullable Task takeList() {
        Task list = claimList();
        if (list != null) size.addAndGet(-list.listed);
        return list;
    }

    /**
     * Takes one task.
     *
     * @return a task that is linked to no other, or null when there is none
     */
    public @Nullable Task takeOne() {
        Task list = claimList();
        if (list == null) return null;
        Task rest = Tasks.unlink(list);
        if (rest != null) {
            rest.listed = list.listed - 1;
            if (!opened.compareAndSet(null, rest)) append(rest);
        }
        size.decrementAndGet(); // after the rest is back: Q1
        return list;
    }

    private @Nullable Task claimList() {
        if (size.get() == 0) return null;
        Task list = opened.get() == null ? null : opened.getAndSet(null);
        return list != null ? list : lists.poll();
    }

    /**
     * Whether a new task would be refused just now.
     *
     * @return true when full
     */
    public boolean isFull() {
        return size.get() >= capacity;
    }

    /**
     * How many tasks stand here.
     *
     * @return the number of tasks
     */
    public int size() {
        return (int) Math.min(size.get(), Integer.MAX_VALUE);
    }

    /**
     * How many tasks may stand here before new ones are refused.
     *
     * @return a power of two
     */
    public int capacity() {
        return capacity;
    }
}
