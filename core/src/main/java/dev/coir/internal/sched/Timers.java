package dev.coir.internal.sched;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.Uncaught;
import java.util.function.LongSupplier;

/** A group's timers. Any thread sets and cancels; workers fire what is due. No thread of its own. */
public final class Timers {
    /*
     * X1. Each timer either fires once or is cancelled: it leaves the wheel once, under the guard, and who took it out
     *     decides. Guarded by TimersStress.CancelAgainstFire.
     * X2. earliest is never later than the first timer: set under the guard, so a sleeper that reads it after announcing
     *     its sleep, and a setter that asks for a wake-up after setting it, cannot miss each other.
     *     Guarded by TimersStress.SetAgainstSleep.
     */
    static final long TICK_NANOS = 1L << 14;
    private static final long NEVER = Long.MAX_VALUE;

    private final SpinGuard guard = new SpinGuard();
    private final TimerWheel wheel = new TimerWheel(); // guarded by guard
    private final LongSupplier clock;
    private final long origin;
    private volatile long earliest = NEVER; // nanoseconds since origin; written under guard

    Timers(LongSupplier clock) {
        this.clock = clock;
        this.origin = clock.getAsLong();
    }

    private long elapsed() {
        return clock.getAsLong() - origin;
    }

    /** Sets a timer. @return whether it became the first, so that a sleeping poller must be told */
    boolean set(Timer timer, long delayNanos) {
        long at = elapsed() + Math.max(0, delayNanos);
        return add(timer, at < 0 ? NEVER - TICK_NANOS : at); // a delay of centuries: saturate
    }

    /** Sets a timer to a moment of the clock, less than a century away. @return as {@link #set} */
    boolean setAt(Timer timer, long deadlineNanos) {
        return add(timer, Math.max(0, deadlineNanos - origin));
    }

    private boolean add(Timer timer, long at) {
        long tick = at / TICK_NANOS + 1;
        guard.acquire();
        try {
            wheel.add(timer, tick);
            long next = wheel.nextTick() * TICK_NANOS;
            if (next < 0) next = NEVER;
            if (next >= earliest) return false;
            earliest = next;
            return true;
        } finally {
            guard.release();
        }
    }

    /**
     * Cancels a timer.
     *
     * @param timer a timer that was set
     * @return true when it will not fire; false when it has fired, is firing, or was cancelled before
     */
    public boolean cancel(Timer timer) {
        guard.acquire();
        try {
            return wheel.remove(timer);
        } finally {
            guard.release();
        }
    }

    /** As {@link #cancel}, for the party that has set the timer, to which a timer that has fired costs nothing. */
    void end(Timer timer) {
        if (timer.slot != TimerWheel.HANDED_OUT) cancel(timer); // what it set itself it sees set: never an older value
    }

    boolean isDue() {
        long next = earliest;
        return next != NEVER && next <= elapsed();
    }

    /** How long until the first timer may be due; Long.MAX_VALUE when there is none. */
    long nanosToNext() {
        long next = earliest;
        return next == NEVER ? NEVER : Math.max(0, next - elapsed());
    }

    /** Fires what is due. @return how many fired */
    int fireDue() {
        if (!isDue()) return 0;
        Timer due;
        guard.acquire();
        try {
            due = wheel.advance(elapsed() / TICK_NANOS);
            long next = wheel.nextTick();
            earliest = next > NEVER / TICK_NANOS ? NEVER : next * TICK_NANOS;
        } finally {
            guard.release();
        }
        int fired = 0;
        while (due != null) {
            Timer following = due.after;
            due.after = null;
            try {
                due.fire();
            } catch (Throwable failure) {
                Uncaught.report(failure); // the others are out of the wheel already, and the caller is a worker's loop
            }
            due = following;
            fired++;
        }
        return fired;
    }

    int size() {
        guard.acquire();
        try {
            return wheel.size();
        } finally {
            guard.release();
        }
    }
}
