package dev.coir.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The invariant L2 of {@link Slots}: no slot is taken from a carrier that has ended its slice and runs on. */
public final class SlotsStress {
    private SlotsStress() {}

    /**
     * A blocked call returns while the monitor takes the slot. The carrier's side is the real code; the monitor's steps are
     * written out here, as Monitor.takeSlot and Slots.take do them.
     */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the slice has ended first: it keeps its slot")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the slot is taken, and the carrier notices")
    @Outcome(expect = FORBIDDEN, desc = "both run under one slot, or nobody does")
    @State
    public static class TakeAgainstEnd extends CarrierStress.Alone {
        private volatile @Nullable Thread holder;

        @Actor
        public void carrier(ZZ_Result r) {
            holder = Thread.currentThread();
            carrier.worker.countSlice();
            r.r1 = carrier.keepsSlot();
        }

        @Actor
        public void monitor(ZZ_Result r) {
            Thread thread = holder;
            if (thread == null || !carrier.casHold(Slots.HELD, Slots.ASKED)) return;
            thread.getStackTrace();
            if (carrier.slicesEnded() == 0) r.r2 = carrier.casHold(Slots.ASKED, Slots.NONE);
            else carrier.casHold(Slots.ASKED, Slots.HELD);
        }
    }
}
