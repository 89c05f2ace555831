package dev.coir.net.internal;

import dev.coir.internal.sched.Poller;
import java.io.IOException;

/** A poller that tells handles when it is worth trying again. */
interface Watcher extends Poller {
    /**
     * Watches a handle from now on. If it is ready already, that is told as well.
     *
     * @return false when this watcher has been closed
     * @throws IOException when the system refuses
     */
    boolean add(Handle handle) throws IOException;

    /** Watches a handle no more: it is about to be closed, or another watches it. Nothing happens when it was not watched. */
    void remove(Handle handle, boolean closing);

    /** Whether it has a thread of its own. Fibers are better served by the one of their group. */
    boolean isMakeshift();

    /** Whether it watches nothing any more. */
    boolean isClosed();

    /** A party waits for a direction of a watched handle. For watchers that tell only what they are asked for. */
    void want(Handle handle, int direction);
}
