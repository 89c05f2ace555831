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
     * Its elements are single tasks, and sheaves of many. So a burst costs one queue operation per half ring, on both ends.
     *
     * Q1. size is raised before an element is added and lowered after it is taken: 0 means that nothing stands here and
     *     nobody is about to add. Closing relies on it. A refused task was never seen by anybody, not even in the size:
     *     else it would hide idleness from a worker that falls asleep just then, and make others be refused.
     *     Guarded by SharedQueueStress.
     * Q2. At most one sheaf is opened: taken from one task at a time. Who takes the opened one owns it, and puts the rest
     *     back, there or at the end of the queue. So a worker that only wants one task leaves the others to be taken.
     *
     * Rejected: JCTools' bounded array queues (the whole capacity is allocated up front, per group, and a sheaf of 512 tasks
     * would pay 512 operations). ADR 5.
     */
    private static final long WITHOUT_MEMORY_NANOS = 100_000_000; // as the JDK does

    private final Queue<Task> elements = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Sheaf> opened = new AtomicReference<>();
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
     * Adds into reserved room.
     *
     * @param element a task, or a sheaf of some
     */
    public void addReserved(Task element) {
        while (true) { // what was admitted is not lost: where there is no memory for its place, the caller waits until
            // there is
            try {
                elements.add(element);
                return;
            } catch (OutOfMemoryError full) {
                LockSupport.parkNanos(this, WITHOUT_MEMORY_NANOS);
            }
        }
    }

    /**
     * Adds what was admitted before.
     *
     * @param element a task, or a sheaf of some
     */
    public void add(Task element) {
        reserve(sizeOf(element));
        addReserved(element);
    }

    private static int sizeOf(Task element) {
        return element instanceof Sheaf sheaf ? sheaf.size() : 1;
    }

    /**
     * Takes the next element.
     *
     * @return a task, or a sheaf of some; null when there is none
     */
    public @Nullable Task take() {
        Task element = claim();
        if (element != null) giveBack(sizeOf(element));
        return element;
    }

    /**
     * Takes one task.
     *
     * @return a task that is no sheaf, or null when there is none
     */
    public @Nullable Task takeOne() {
        Task element = claim();
        if (element == null) return null;
        Task task = element;
        if (element instanceof Sheaf sheaf) {
            task = sheaf.takeFirst();
            if (sheaf.size() != 0 && !opened.compareAndSet(null, sheaf)) addReserved(sheaf);
        }
        giveBack(1); // after the rest is back: Q1
        return task;
    }

    private @Nullable Task claim() {
        if (size.get() == 0) return null;
        Task sheaf = opened.get() == null ? null : opened.getAndSet(null);
        return sheaf != null ? sheaf : elements.poll();
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
