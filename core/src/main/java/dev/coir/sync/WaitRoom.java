package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import dev.coir.internal.wait.Wakes;
import java.util.function.BooleanSupplier;

/** Those who wait until something has happened, and are then told together. */
final class WaitRoom {
    /*
     * Z1. Who makes it happen writes that first and tells all after; who waits looks whether it has happened under the same
     *     guard under which it is told. So nobody waits for what has happened. Guarded by WaitRoomStress.
     */
    private final SpinGuard guard = new SpinGuard();
    private final WaitQueue<Waiter> queue = new WaitQueue<>(); // guarded by guard

    /** Waits until {@code happened}, told by {@link #tellAll}. SIGNALLED also when it has happened before. */
    Waiter.Outcome await(BooleanSupplier happened, String reason, long deadlineNanos, boolean interruptible) {
        var waiter = new Waiter();
        if (interruptible && waiter.takeInterrupt()) return Waiter.Outcome.INTERRUPTED;
        guard.acquire();
        boolean now = happened.getAsBoolean();
        if (!now) queue.addLast(waiter);
        guard.release();
        if (now) return Waiter.Outcome.SIGNALLED;
        Waiter.Outcome how = waiter.await(reason, deadlineNanos, interruptible);
        if (how != Waiter.Outcome.SIGNALLED) {
            guard.acquire();
            queue.remove(waiter);
            guard.release();
        }
        return how;
    }

    /** As {@link #await}, throwing when interrupted; false when the time is up. */
    boolean awaitInterruptibly(BooleanSupplier happened, String reason, long deadlineNanos)
            throws InterruptedException {
        return switch (await(happened, reason, deadlineNanos, true)) {
            case SIGNALLED -> true;
            case TIMED_OUT -> false;
            case INTERRUPTED -> throw new InterruptedException();
        };
    }

    /** Ends all waits. To be called after it has happened, by who has ensured room before. */
    void tellAll() {
        var told = new Wakes();
        guard.acquireInside();
        Waiter each;
        while ((each = queue.pollFirst()) != null) {
            if (each.trySignal()) told.add(each);
        }
        guard.release();
        told.unparkAll();
    }
}
