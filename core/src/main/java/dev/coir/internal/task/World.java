package dev.coir.internal.task;

/**
 * What a fiber takes from outside besides a thread: time and chance. It is the system's, unless the fiber's executor is a
 * world of its own. Such an executor runs all its tasks on one platform thread, so fibers of both kinds may run on it.
 */
public interface World {
    /** That of everybody else. */
    World SYSTEM = new SystemWorld();

    /**
     * The time, which never goes back; it has nothing to do with that of another world.
     *
     * @return nanoseconds since some moment
     */
    long nanoTime();

    /**
     * A number by chance.
     *
     * @param bound one or more
     * @return from 0 to below the bound
     */
    int chance(int bound);

    /**
     * Does something at a moment, on any thread.
     *
     * @param deadlineNanos when, in this world's time
     * @param action short, and must not throw
     * @return takes it back, if it has not been done
     */
    Runnable at(long deadlineNanos, Runnable action);

    /**
     * Whether a call that blocks may be made on a thread of its own while its fiber waits.
     *
     * @return false when the fiber must make it itself
     */
    boolean hasOtherThreads();

    /**
     * A fiber has failed whose outcome nobody may ask for. The fiber only.
     *
     * @param failure what its body threw
     */
    void uncaught(Throwable failure);

    /**
     * That of the caller.
     *
     * @return the calling fiber's, else the system's
     */
    static World current() {
        Live fiber = Party.current();
        return fiber == null ? SYSTEM : fiber.world();
    }
}
