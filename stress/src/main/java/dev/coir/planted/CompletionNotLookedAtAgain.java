package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: who waits looks for the outcome first and joins after. If the outcome comes between, it is never told. */
public final class CompletionNotLookedAtAgain {
    private final AtomicBoolean outcome = new AtomicBoolean();
    private final AtomicBoolean waiter = new AtomicBoolean();

    /** Whether somebody was told. */
    public boolean complete() {
        outcome.set(true);
        return waiter.get();
    }

    /** Whether the caller is now waiting to be told. */
    public boolean push() {
        return !outcome.get() && waiter.compareAndSet(false, true);
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
        private final CompletionNotLookedAtAgain completion = new CompletionNotLookedAtAgain();

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
