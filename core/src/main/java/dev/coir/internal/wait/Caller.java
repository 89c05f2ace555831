package dev.coir.internal.wait;

import dev.coir.internal.task.FiberStack;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, as owner of a lock: a fiber, else a thread. Fibers with a bare stack share their thread, so they stand for
 * themselves; a fiber with a virtual thread is that thread, which is the cheaper to find of the two.
 */
public final class Caller {
    private Caller() {}

    /**
     * The calling party. Two calls give the same object when, and only when, the same party makes them.
     *
     * @return a Thread, or a fiber with a bare stack
     */
    public static Object current() {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) return thread;
        Live light = FiberStack.innermost();
        return light != null ? light : thread;
    }

    /**
     * Takes the calling party's interrupt, if there is one.
     *
     * @param current the calling party
     * @return whether it was interrupted
     */
    public static boolean takeInterrupt(Object current) {
        return current instanceof Live light ? Party.takeInterrupt(light) : Thread.interrupted();
    }

    /**
     * Interrupts a party.
     *
     * @param party from {@link #current}
     */
    public static void interrupt(Object party) {
        if (party instanceof Live light) Party.interrupt(light);
        else ((Thread) party).interrupt();
    }

    /**
     * The thread that a party is.
     *
     * @param party from {@link #current}
     * @return the thread; null for a fiber with a bare stack
     */
    public static @Nullable Thread threadOf(Object party) {
        return party instanceof Thread thread ? thread : null;
    }

    /**
     * A few words for texts: {@code thread main}, or the fiber itself.
     *
     * @param party from {@link #current}
     * @return the words
     */
    public static String describe(Object party) {
        return party instanceof Thread thread ? "thread " + thread.getName() : party.toString();
    }
}
