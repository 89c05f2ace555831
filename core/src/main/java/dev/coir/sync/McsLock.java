package dev.coir.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A fair lock for a few instructions: who finds it taken queues and spins on a flag of its own, so that a crowd of waiters
 * does not fight for one cache line (Mellor-Crummey and Scott's). Not reentrant. Never parks.
 *
 * <p>{@link #lock} is first come, first served. Waits that can end early ({@link #tryLock()}, timed, interruptible) do not
 * queue: they take the lock when nobody stands in line.
 */
public final class McsLock extends BusyLock {
    /*
     * tail is the last in line, the first in line holds the lock; null: free.
     *
     *   lock     exchange tail with mine; if there was one before me, link it to me and wait for its grant
     *   unlock   if none is linked behind me, compare-and-set tail from mine to null; else wait for the link, grant
     *
     * L1. One place has the grant. L2. What the holder wrote is seen by the next: granted is released and acquired.
     * Guarded by LockStress.Mcs.
     */
    private static final class Place {
        final Thread thread = Thread.currentThread();
        volatile @Nullable Place behind; // written by the one behind, read by unlock
        volatile boolean granted; // written by the one before, read by lock
    }

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(McsLock.class, "tail", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Place tail;
    private @Nullable Place holder; // written by the holder; others compare only its thread with themselves

    /** A free lock. */
    public McsLock() {}

    @Override
    public void lock() {
        ensureNotHeld();
        Place mine = new Place();
        Place before = (Place) TAIL.getAndSet(this, mine);
        if (before != null) {
            before.behind = mine;
            int beats = 0;
            while (!mine.granted) beats = pause(beats);
        }
        holder = mine;
    }

    @Override
    public boolean tryLock() {
        if (tail != null) return false;
        Place mine = new Place();
        if (!TAIL.compareAndSet(this, null, mine)) return false;
        holder = mine;
        return true;
    }

    @Override
    public void unlock() {
        Place mine = holder;
        if (mine == null || mine.thread != Thread.currentThread()) throw notHeld();
        holder = null;
        if (mine.behind == null && TAIL.compareAndSet(this, mine, null)) return;
        int beats = 0;
        Place next;
        while ((next = mine.behind) == null) beats = pause(beats);
        next.granted = true;
    }

    /**
     * Whether some thread holds it; a hint.
     *
     * @return true when held
     */
    public boolean isLocked() {
        return tail != null;
    }

    /**
     * Whether the calling thread holds it.
     *
     * @return true when it does
     */
    @Override
    public boolean isHeldByCurrentThread() {
        Place place = holder;
        return place != null && place.thread == Thread.currentThread();
    }

    @Override
    public String toString() {
        Place place = holder;
        return "McsLock[" + (place != null ? "held by " + place.thread : isLocked() ? "held" : "free") + "]";
    }
}
