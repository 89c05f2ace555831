package dev.coir.internal.sched;

import org.jspecify.annotations.Nullable;

/** A short call that a fiber leaves to its carrier when it suspends. One party at a time leaves it; it may be left again and again. */
public abstract class Errand {
    @Nullable
    Errand older; // in the list that it stands in; written by who leaves it, then by who takes it

    volatile boolean listed; // set by who leaves it, cleared by who takes it out, before it is run

    /** Of whoever has a call to leave. */
    protected Errand() {}

    /** Makes the call. Any thread; never waits. */
    protected abstract void run();
}
