package dev.coir.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A carrier's hold on a slot, and what {@link Slots} remembers of it. A superclass and no object of its own: the hold is read
 * between any two slices.
 */
abstract class SlotHolder extends dev.coir.internal.Padded {
    private static final VarHandle HOLD;

    static {
        try {
            HOLD = MethodHandles.lookup().findVarHandle(SlotHolder.class, "hold", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int hold; // on a slot; who moves it: see Slots
    volatile long declaredIn =
            -1; // the slice in which a blocking call was declared last; written by the carrier's thread
    volatile boolean atRest; // stands among the spares; written under the lock of group.slots
    boolean claiming; // stood among the claimants last, not the spares; guarded by group.slots
    boolean begun; // has used the slot it holds; guarded by group.slots
    boolean retired; // its thread ends; guarded by group.slots
    boolean anchored; // must not retire; guarded by group.slots

    @Nullable
    Carrier standIn; // who got the slot that this one gave up last; guarded by group.slots

    final int hold() {
        return hold;
    }

    final void setHold(int to) {
        hold = to;
    }

    final boolean casHold(int from, int to) {
        return HOLD.compareAndSet(this, from, to);
    }

    /** Whether the carrier's thread, which is between two slices, may run another. That thread only. */
    final boolean keepsSlot() {
        int seen = hold; // after the slice was counted: L2 of Slots
        return seen == Slots.HELD || (seen == Slots.ASKED && (casHold(Slots.ASKED, Slots.HELD) || hold == Slots.HELD));
    }
}
