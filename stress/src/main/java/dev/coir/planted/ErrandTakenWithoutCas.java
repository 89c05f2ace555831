package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: who runs an errand, and who takes it back, look at the state and then write it, instead of one compare-and-set. */
public final class ErrandTakenWithoutCas {
    private volatile boolean left = true;

    public boolean take() {
        if (!left) return false;
        left = false;
        return true;
    }

    /** ErrandStress.RunAgainstTakeBack, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them has it")
    @Outcome(expect = FORBIDDEN, desc = "both have it")
    @State
    public static class Planted {
        private final ErrandTakenWithoutCas errand = new ErrandTakenWithoutCas();

        @Actor
        public void carrier(ZZ_Result r) {
            r.r1 = errand.take();
        }

        @Actor
        public void party(ZZ_Result r) {
            r.r2 = errand.take();
        }
    }
}
