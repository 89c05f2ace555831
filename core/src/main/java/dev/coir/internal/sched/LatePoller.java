package dev.coir.internal.sched;

import dev.coir.internal.Stack;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A poller that watches nothing until somebody brings one that does. So a scheduler without input and output pays for none. */
public final class LatePoller implements Poller {
    /*
     * I1. A wake-up is not lost to an installation. The waker wakes what it finds here, and then looks whether that is still
     *     here; the installer puts the new one here first, and then wakes both. So either the waker sees the new one, or the
     *     installer's wake-up of the new one comes after the waker's call. Guarded by LatePollerTest.
     */
    private volatile Poller now = new NoIoPoller(); // replaced once, under this
    private boolean closed; // guarded by this

    /** A poller that sleeps. */
    public LatePoller() {}

    /**
     * The poller that is polled at present.
     *
     * @return the installed one, or one that only sleeps
     */
    public Poller current() {
        return now;
    }

    /**
     * Brings a poller, unless one is here already. To be followed by {@link Reactor#attendPoller}.
     *
     * @param make makes it
     * @return the one that is here from now on; null when this one has been closed
     */
    public @Nullable Poller install(Supplier<? extends Poller> make) {
        boolean pinned = Stack.stay();
        try {
            return installOnce(make);
        } finally {
            Stack.mayLeave(pinned);
        }
    }

    private synchronized @Nullable Poller installOnce(Supplier<? extends Poller> make) {
        if (closed) return null;
        Poller before = now;
        if (!(before instanceof NoIoPoller)) return before;
        Poller made = make.get();
        now = made;
        before.wakeUp();
        made.wakeUp();
        return made;
    }

    @Override
    public int poll(long nanos) {
        return now.poll(nanos);
    }

    @Override
    public void wakeUp() {
        Poller woken;
        do {
            woken = now;
            woken.wakeUp();
        } while (woken != now); // I1
    }

    @Override
    public boolean isWatching() {
        return now.isWatching();
    }

    @Override
    public boolean canWatch() {
        return now.canWatch();
    }

    @Override
    public synchronized void close() {
        closed = true;
        now.close();
    }

    @Override
    public String toString() {
        return "LatePoller[" + now + "]";
    }
}
