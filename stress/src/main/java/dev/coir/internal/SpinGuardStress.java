package dev.coir.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link SpinGuard}: one holder at a time, and each sees what the last wrote. */
public final class SpinGuardStress {
    private SpinGuardStress() {}

    /** Two count what the guard guards: is every step there? */
    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "four steps, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "two held it at once, or one did not see the other's step")
    @State
    public static class MutualExclusion {
        private final SpinGuard guard = new SpinGuard();
        private int steps; // plain on purpose
        private int inside; // likewise
        private int overlaps;

        @Actor
        public void first() {
            step();
            step();
        }

        @Actor
        public void second() {
            step();
            step();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = steps;
            r.r2 = overlaps;
        }

        private void step() {
            guard.acquire();
            try {
                if (++inside != 1) overlaps++;
                steps++;
                inside--;
            } finally {
                guard.release();
            }
        }
    }
}
