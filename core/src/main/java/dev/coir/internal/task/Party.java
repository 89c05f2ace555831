package dev.coir.internal.task;

import dev.coir.internal.JdkAccess;
import org.jspecify.annotations.Nullable;

/** What those who make fibers wait may ask of them. Here and not in {@link Live}, or every public fiber would show it. */
public final class Party {
    private Party() {}

    /**
     * The calling fiber.
     *
     * @return the innermost, or null outside a fiber
     */
    public static @Nullable Live current() {
        Thread thread = Thread.currentThread();
        if (!thread.isVirtual()) return FiberStack.innermost();
        return JdkAccess.schedulerOf(thread) instanceof Live fiber && fiber.stackThread() == thread ? fiber : null;
    }

    /**
     * Waits until unparked, interrupted, past the deadline, or for no reason.
     *
     * @param current the calling fiber
     * @param reason what for; dumps show it
     * @param deadlineNanos as of System.nanoTime; Long.MAX_VALUE for never
     */
    public static void park(Live current, String reason, long deadlineNanos) {
        current.parkHere(reason, deadlineNanos);
    }

    /**
     * Makes a fiber's current or next park return. Any thread.
     *
     * @param fiber the fiber
     */
    public static void unpark(Live fiber) {
        fiber.unparkIt();
    }

    /**
     * Takes an interrupt, if there is one.
     *
     * @param current the calling fiber
     * @return whether it was interrupted
     */
    public static boolean takeInterrupt(Live current) {
        return current.takeInterruptHere();
    }

    /**
     * Interrupts a fiber. Any thread.
     *
     * @param fiber the fiber
     */
    public static void interrupt(Live fiber) {
        fiber.interruptIt();
    }

    /**
     * Where a fiber's time and chances come from.
     *
     * @param fiber the fiber
     * @return the system's world, or that of its executor
     */
    public static World worldOf(Live fiber) {
        return fiber.world();
    }

    /**
     * The virtual thread that is a fiber's stack.
     *
     * @param fiber the fiber
     * @return the thread; null when the stack is a bare one
     */
    public static @Nullable Thread threadOf(Live fiber) {
        return fiber.stackThread();
    }
}
