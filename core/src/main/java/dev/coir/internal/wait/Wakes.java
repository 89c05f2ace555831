package dev.coir.internal.wait;

import org.jspecify.annotations.Nullable;

/**
 * Those whose wait was decided under a guard, to be unparked after it is released, in the order in which they were added.
 * For one thread, once.
 */
public final class Wakes {
    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** Nobody. */
    public Wakes() {}

    /**
     * Adds one.
     *
     * @param waiter was signalled by {@link Waiter#trySignal}, and stands in no queue
     */
    public void add(Waiter waiter) {
        if (last == null) first = waiter;
        else last.after = waiter;
        last = waiter;
    }

    /** Unparks all. */
    public void unparkAll() {
        Waiter each = first;
        while (each != null) {
            Waiter following = (Waiter) each.after;
            each.after = null;
            each.unpark();
            each = following;
        }
    }
}
