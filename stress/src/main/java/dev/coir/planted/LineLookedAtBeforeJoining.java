package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: who finds the lock taken joins the line, and does not try once more: it may have been freed meanwhile. */
public final class LineLookedAtBeforeJoining {
    private final AtomicBoolean held = new AtomicBoolean(true);
    private volatile boolean somebodyInLine;
    private volatile boolean woken;

    /** Whether it was got at once. */
    public boolean tryOrJoin() {
        if (held.compareAndSet(false, true)) return true;
        somebodyInLine = true;
        return false;
    }

    public void release() {
        held.set(false);
        if (somebodyInLine) woken = true;
    }

    /** LineStress.ReleaseAgainstJoin, which must fail; as a flag, not as a hang. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "got at once, or woken")
    @Outcome(expect = FORBIDDEN, desc = "it is free, and somebody waits for it for ever")
    @State
    public static class Planted {
        private final LineLookedAtBeforeJoining line = new LineLookedAtBeforeJoining();

        @Actor
        public void releases() {
            line.release();
        }

        @Actor
        public void joins(ZZ_Result r) {
            r.r1 = line.tryOrJoin();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r2 = line.woken;
        }
    }
}
