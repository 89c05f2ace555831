package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: the last searcher looks whether there is more, and then stops counting as one. Work that comes between wakes nobody. */
public final class WorkLookedForBeforeStopping {
    private volatile boolean work;
    private volatile boolean searching = true;

    /** Whether the submitter wakes a sleeper. */
    public boolean submit() {
        work = true;
        return !searching;
    }

    /** Whether the searcher does. */
    public boolean stopSearching() {
        boolean more = work;
        searching = false;
        return more;
    }

    /** CarrierStress.SubmitAgainstFinding, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "one of them wakes the sleeper")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and the task waits")
    @State
    public static class Planted {
        private final WorkLookedForBeforeStopping group = new WorkLookedForBeforeStopping();

        @Actor
        public void submitter(ZZ_Result r) {
            r.r1 = group.submit();
        }

        @Actor
        public void finder(ZZ_Result r) {
            r.r2 = group.stopSearching();
        }
    }
}
