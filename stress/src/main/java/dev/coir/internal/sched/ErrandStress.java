package dev.coir.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** The invariants F1 and F2 of {@link Errand}, and D1 of {@link Errands}. */
public final class ErrandStress {
    private ErrandStress() {}

    private static Errands none() {
        return new Errands(failure -> {
            throw new AssertionError(failure);
        });
    }

    /** Counts how often it was run, in a field that only whoever has it may touch. */
    private static final class Counted extends Errand {
        private final boolean leavesRest;
        int runs;
        int reminders;

        Counted(boolean leavesRest) {
            this.leavesRest = leavesRest;
        }

        @Override
        protected boolean run() {
            runs++;
            return !leavesRest;
        }

        @Override
        protected void ended(boolean all) {
            if (!all) reminders++;
        }
    }

    /** F1. The party takes it back while it is run: does exactly one of them do it, and does the party see what was done? */
    @JCStressTest
    @Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "it was run")
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "it was taken back")
    @Outcome(expect = FORBIDDEN, desc = "done twice, not at all, or out of sight")
    @State
    public static class RunAgainstTakeBack {
        private final Errands errands = none();
        private final Counted errand = new Counted(false);

        public RunAgainstTakeBack() {
            errand.leaveTo(errands);
        }

        @Actor
        public void carrier() {
            errands.runAll();
        }

        @Actor
        public void party(ZII_Result r) {
            r.r1 = errand.takeBack();
            r.r2 = errand.runs;
        }
    }

    /** F1. The same with an errand that is not done by one attempt. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = ACCEPTABLE, desc = "it was run; the party must do the rest, and is reminded")
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "it was taken back")
    @Outcome(expect = FORBIDDEN, desc = "what was left is forgotten")
    @State
    public static class RestAgainstTakeBack {
        private final Errands errands = none();
        private final Counted errand = new Counted(true);

        public RestAgainstTakeBack() {
            errand.leaveTo(errands);
        }

        @Actor
        public void carrier() {
            errands.runAll();
        }

        @Actor
        public void party(ZII_Result r) {
            r.r1 = errand.takeBack();
            r.r2 = errand.runs;
        }

        @Arbiter
        public void after(ZII_Result r) {
            r.r3 = errand.reminders;
        }
    }

    /** D1. The carrier and the monitor take the list at once: is each errand run, and once? */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or never")
    @State
    public static class CarrierAgainstMonitor {
        private final Errands errands = none();
        private final Counted first = new Counted(false);
        private final Counted second = new Counted(false);

        public CarrierAgainstMonitor() {
            first.leaveTo(errands);
            second.leaveTo(errands);
            errands.runNeglected(0, 1); // its first look
        }

        @Actor
        public void carrier() {
            errands.runAll();
        }

        @Actor
        public void monitor() {
            errands.runNeglected(1, 1);
        }

        @Arbiter
        public void after(II_Result r) {
            errands.runAll();
            r.r1 = first.runs;
            r.r2 = second.runs;
        }
    }

    /** D1. One is left while the list is taken: is it run then or later? */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or never")
    @State
    public static class LeaveAgainstMonitor {
        private final Errands errands = none();
        private final Counted first = new Counted(false);
        private final Counted second = new Counted(false);

        public LeaveAgainstMonitor() {
            first.leaveTo(errands);
            errands.runNeglected(0, 1); // its first look
        }

        @Actor
        public void carrier() {
            second.leaveTo(errands);
        }

        @Actor
        public void monitor() {
            errands.runNeglected(1, 1);
        }

        @Arbiter
        public void after(II_Result r) {
            errands.runAll();
            r.r1 = first.runs;
            r.r2 = second.runs;
        }
    }

    /** F2, D1. The party takes it back and leaves it again, if it can, while somebody is about to run it: is it done once each time? */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "left twice, done twice")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it still stood in the list, and was left once")
    @Outcome(expect = FORBIDDEN, desc = "done too often, or forgotten")
    @State
    public static class LeftAgain {
        private final Errands errands = none();
        private final Errands others = none();
        private final Counted errand = new Counted(false);
        private int byHand; // the party
        private int left = 1; // the party

        public LeftAgain() {
            errand.leaveTo(errands);
            errands.runNeglected(0, 1); // its first look
        }

        @Actor
        public void monitor() {
            errands.runNeglected(1, 1);
        }

        @Actor
        public void party() {
            if (errand.takeBack()) byHand++;
            if (errand.listed) return;
            left++;
            errand.leaveTo(others);
        }

        @Arbiter
        public void after(II_Result r) {
            others.runAll();
            r.r1 = left;
            r.r2 = byHand + errand.runs;
        }
    }
}
