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
 * The mistake: who counted a searcher and found nobody to wake uncounts it and goes, without a second look. Who submitted
 * meanwhile relied on that searcher.
 */
public final class ClaimForgotten {
    private final AtomicLong sleepers = new AtomicLong();
    private final AtomicInteger searchers = new AtomicInteger();

    public boolean claim() {
        if (!searchers.compareAndSet(0, 1)) return false;
        if (sleepers.compareAndSet(1, 0)) return true;
        searchers.getAndAdd(-1);
        return false;
    }

    public void announceSleep() {
        sleepers.getAndSet(1);
    }

    /** WakePolicyStress.ClaimForNobody, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them wakes the sleeper")
    @Outcome(expect = FORBIDDEN, desc = "nobody wakes it")
    @State
    public static class Planted {
        private final ClaimForgotten policy = new ClaimForgotten();

        @Actor
        public void claimer(ZZ_Result r) {
            r.r1 = policy.claim();
        }

        @Actor
        public void sleeperThenSubmitter(ZZ_Result r) {
            policy.announceSleep();
            r.r2 = policy.claim();
        }
    }
}
