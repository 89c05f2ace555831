package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.internal.wait.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: a select stands in each channel with a wait of its own, so that two senders may both believe they were chosen. */
public final class SelectWithAWaitPerPlace {
    private static final class Place extends Waiter {
        Place() {
            super("spinning");
        }
    }

    private final Place inA = new Place();
    private final Place inB = new Place();

    public boolean sendToA() {
        return inB.isWaiting() && inA.trySignal();
    }

    public boolean sendToB() {
        return inA.isWaiting() && inB.trySignal();
    }

    /** SelectStress.TwoSenders, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one was chosen")
    @Outcome(expect = FORBIDDEN, desc = "both: one value is lost")
    @State
    public static class Planted {
        private final SelectWithAWaitPerPlace select = new SelectWithAWaitPerPlace();

        @Actor
        public void toA(ZZ_Result r) {
            r.r1 = select.sendToA();
        }

        @Actor
        public void toB(ZZ_Result r) {
            r.r2 = select.sendToB();
        }
    }
}
