package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: who begins says so without a fence, and who cancels interrupts only one that has begun. */
public final class OnlyWhoHasBegunIsInterrupted {
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean cancelled;

    /** Whether its body runs. */
    public boolean begin() {
        begun.setOpaque(true);
        return !cancelled;
    }

    /** Whether it was interrupted. */
    public boolean cancel() {
        cancelled = true;
        return begun.getOpaque();
    }

    /** LightFiberStress.CancelAgainstBegin, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"false, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "it never runs, or is interrupted")
    @Outcome(expect = FORBIDDEN, desc = "it runs and does not learn of it")
    @State
    public static class Planted {
        private final OnlyWhoHasBegunIsInterrupted fiber = new OnlyWhoHasBegunIsInterrupted();

        @Actor
        public void itsThread(ZZ_Result r) {
            r.r1 = fiber.begin();
        }

        @Actor
        public void canceller(ZZ_Result r) {
            r.r2 = fiber.cancel();
        }
    }
}
