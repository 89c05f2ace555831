package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The mistake: the monitor asks for the slot and looks at the number of slices at once, without bringing the carrier's thread
 * to a safe point between. The carrier counts its slice and looks at the hold without a fence, so its look may come first.
 */
public final class SlotTakenWithoutSafePoint {
    private static final int HELD = 0;
    private static final int ASKED = 1;
    private static final int NONE = 2;

    private final AtomicLong slices = new AtomicLong();
    private final AtomicInteger hold = new AtomicInteger(HELD);

    /** Ends the slice. @return whether the carrier may run on */
    public boolean end() {
        slices.setOpaque(1);
        return hold.get() == HELD || hold.compareAndSet(ASKED, HELD) || hold.get() == HELD;
    }

    /** Takes the slot, if the slice has not ended. @return whether it did */
    public boolean take() {
        if (!hold.compareAndSet(HELD, ASKED)) return false;
        if (slices.getOpaque() == 0) return hold.compareAndSet(ASKED, NONE);
        hold.compareAndSet(ASKED, HELD);
        return false;
    }

    /** SlotsStress.TakeAgainstEnd, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them has the slot")
    @Outcome(expect = FORBIDDEN, desc = "both have it, or nobody has")
    @State
    public static class Planted {
        private final SlotTakenWithoutSafePoint slot = new SlotTakenWithoutSafePoint();

        @Actor
        public void carrier(ZZ_Result r) {
            r.r1 = slot.end();
        }

        @Actor
        public void monitor(ZZ_Result r) {
            r.r2 = slot.take();
        }
    }
}
