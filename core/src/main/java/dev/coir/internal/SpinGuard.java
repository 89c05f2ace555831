package dev.coir.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Mutual exclusion for a few instructions of the runtime itself. Unlike a monitor it never parks the caller, who may be a
 * virtual thread on a worker; unlike the public SpinLock it keeps no owner. Nothing may suspend or call out while it is held.
 */
public final class SpinGuard {
    private static final int SPINS_BEFORE_YIELD = 256;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinGuard.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean held;

    /** A free guard. */
    public SpinGuard() {}

    /**
     * Waits until the guard is free and takes it.
     *
     * @throws StackOverflowError when the stack has no room for what follows; the guard was not taken
     */
    public void acquire() {
        StackRoom.ensure();
        acquireInside();
    }

    /** As {@link #acquire}, for a few instructions in the midst of something that has the room it needs. */
    @SuppressWarnings("ThreadPriorityCheck") // the holder may have lost its processor
    public void acquireInside() {
        int spins = 0;
        while (held || !HELD.compareAndSet(this, false, true)) {
            if (++spins < SPINS_BEFORE_YIELD || Thread.currentThread().isVirtual()) Thread.onSpinWait();
            else Thread.yield();
        }
    }

    /** Frees the guard; the next holder sees all that was written before. */
    public void release() {
        try {
            HELD.setRelease(this, false);
        } catch (StackOverflowError noRoom) { // for the calls behind it, which need some when they are interpreted
            held = false;
        }
    }
}
