package dev.coir.executor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariants T1 to T3 of {@link Strand}, over inner executors of every temper. */
public final class StrandStress {
    private StrandStress() {}

    /** Work that notices when it does not run alone, one at a time, each seeing the last. */
    private static final class Solitary {
        private int runs; // plain on purpose: the strand is what guards it
        private int inside; // likewise
        private int overlaps;

        void run() {
            if (++inside != 1) overlaps++;
            runs++;
            inside--;
        }
    }

    /** What became of one submission: 10 when it was refused, plus the number of times its task ran. */
    private static final class Fate {
        private int runs; // plain on purpose
        private boolean refused; // the submitter's

        void submitTo(Executor strand) {
            try {
                strand.execute(() -> runs++);
            } catch (RejectedExecutionException refusal) {
                refused = true;
            }
        }

        int number() {
            return (refused ? 10 : 0) + runs;
        }
    }

    private static void refuse(Runnable turn) {
        throw new RejectedExecutionException("refused: " + turn);
    }

    /** T1. Two submit, and the inner executor runs the turn on the spot: does one task run at a time, and each once? */
    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "four runs, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, or two at once")
    @State
    public static class MutualExclusion {
        private final Strand strand = Strand.over(Runnable::run);
        private final Solitary work = new Solitary();

        @Actor
        public void first() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Actor
        public void second() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }

    /** T1. The same when either submitter may run the other's turn, through a {@link ManualExecutor}. */
    @JCStressTest
    @Outcome(id = "4, 0, 0", expect = ACCEPTABLE, desc = "four runs, no two at once, nothing left queued")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, or two at once")
    @State
    public static class TurnsHandedOver {
        private final ManualExecutor inner = new ManualExecutor();
        private final Strand strand = Strand.over(inner);
        private final Solitary work = new Solitary();

        @Actor
        public void first() {
            submitAndHelp();
        }

        @Actor
        public void second() {
            submitAndHelp();
        }

        private void submitAndHelp() {
            strand.execute(work::run);
            inner.drain();
            strand.execute(work::run);
            inner.drain();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r1 = work.runs;
            r.r2 = work.overlaps;
            r.r3 = inner.size();
        }
    }

    /** T1. One only submits, the other only runs turns: is anything lost when the strand goes idle meanwhile? */
    @JCStressTest
    @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "three runs, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, or two at once")
    @State
    public static class SubmitAgainstGoingIdle {
        private final ManualExecutor inner = new ManualExecutor();
        private final Strand strand = Strand.over(inner);
        private final Solitary work = new Solitary();

        public SubmitAgainstGoingIdle() {
            strand.execute(work::run);
        }

        @Actor
        public void submitter() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Actor
        public void runner() {
            inner.drain();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            inner.drain();
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }

    /** T2. Two tasks from two threads: does the later see what the earlier wrote? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "the second saw the first")
    @Outcome(expect = FORBIDDEN, desc = "neither saw the other")
    @State
    public static class EachTaskSeesTheLast {
        private final Strand strand = Strand.over(Runnable::run);
        private int runs;
        private int first;
        private int second;

        @Actor
        public void first() {
            strand.execute(() -> first = ++runs);
        }

        @Actor
        public void second() {
            strand.execute(() -> second = ++runs);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = first;
            r.r2 = second;
        }
    }

    /** T1 to T3 through two strands, one over the other: the outer's turn is itself a task in the inner's mailbox. */
    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "four runs, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, or two at once")
    @State
    public static class StrandOverStrand {
        private final Strand strand = Strand.over(Strand.over(Runnable::run));
        private final Solitary work = new Solitary();

        @Actor
        public void first() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Actor
        public void second() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }

    /** T3. The inner executor refuses all: does each task run once if it was not refused, and never if it was? */
    @JCStressTest
    @Outcome(id = "10, 10", expect = ACCEPTABLE, desc = "both refused")
    @Outcome(
            id = {"10, 1", "1, 10"},
            expect = ACCEPTABLE,
            desc = "one refused; it ran the other's task first")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, run twice, or refused and yet run")
    @State
    public static class AllRefused {
        private final Strand strand = Strand.over(StrandStress::refuse);
        private final Fate first = new Fate();
        private final Fate second = new Fate();

        @Actor
        public void first() {
            first.submitTo(strand);
        }

        @Actor
        public void second() {
            second.submitTo(strand);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = first.number();
            r.r2 = second.number();
        }
    }

    /** T3. The inner executor refuses the first turn only: does the other task run, once? */
    @JCStressTest
    @Outcome(
            id = {"10, 1", "1, 10"},
            expect = ACCEPTABLE,
            desc = "one refused, the other run")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, run twice, or refused and yet run")
    @State
    public static class FirstRefused {
        private final AtomicBoolean refusedOne = new AtomicBoolean();
        private final Strand strand = Strand.over(turn -> {
            if (refusedOne.compareAndSet(false, true)) refuse(turn);
            turn.run();
        });
        private final Fate first = new Fate();
        private final Fate second = new Fate();

        @Actor
        public void first() {
            first.submitTo(strand);
        }

        @Actor
        public void second() {
            second.submitTo(strand);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = first.number();
            r.r2 = second.number();
        }
    }

    /** T1. The inner executor runs each turn and then throws all the same: does each task still run once? */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or run twice")
    @State
    public static class RunAndYetRefused {
        private final Strand strand = Strand.over(turn -> {
            turn.run();
            refuse(turn);
        });
        private final Fate first = new Fate();
        private final Fate second = new Fate();

        @Actor
        public void first() {
            first.submitTo(strand);
            first.submitTo(strand);
        }

        @Actor
        public void second() {
            second.submitTo(strand);
            second.submitTo(strand);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = first.runs;
            r.r2 = second.runs;
        }
    }

    /** T1. A turn of more than a thousand tasks is passed on while another submits: does each task run once, alone? */
    @JCStressTest
    @Outcome(id = "1002, 0", expect = ACCEPTABLE, desc = "all ran, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, run twice, or two at once")
    @State
    public static class LongTurnPassedOn {
        private final ManualExecutor inner = new ManualExecutor();
        private final Strand strand = Strand.over(inner);
        private final Solitary work = new Solitary();

        public LongTurnPassedOn() {
            for (int i = 0; i < 1001; i++) strand.execute(work::run);
        }

        @Actor
        public void runner() {
            inner.drain();
        }

        @Actor
        public void submitter() {
            strand.execute(work::run);
            inner.drain();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            inner.drain();
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }

    /** T4. The same when the inner executor runs the passed turn at once, so that it comes back to the runner. */
    @JCStressTest
    @Outcome(id = "1002, 0", expect = ACCEPTABLE, desc = "all ran, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, run twice, or two at once")
    @State
    public static class LongTurnComesBack {
        private final ManualExecutor queue = new ManualExecutor();
        private boolean atOnce; // written before the actors start
        private final Strand strand = Strand.over(turn -> {
            if (atOnce) turn.run();
            else queue.execute(turn);
        });
        private final Solitary work = new Solitary();

        public LongTurnComesBack() {
            for (int i = 0; i < 1001; i++) strand.execute(work::run);
            atOnce = true;
        }

        @Actor
        public void runner() {
            queue.drain();
        }

        @Actor
        public void submitter() {
            strand.execute(work::run);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }

    /** T1, T3. The inner executor accepts a turn and then throws: does the submitter leave later turns alone? */
    @JCStressTest
    @Outcome(id = "10, 1", expect = ACCEPTABLE, desc = "withdrawn; the other task ran")
    @Outcome(id = "11, 1", expect = ACCEPTABLE, desc = "run, although the inner executor threw; the other task ran")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or run twice")
    @State
    public static class AcceptedAndYetRefused {
        private final ManualExecutor queue = new ManualExecutor();
        private final AtomicBoolean refusedOne = new AtomicBoolean();
        private final Strand strand = Strand.over(turn -> {
            boolean first = refusedOne.compareAndSet(false, true); // the refused actor's: the runner waits for a turn
            queue.execute(turn);
            if (first) refuse(turn);
        });
        private final Fate refused = new Fate();
        private final Fate other = new Fate();

        @Actor
        public void refused() {
            refused.submitTo(strand);
        }

        @Actor
        public void runner() {
            while (queue.isEmpty()) Thread.onSpinWait();
            queue.drain();
            other.submitTo(strand);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            queue.drain();
            r.r1 = refused.number();
            r.r2 = other.number();
        }
    }

    /** T1. The inner executor runs each turn twice: does each task still run once, alone? */
    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "four runs, no two at once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, run twice, or two at once")
    @State
    public static class TurnsRunTwice {
        private final Strand strand = Strand.over(turn -> {
            turn.run();
            turn.run();
        });
        private final Solitary work = new Solitary();

        @Actor
        public void first() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Actor
        public void second() {
            strand.execute(work::run);
            strand.execute(work::run);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = work.runs;
            r.r2 = work.overlaps;
        }
    }
}
