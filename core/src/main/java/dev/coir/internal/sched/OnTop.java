package dev.coir.internal.sched;

import dev.coir.internal.VmThread;
import dev.coir.internal.task.Task;
import org.jspecify.annotations.Nullable;

/**
 * Lets a fiber that has to wait stay on its thread's stack, while the next one of that thread runs on top of it. One per carrier, for its
 * thread only.
 */
public final class OnTop {
    /*
     * Whoever waits is saved, and put back when it has been woken: a switch. Two that wake each other need two for a round trip. Here the
     * first stays where it is, and the second is put on top. When that one waits in its turn it is saved, as always; and if
     * it has woken the first, that goes on at once: one switch for both. If it has not, the first is saved now.
     *
     *   below     1. peek at the next bound fiber   2. begin   3. enter its stack   4. end   5. woken? go on : be saved
     *   on top    1. too deep? leave again          2. run     3. wait: be saved; or end
     *
     * Q1. At most one is below, and it looks again as soon as the one on top has left: nobody is buried.
     * Q2. Both are bound to this thread. So the one below waits for nothing that it would not have to wait for in a queue: no other
     *     thread could run it meanwhile.
     * Q3. The one below could be saved: no native frame is on its stack. In a class initialiser it could not, and then it must block
     *     its thread; a fiber on top, on the same thread, would find the class half initialised and not wait for it.
     *     Nor does it hold a monitor, for the one on top would be saved with it (MonitorsBelow). It must not, by the contract of LIGHT
     *     fibers; but who breaks that should harm himself only.
     * Q4. The one below takes little of the stack. Only who is on top can see how much; it leaves again if that is too much.
     * Q5. The one below goes on ahead of those in the queue, but once: when it waits again, the first of them is next. And each time one is
     *     put on top, the worker's counts go on as if it had picked it. So nothing starves. Guarded by
     *     OnTopTest.nobodyStarvesBesideAPair and aPairGoesAheadOfOthersOnce.
     * Q6. It is tried while it pays. A server's fibers wait for the network and not for each other: there the one below is always saved in
     *     the end, and each try is a detour.
     * Q7. Between the look at the next fiber and its end on top no code of the user's runs but its own: nothing is cancelled there, for that may
     *     call back. So it is not done while the scheduler shuts down, and not for a fiber that no registry knows yet.
     * Guarded by OnTopTest; Q3 and Q4 by VmThreadTest as well.
     *
     * Rejected: the same for VIRTUAL fibers. They may run on any thread; one below would be kept from that, and for ever if the one on top
     *     blocks the thread to wait for it.
     */
    private static final boolean ALLOWED = Boolean.parseBoolean(System.getProperty("coir.onTop", "true"));
    private static final int LITTLE = 16 * 1024; // bytes
    private static final int ATTEMPTS = 8; // in vain, before it rests
    private static final int REST = 64; // waits

    private final Carrier carrier;
    private @Nullable VmThread thread; // set when the thread begins; null where the JVM does not tell
    private boolean taken; // one is below
    private long ground; // where its stack begins
    private int vain; // attempts in a row
    private int rest; // waits until it is tried again

    OnTop(Carrier carrier) {
        this.carrier = carrier;
    }

    /** The thread begins to work for the scheduler. */
    void begin() {
        if (ALLOWED) thread = VmThread.current();
    }

    /**
     * Whether a fiber that is about to wait should ask for a {@link #candidate}.
     *
     * @return false when it lies on top itself, or this does not pay
     */
    public boolean isWorthTrying() {
        if (rest > 0) {
            rest--;
            return false;
        }
        return !taken && thread != null;
    }

    /**
     * The task to put on top of the calling fiber, if it is one that may be.
     *
     * @return the task that would be picked next, bound to this thread, which stays queued; null for none
     */
    public @Nullable Task candidate() {
        VmThread here = thread;
        if (here == null || taken || !carrier.mayPickAhead() || carrier.core().isCancelling()) return null;
        if (here.isInNativeCall() || here.listsMonitors()) return null;
        return carrier.worker.peekBound();
    }

    /**
     * The calling fiber waits, and another is put on top of it.
     *
     * @param next what {@link #candidate} gave, now taken out of its queue
     * @return false when the slot was lost meanwhile: it stays queued, and {@link #end} follows at once
     */
    public boolean begin(Task next) {
        taken = true;
        if (thread != null) ground = thread.innermostEntry();
        carrier.turnTo(next);
        if (!carrier.mayPickAhead()) return false; // after the slice was counted: L2 of Slots
        carrier.worker.takePeeked(); // last: what throws before leaves it queued
        return true;
    }

    /**
     * What was on top has left, or ended.
     *
     * @param below the calling fiber, which runs again
     * @param woken whether it need not wait any more
     * @return whether it goes on; else it is to be saved
     */
    public boolean end(Task below, boolean woken) {
        taken = false;
        carrier.turnTo(below);
        if (!woken) {
            if (++vain >= ATTEMPTS) rest = REST;
            return false;
        }
        vain = 0;
        return carrier.mayPickAhead();
    }

    /**
     * Whether the calling fiber, just entered, lies on top of one that takes much of the stack: it should leave again.
     *
     * @return true when there is too little room
     */
    public boolean isTooDeep() {
        if (!taken || thread == null || ground - thread.innermostEntry() <= LITTLE) return false;
        rest = REST;
        return true;
    }

    /** Whether a fiber waits below the one that runs. */
    boolean isTaken() {
        return taken;
    }
}
