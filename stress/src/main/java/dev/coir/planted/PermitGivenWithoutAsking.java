package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: a permit is given to the first in line without asking whether it still waits. */
public final class PermitGivenWithoutAsking {
    private final AtomicInteger permits = new AtomicInteger();
    private volatile boolean waiting = true;
    private volatile boolean granted;

    public void release() {
        if (waiting) granted = true;
        else permits.incrementAndGet();
    }

    /** The waiter's time is up. */
    public boolean giveUp() {
        if (granted) return false;
        waiting = false;
        return true;
    }

    /** LineStress.PermitAgainstTimeout, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "taken, or still there")
    @Outcome(expect = FORBIDDEN, desc = "lost")
    @State
    public static class Planted {
        private final PermitGivenWithoutAsking semaphore = new PermitGivenWithoutAsking();

        @Actor
        public void releases() {
            semaphore.release();
        }

        @Actor
        public void hasLittleTime(II_Result r) {
            r.r1 = semaphore.giveUp() ? 0 : 1;
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = semaphore.permits.get();
        }
    }
}
