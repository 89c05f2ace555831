package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: whether the timer is still set is looked at outside the guard under which it is then taken out. */
public final class TimerLookedAtThenTaken {
    private volatile boolean set = true;

    /** Whether the caller took it out; both who cancel and who fire do it this way. */
    public boolean takeOut() {
        if (!set) return false;
        synchronized (this) {
            set = false;
        }
        return true;
    }

    /** TimersStress.CancelAgainstFire, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "cancelled or fired")
    @Outcome(expect = FORBIDDEN, desc = "cancelled and yet fired")
    @State
    public static class Planted {
        private final TimerLookedAtThenTaken timer = new TimerLookedAtThenTaken();

        @Actor
        public void canceller(ZZ_Result r) {
            r.r1 = timer.takeOut();
        }

        @Actor
        public void worker(ZZ_Result r) {
            r.r2 = timer.takeOut();
        }
    }
}
