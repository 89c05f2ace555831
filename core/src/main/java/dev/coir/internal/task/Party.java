package dev.coir.internal.task;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.trace.Tracing;
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
     * @param deadlineNanos in the time of its world; Long.MAX_VALUE for never
     */
    public static void park(Live current, String reason, long deadlineNanos) {
        current.parkHere(reason, deadlineNanos);
    }

    /**
     * Shows another reason for the park a fiber is in, if it is still in that. Any thread.
     *
     * @param fiber the fiber
     * @param earlier the reason so far
     * @param reason what it waits for now
     */
    public static void nowWaitsFor(Live fiber, String earlier, String reason) {
        fiber.nowWaitsFor(earlier, reason);
    }

    /**
     * Makes a fiber's current or next park return. Any thread.
     *
     * @param fiber the fiber
     */
    public static void unpark(Live fiber) {
        Tracing.unparked(fiber);
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
     * Cancels a fiber, in the midst of something that has the room on the stack for it. Any thread.
     *
     * @param fiber the fiber
     * @param mayInterruptIfRunning as in a Future
     */
    public static void cancel(Live fiber, boolean mayInterruptIfRunning) {
        fiber.cancelInside(mayInterruptIfRunning);
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
     * @return the thread; null when the stack is a bare one, or there is none yet
     */
    public static @Nullable Thread threadOf(Live fiber) {
        return fiber.stackThread();
    }

    /**
     * The name that a fiber was given.
     *
     * @param fiber the fiber
     * @return the name, or null when it has only a number
     */
    public static @Nullable String givenNameOf(Live fiber) {
        return fiber.givenName();
    }

    /**
     * The thread to which a fiber's bare stack is confined. Known to whoever found the fiber in a registry.
     *
     * @param fiber the fiber
     * @return the thread; null when the stack is a virtual thread
     */
    public static @Nullable Thread bareThreadOf(Live fiber) {
        return fiber.bareThread();
    }

    /**
     * The frames of a fiber with a bare stack that is suspended. On the thread to which it is confined only: any other might
     * walk a stack that is being entered, and that crashes the JVM. A virtual thread must be kept on its carrier meanwhile.
     *
     * @param fiber the fiber
     * @return the frames, newest first; null when it is not suspended: it runs underneath the caller, or has ended
     */
    public static StackTraceElement @Nullable [] bareFramesOf(Live fiber) {
        Thread caller = JdkAccess.currentCarrierThread();
        if (fiber.bareThread() != caller)
            throw new WrongThreadException("the stack of " + fiber + " is for " + fiber.bareThread()
                    + " to walk, not for " + caller + ": ask that thread");
        FiberStack stack = fiber.bareStack();
        return stack == null ? null : stack.suspendedFrames();
    }
}
