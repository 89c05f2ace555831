package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: whether a wait still goes on is tested and then set, so a signal and a time-out may both believe they ended it. */
public final class WaiterTestedThenSet {
    private static final int WAITING = 0;
    private static final int SIGNALLED = 1;
    private static final int ABANDONED = 2;
    private volatile int state = WAITING;

    public boolean signal() {
        if (state != WAITING) return false;
        state = SIGNALLED;
        return true;
    }

    public boolean giveUp() {
        if (state != WAITING) return false;
        state = ABANDONED;
        return true;
    }

    /** WaiterStress.SignalAgainstTimeout, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "signalled or timed out")
    @Outcome(expect = FORBIDDEN, desc = "both: what was handed over is lost")
    @State
    public static class Planted {
        private final WaiterTestedThenSet waiter = new WaiterTestedThenSet();

        @Actor
        public void signaller(ZZ_Result r) {
            r.r1 = waiter.signal();
        }

        @Actor
        public void party(ZZ_Result r) {
            r.r2 = waiter.giveUp();
        }
    }
}
