package dev.coir.internal.sched;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A poller that watches nothing: it sleeps until time passes or somebody wakes it. */
final class NoIoPoller implements Poller {
    private volatile @Nullable Thread waiting; // written by the polling thread
    private volatile boolean woken; // set by wakers, cleared by the polling thread

    @Override
    public int poll(long nanos) {
        if (nanos == 0) return 0;
        waiting = Thread.currentThread();
        if (!woken) LockSupport.parkNanos(this, nanos);
        waiting = null;
        woken = false;
        return 0;
    }

    @Override
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(waiting);
    }

    @Override
    public boolean isWatching() {
        return false;
    }

    @Override
    public boolean canWatch() {
        return false;
    }

    @Override
    public void close() {}
}
