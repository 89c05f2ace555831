package dev.coir.internal.sched;

import dev.coir.internal.Stack;
import java.util.function.Predicate;

/** What is done around a call that blocks its thread: another gets the slot meanwhile, and afterwards it gets one again. */
public final class Handoff {
    private Handoff() {}

    /**
     * The calling task is about to block its thread: another runs the tasks meanwhile, if there may be one.
     *
     * @return false when nothing was done: it runs on no thread of a scheduler's own, or too many are blocked already
     */
    public static boolean beginBlocking() {
        return onThisCarrier(Handoff::tryGive);
    }

    /**
     * Whether the calling task's thread has, or gets back at once, the right to run tasks.
     *
     * @return false when the task must give the thread up, or {@link #awaitSlot}
     */
    public static boolean tryEndBlocking() {
        return onThisCarrier(Handoff::tryKeepOrTakeBack);
    }

    /**
     * Does something with the carrier underneath. A virtual thread stays on it meanwhile: else it might go on with the slot
     * of another.
     */
    private static boolean onThisCarrier(Predicate<Carrier> action) {
        boolean pinned = Stack.stay();
        try {
            Carrier here = Carrier.current();
            return here != null && action.test(here);
        } finally {
            Stack.mayLeave(pinned);
        }
    }

    /** Says that this slice may block, and gives the slot away if there is a thread to give it to. The carrier's thread only. */
    static boolean tryGive(Carrier carrier) {
        if (!carrier.canHandOff()) return false;
        carrier.declaredIn = carrier.slicesEnded();
        carrier.errands.runAll();
        if (carrier.group.slots.handOff(carrier)) return true;
        carrier.group.core.reportExhausted(carrier);
        return false;
    }

    private static boolean tryKeepOrTakeBack(Carrier carrier) {
        return carrier.hold() != Slots.NONE || carrier.group.slots.tryTakeBack(carrier);
    }

    /**
     * Waits until the calling thread may run tasks again. Inside a task that cannot be suspended.
     *
     * @param carrier the calling thread's
     */
    public static void awaitSlot(Carrier carrier) {
        if (!tryKeepOrTakeBack(carrier)) carrier.group.slots.awaitInside(carrier);
    }
}
