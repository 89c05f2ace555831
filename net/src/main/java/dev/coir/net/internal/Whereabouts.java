package dev.coir.net.internal;

import dev.coir.fiber.Fiber;
import dev.coir.internal.sched.Carrier;

/** On what kind of thread the caller runs, as far as it matters to calls that may block. */
public final class Whereabouts {
    private Whereabouts() {}

    /**
     * Whether a call that the caller declares blocking is made by another thread.
     *
     * @return true in a fiber on a thread that is not a scheduler's own
     */
    public static boolean isServedByAnotherThread() {
        if (Fiber.current() == null) return false;
        Carrier carrier = Carrier.current();
        return carrier == null || !carrier.canHandOff();
    }

    /** Whether nobody but the caller uses the thread: it may as well block. */
    static boolean isOwnThread() {
        return !Thread.currentThread().isVirtual() && Carrier.current() == null && Fiber.current() == null;
    }
}
