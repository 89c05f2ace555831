package dev.coir.internal.sched;

import org.jspecify.annotations.Nullable;

/** Something to do once a moment has come. Made by {@link Timers}; what it does must be short and must not wait. */
public abstract class Timer {
    long tick; // guarded by the timers' guard

    @Nullable
    Timer before; // guarded by the timers' guard

    @Nullable
    Timer after; // guarded by the timers' guard

    int slot = TimerWheel.NOWHERE; // written under the timers' guard

    /** For subclasses. */
    protected Timer() {}

    /** The moment has come. Called once, by a worker, unless the timer was cancelled before. */
    protected abstract void fire();
}
