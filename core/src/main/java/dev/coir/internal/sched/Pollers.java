package dev.coir.internal.sched;

import java.util.function.Supplier;

/** Where pollers come from. */
public final class Pollers {
    /** Sleeps, and watches no input or output until somebody installs one that does. */
    public static final Supplier<Poller> DEFAULT = LatePoller::new;

    private Pollers() {}
}
