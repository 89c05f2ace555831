package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: head is read and then written, instead of moved by compare-and-set. */
public final class RingWithPlainHead {
    private final int[] slots = {1, 2, 3, 4};
    private volatile long head;

    /** The oldest task, or 0. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the planted mistake
    public int take() {
        long h = head;
        if (h == slots.length) return 0;
        head = h + 1;
        return slots[(int) h];
    }

    /** RunRingStress.OwnerAgainstThief, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task taken twice")
    @State
    public static class Planted {
        private final RingWithPlainHead ring = new RingWithPlainHead();

        @Actor
        public void owner(II_Result r) {
            r.r1 = ring.take();
        }

        @Actor
        public void thief(II_Result r) {
            r.r2 = ring.take();
        }
    }
}
