package dev.coir.internal.trace;

import org.jspecify.annotations.Nullable;

/**
 * Gets what the scheduler does, while tracing is on. Called by the thread that does it, in the middle of the scheduler: an
 * implementation must not throw, wait, suspend or enter a monitor. Fibers and tasks are passed as they are.
 */
public interface Sink {
    /**
     * A task's slice begins.
     *
     * @param carrier the calling thread
     * @param task a fiber, or any other task
     */
    void sliceBegan(Thread carrier, Object task);

    /**
     * The innermost slice of a thread has ended.
     *
     * @param carrier the calling thread
     */
    void sliceEnded(Thread carrier);

    /**
     * A fiber or task is about to be queued for the first time. It may be refused after that.
     *
     * @param task the task
     */
    void started(Object task);

    /**
     * A fiber's body has ended.
     *
     * @param fiber the calling fiber
     */
    void ended(Object fiber);

    /**
     * A fiber begins to wait. It may find at once that it need not.
     *
     * @param fiber the calling fiber
     * @param reason what for
     */
    void waits(Object fiber, String reason);

    /**
     * A fiber has waited.
     *
     * @param fiber the calling fiber
     */
    void waited(Object fiber);

    /**
     * The caller wakes a fiber.
     *
     * @param fiber who may go on
     */
    void unparked(Object fiber);

    /**
     * A worker without work falls asleep.
     *
     * @param carrier the calling thread
     * @param polling whether it waits for timers and input, too
     */
    void sleeps(Thread carrier, boolean polling);

    /**
     * A worker has slept.
     *
     * @param carrier the calling thread
     */
    void slept(Thread carrier);

    /**
     * A worker has taken tasks from another.
     *
     * @param carrier the calling thread
     * @param victim the other's thread
     * @param count how many
     */
    void stole(Thread carrier, Thread victim, int count);

    /**
     * The right to run tasks goes from one thread to another.
     *
     * @param from who had it
     * @param to who gets it
     */
    void handedOff(Thread from, Thread to);

    /**
     * What runs on a thread is asked to let others run.
     *
     * @param carrier the thread
     * @param task what seems to run there, or null
     */
    void askedToGiveWay(Thread carrier, @Nullable Object task);
}
