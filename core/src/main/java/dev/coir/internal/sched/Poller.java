package dev.coir.internal.sched;

/** Where a group's idle worker sleeps until something outside happens: input, output, time, or a call of {@link #wakeUp}. */
public interface Poller extends AutoCloseable {
    /**
     * Waits for events and makes the tasks that waited for them runnable. One thread at a time.
     *
     * @param nanos how long to wait at most; 0: do not wait
     * @return how many events there were
     */
    int poll(long nanos);

    /** Ends the current or the next waiting {@link #poll}. Any thread. */
    void wakeUp();

    /**
     * Whether anything is registered that could bring an event; when not, busy workers need not poll.
     *
     * @return true when it is worth polling
     */
    boolean isWatching();

    /**
     * Whether something might be registered, so that an idle worker should sleep in here even though nothing is so far.
     *
     * @return false when it only sleeps
     */
    default boolean canWatch() {
        return true;
    }

    @Override
    void close();
}
