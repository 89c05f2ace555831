package dev.coir.internal.task;

import org.jspecify.annotations.Nullable;

/** What a worker queues for itself: a {@link RunRing}, or {@linkplain #NONE nothing} where all share one queue. */
public interface LocalQueue {
    /** Another was faster, and nothing was taken. */
    int LOST = -1;

    /** Has room for nothing: whatever is pushed goes to the shared queue. */
    LocalQueue NONE = new LocalQueue() {
        @Override
        public boolean push(Task task) {
            return false;
        }

        @Override
        public int pushAll(@Nullable Task[] tasks, int from, int count) {
            return 0;
        }

        @Override
        public @Nullable Task take() {
            return null;
        }

        @Override
        public int tryTakeHalf(@Nullable Task[] into, int atMost) {
            return 0;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public int capacity() {
            return 0;
        }
    };

    /**
     * Appends a task. Owner only.
     *
     * @param task not in any queue
     * @return false when there is no room
     */
    boolean push(Task task);

    /**
     * Appends tasks, as far as there is room. Owner only.
     *
     * @param tasks where they are; not in any queue
     * @param from the index of the first
     * @param count how many
     * @return how many of them have found room
     */
    int pushAll(@Nullable Task[] tasks, int from, int count);

    /**
     * Takes the oldest task. Owner only.
     *
     * @return the task, or null when there is none
     */
    @Nullable
    Task take();

    /**
     * Whether there is room for one more. Owner only.
     *
     * @return whether {@link #push} would succeed
     */
    default boolean hasRoom() {
        return size() < capacity();
    }

    /**
     * Appends a task and then takes the oldest. Owner only, and only when it {@linkplain #hasRoom has room}.
     *
     * @param task not in any queue
     * @return the oldest, which may be the task itself; null when others have taken all, the task too
     */
    default @Nullable Task exchange(Task task) {
        push(task);
        return take();
    }

    /**
     * Takes the older half, rounded up. Any thread.
     *
     * @param into room for so many; its content is meaningless past the returned count
     * @param atMost no more than so many
     * @return how many were taken, or {@link #LOST}
     */
    int tryTakeHalf(@Nullable Task[] into, int atMost);

    /**
     * Takes the older half, rounded up, or less when others take as well. Any thread. The owner may take one every hundred
     * nanoseconds, and spoils the attempt of who is about to take many; so each is for half as many as the one before.
     *
     * @param into room for so many; its content is meaningless past the returned count
     * @param atMost no more than so many
     * @return how many were taken; 0 when there was nothing
     */
    default int takeHalf(@Nullable Task[] into, int atMost) {
        int limit = atMost;
        while (true) {
            int taken = tryTakeHalf(into, limit);
            if (taken != LOST) return taken;
            limit = Math.min(atMost, Math.max(1, Math.min(limit, size()) >> 1));
        }
    }

    /**
     * How many tasks stand here. Exact for the owner while nobody steals, a hint for others.
     *
     * @return the number of tasks
     */
    int size();

    /**
     * The number of tasks it can hold.
     *
     * @return a power of two, or 0
     */
    int capacity();
}
