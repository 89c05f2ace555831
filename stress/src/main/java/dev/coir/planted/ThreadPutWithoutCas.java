package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: whoever finds no thread makes one and puts it there, without looking whether another was first. */
public final class ThreadPutWithoutCas {
    private volatile @Nullable Integer thread;

    /** Its thread, which is made if there is none yet. */
    public int stack(int mine) {
        Integer seen = thread;
        if (seen != null) return seen;
        thread = mine;
        return mine;
    }

    /** VirtualFiberStress.AskAgainstBegin, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "2, 2"},
            expect = ACCEPTABLE,
            desc = "what was asked for runs")
    @Outcome(expect = FORBIDDEN, desc = "another runs")
    @State
    public static class Planted {
        private final ThreadPutWithoutCas fiber = new ThreadPutWithoutCas();

        @Actor
        public void itsCarrier(II_Result r) {
            r.r1 = fiber.stack(1);
        }

        @Actor
        public void asker(II_Result r) {
            r.r2 = fiber.stack(2);
        }
    }
}
