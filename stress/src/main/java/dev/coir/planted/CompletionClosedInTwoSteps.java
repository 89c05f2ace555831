package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: the completer reads who waits and then closes the list. Who came between is never told. */
public final class CompletionClosedInTwoSteps {
    private static final int NOBODY = 0;
    private static final int WAITING = 1;
    private static final int CLOSED = 2;
    private final AtomicInteger waiters = new AtomicInteger(NOBODY);

    /** Whether somebody was told. */
    public boolean complete() {
        int seen = waiters.get();
        waiters.set(CLOSED);
        return seen == WAITING;
    }

    /** Whether the caller is now waiting to be told. */
    public boolean push() {
        return waiters.compareAndSet(NOBODY, WAITING);
    }

    /** CompletionStress.CompleteAgainstFollow, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false"},
            expect = ACCEPTABLE,
            desc = "told, or it saw the outcome")
    @Outcome(expect = FORBIDDEN, desc = "never told")
    @State
    public static class Planted {
        private final CompletionClosedInTwoSteps completion = new CompletionClosedInTwoSteps();

        @Actor
        public void completer(ZZ_Result r) {
            r.r1 = completion.complete();
        }

        @Actor
        public void follower(ZZ_Result r) {
            r.r2 = completion.push();
        }
    }
}
