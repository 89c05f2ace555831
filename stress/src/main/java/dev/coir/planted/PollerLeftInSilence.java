package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: who leaves the poller relies on those who search, though they may have stopped while it was taken. */
public final class PollerLeftInSilence {
    private volatile boolean owned = true;
    private volatile boolean searching = true;

    /** Whether the owner wakes a sleeper. */
    public boolean leave() {
        boolean alone = !searching;
        owned = false;
        return alone;
    }

    /** Whether the last searcher does. */
    public boolean stopSearching() {
        searching = false;
        return !owned;
    }

    /** CarrierStress.LeavingAgainstStopping, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "one of them wakes the sleeper")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and nobody polls")
    @State
    public static class Planted {
        private final PollerLeftInSilence group = new PollerLeftInSilence();

        @Actor
        public void leaver(ZZ_Result r) {
            r.r1 = group.leave();
        }

        @Actor
        public void searcher(ZZ_Result r) {
            r.r2 = group.stopSearching();
        }
    }
}
