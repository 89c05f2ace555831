package dev.coir.internal.preempt;

import dev.coir.internal.Stack;
import dev.coir.internal.StackRoom;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.task.FiberStack;
import dev.coir.internal.trace.Tracing;

/**
 * Makes a fiber that does not wait give way: the monitor asks a carrier, and the next poll of the code that runs there lets
 * others run. Polls stand in the user's classes, woven in by the agent; without the agent nothing is ever asked.
 */
public final class Preemption {
    /*
     * A poll may be made on any line of the user's code, so also in code that somebody calls while he holds a lock, in a
     * class initialiser, on a bare carrier. What each party does:
     *
     *   no carrier below        nothing: a foreign thread
     *   a virtual thread        Thread.yield. Its locks, monitors included, are its own and stay so; where the JDK forbids
     *                           the switch (native frames, critical sections) the yield does nothing. Virtual threads that
     *                           are no fibers but run on our carriers give way as well.
     *   a LIGHT fiber           leaves its stack if no lock of its thread can be held: see LightFrames. Else it runs on.
     *   a coroutine in it       runs on: it polls again when the coroutine has been left.
     *   anything else           nothing: a plain task, a callback in the scheduler's own frames.
     *
     * R1. Whoever takes the request lowers the flag, once; so the flag is up exactly while requests are pending.
     *     Guarded by PreemptionTest.theFlagIsDownWhenNothingIsAsked.
     * R2. A request is used up also by who refuses it, else every poll would look through the frames again. Who runs on for
     *     too long is asked again by the monitor, at its next look.
     * R3. Nothing here calls the user's code, and the request is taken first: a poll inside the slow path finds nothing.
     */
    private static final boolean AVAILABLE = Agent.isPresent();

    static {
        if (AVAILABLE) Agent.onPoll(Preemption::onPoll);
    }

    private Preemption() {}

    /**
     * Whether the agent is there, so that asking may help.
     *
     * @return false when this JVM runs without it
     */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /**
     * Asks a carrier to let others run. Any thread; once until it is answered or withdrawn.
     *
     * @param carrier whose slice is too long
     */
    public static void ask(Carrier carrier) {
        if (!AVAILABLE || !carrier.askToGiveWay()) return;
        Agent.raise();
        Tracing.askedToGiveWay(carrier.thread(), carrier.running());
    }

    /**
     * Takes a request back, if it is still pending: the slice has ended, or no poll answers. Any thread.
     *
     * @param carrier who was asked
     */
    public static void withdraw(Carrier carrier) {
        if (AVAILABLE && carrier.takeGiveWay()) Agent.lower();
    }

    @SuppressWarnings("ThreadPriorityCheck") // for a virtual thread this is the switch itself
    private static void onPoll() {
        Carrier carrier = Carrier.current();
        if (carrier == null || !carrier.takeGiveWay()) return;
        Agent.lower(); // R1
        carrier.sliceWasLong();
        if (!StackRoom.hasMore()) return; // O4 of StackRoom
        if (Thread.currentThread().isVirtual()) Thread.yield();
        else if (Stack.top() instanceof FiberStack own && LightFrames.holdNoLock()) own.tryLeave();
    }
}
