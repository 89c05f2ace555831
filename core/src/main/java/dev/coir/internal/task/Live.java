package dev.coir.internal.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A task that outlives its slices: once it has suspended, a {@link Registry} knows it until it ends. */
public abstract class Live extends Task {
    static final VarHandle PLACE;
    static final AtomicReferenceFieldUpdater<Live, @Nullable Object> PLACE_AT_ONCE =
            AtomicReferenceFieldUpdater.newUpdater(Live.class, Object.class, "place");
    static final Object ENDED = new Object();

    static {
        try {
            PLACE = MethodHandles.lookup().findVarHandle(Live.class, "place", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    volatile @Nullable Object place; // null -> Registry -> ENDED, or null -> ENDED; moved by CAS and exchange

    @Nullable
    Live before; // guarded by the registry

    @Nullable
    Live after; // guarded by the registry

    boolean linked; // guarded by the registry
    boolean unlinked; // guarded by the registry

    /** For subclasses. */
    protected Live() {}

    /**
     * Cancels it, in the midst of something that has the room on the stack for it: O3 of StackRoom. Any thread.
     *
     * @param mayInterruptIfRunning as in a Future
     * @return false when it was done before
     */
    protected abstract boolean cancelInside(boolean mayInterruptIfRunning);

    /** The scheduler is shutting down: end soon. */
    protected abstract void cancelForShutdown();

    /**
     * The virtual thread that is its stack.
     *
     * @return the thread; null when the stack is a bare one
     */
    protected abstract @Nullable Thread stackThread();

    /**
     * The name that it was given. Any thread.
     *
     * @return the name, or null for none
     */
    protected @Nullable String givenName() {
        return null;
    }

    /**
     * The thread to which its bare stack is confined. Any thread that found it in a registry.
     *
     * @return the thread; null when it has no bare stack
     */
    protected @Nullable Thread bareThread() {
        return null;
    }

    /**
     * Its bare stack, if it has one. The thread to which that is confined only.
     *
     * @return the stack, or null
     */
    protected @Nullable FiberStack bareStack() {
        return null;
    }

    /**
     * Waits until unparked, interrupted, past the deadline, or for no reason. The fiber itself only.
     *
     * @param reason what for; dumps show it
     * @param deadlineNanos in the time of its world; Long.MAX_VALUE for never
     */
    protected abstract void parkHere(String reason, long deadlineNanos);

    /**
     * Shows another reason for the park it is in, which goes on; does nothing when it waits for something else by now, or not at
     * all. Any thread.
     *
     * @param earlier the reason so far, that very object
     * @param reason what it waits for now
     */
    protected void nowWaitsFor(String earlier, String reason) {}

    /** Makes its current or next park return. Any thread. */
    protected abstract void unparkIt();

    /**
     * Takes an interrupt, if there is one. The fiber itself only.
     *
     * @return whether it was interrupted
     */
    protected abstract boolean takeInterruptHere();

    /**
     * Where its time and its chances come from.
     *
     * @return the system's, or that of its executor
     */
    protected abstract World world();

    /** Interrupts it. Any thread. */
    protected abstract void interruptIt();
}
