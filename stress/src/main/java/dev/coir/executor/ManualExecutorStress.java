package dev.coir.executor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link ManualExecutor}: any thread adds, and nothing breaks when several run. */
public final class ManualExecutorStress {
    private ManualExecutorStress() {}

    /** Two threads run the same queue: does each task run once? */
    @JCStressTest
    @Outcome(
            id = {"1, 1, 1"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or run twice")
    @State
    public static class TwoRunners {
        private final ManualExecutor executor = new ManualExecutor();
        private final int[] runs = new int[3];

        public TwoRunners() {
            for (int i = 0; i < runs.length; i++) {
                int task = i;
                executor.execute(() -> runs[task]++);
            }
        }

        @Actor
        public void first() {
            executor.drain();
        }

        @Actor
        public void second() {
            executor.drain();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r1 = runs[0];
            r.r2 = runs[1];
            r.r3 = runs[2];
        }
    }

    /** Does the running thread see what the adding one wrote before it added? */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not added yet")
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "added and seen")
    @Outcome(expect = FORBIDDEN, desc = "the task ran without what was written before it")
    @State
    public static class Publication {
        private final ManualExecutor executor = new ManualExecutor();
        private int written;
        private int seen;

        @Actor
        public void adder() {
            written = 7;
            executor.execute(() -> seen = written);
        }

        @Actor
        public void runner(II_Result r) {
            r.r1 = executor.drain();
            r.r2 = seen;
        }
    }
}
