package dev.coir.internal.trace;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what the scheduler does to a {@link Sink}, if there is one. While there is none, each of these calls is compiled to
 * nothing.
 */
public final class Tracing {
    /*
     * T1. Whether it is on is the target of a call site that compiled code takes for a constant; switching makes the JVM throw
     *     away the code that did. So being able to trace costs nothing as long as nobody does. Guarded by TracingTest.
     * T2. A thread may find it on and then no sink, or the one before: each reads the sink once, and a sink must bear to be called
     *     for a while after it was taken away.
     */
    private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);
    private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
    private static final MutableCallSite SITE = new MutableCallSite(NO);
    private static final MethodHandle ON = SITE.dynamicInvoker();
    private static volatile @Nullable Sink sink; // written under the class's lock

    private Tracing() {}

    /**
     * Whether somebody records.
     *
     * @return a constant for compiled code
     */
    public static boolean isOn() {
        try {
            return (boolean) ON.invokeExact();
        } catch (Throwable t) {
            throw new AssertionError(t); // a constant throws nothing
        }
    }

    /**
     * Begins to pass events on. From a platform thread, or a virtual one that is kept on its carrier.
     *
     * @param to who gets them
     * @return false when somebody else gets them already; nothing was changed
     */
    public static synchronized boolean tryBegin(Sink to) {
        if (sink != null) return false;
        sink = to;
        switchTo(YES);
        return true;
    }

    /**
     * Ends what {@link #tryBegin} began; does nothing when that sink is not the current one. Threads that are in the middle of
     * an event may still call it for a moment. From a platform thread, or a virtual one that is kept on its carrier.
     *
     * @param of the sink
     */
    public static synchronized void end(Sink of) {
        if (sink != of) return;
        switchTo(NO);
        sink = null;
    }

    private static void switchTo(MethodHandle target) {
        SITE.setTarget(target);
        MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }

    /**
     * See {@link Sink#sliceBegan}.
     *
     * @param carrier the calling thread
     * @param task a fiber, or any other task
     */
    public static void sliceBegan(Thread carrier, Object task) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.sliceBegan(carrier, task);
    }

    /**
     * See {@link Sink#sliceEnded}.
     *
     * @param carrier the calling thread
     */
    public static void sliceEnded(Thread carrier) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.sliceEnded(carrier);
    }

    /**
     * See {@link Sink#started}.
     *
     * @param task the task
     */
    public static void started(Object task) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.started(task);
    }

    /**
     * See {@link Sink#ended}.
     *
     * @param fiber the calling fiber
     */
    public static void ended(Object fiber) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.ended(fiber);
    }

    /**
     * See {@link Sink#waits}.
     *
     * @param fiber the calling fiber
     * @param reason what for
     */
    public static void waits(Object fiber, String reason) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.waits(fiber, reason);
    }

    /**
     * See {@link Sink#waited}.
     *
     * @param fiber the calling fiber
     */
    public static void waited(Object fiber) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.waited(fiber);
    }

    /**
     * See {@link Sink#unparked}.
     *
     * @param fiber who may go on
     */
    public static void unparked(Object fiber) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.unparked(fiber);
    }

    /**
     * See {@link Sink#sleeps}.
     *
     * @param carrier the calling thread
     * @param polling whether it waits for timers and input, too
     */
    public static void sleeps(Thread carrier, boolean polling) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.sleeps(carrier, polling);
    }

    /**
     * See {@link Sink#slept}.
     *
     * @param carrier the calling thread
     */
    public static void slept(Thread carrier) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.slept(carrier);
    }

    /**
     * See {@link Sink#stole}.
     *
     * @param carrier the calling thread
     * @param victim the other's thread
     * @param count how many
     */
    public static void stole(Thread carrier, Thread victim, int count) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.stole(carrier, victim, count);
    }

    /**
     * See {@link Sink#handedOff}.
     *
     * @param from who had it
     * @param to who gets it
     */
    public static void handedOff(Thread from, Thread to) {
        if (!isOn()) return;
        Sink told = sink;
        if (told != null) told.handedOff(from, to);
    }

    /**
     * See {@link Sink#askedToGiveWay}.
     *
     * @param carrier the thread
     * @param task what seems to run there, or null
     */
    public static void askedToGiveWay(Thread carrier, @Nullable Object task) {
        if (!isOn()) return;
        Sink to = sink;
        if (to != null) to.askedToGiveWay(carrier, task);
    }
}
