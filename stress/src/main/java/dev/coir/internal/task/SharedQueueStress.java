package dev.coir.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The invariant Q1 of {@link SharedQueue}, and that a sheaf is taken once and whole. */
public final class SharedQueueStress {
    private SharedQueueStress() {}

    private static Sheaf sheaf() {
        return Sheaf.of(new Numbered(1), new Numbered(2), new Numbered(3));
    }

    private static int digits(@Nullable Task element) {
        int digits = 0;
        while (element instanceof Sheaf sheaf && sheaf.size() != 0)
            digits = 10 * digits + Numbered.number(sheaf.takeFirst());
        return digits;
    }

    /** Two take and there is one sheaf: does one get it, whole? */
    @JCStressTest
    @Outcome(
            id = {"123, 0, 0", "0, 123, 0"},
            expect = ACCEPTABLE,
            desc = "one of them, and the queue is empty")
    @Outcome(expect = FORBIDDEN, desc = "both, none, or in part")
    @State
    public static class TwoTakers {
        private final SharedQueue queue = new SharedQueue(4);

        public TwoTakers() {
            queue.add(sheaf());
        }

        @Actor
        public void first(III_Result r) {
            r.r1 = digits(queue.take());
        }

        @Actor
        public void second(III_Result r) {
            r.r2 = digits(queue.take());
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = queue.size();
        }
    }

    /** Q1. A sheaf is added and taken: is it seen whole, and is the size never less than what stands there? */
    @JCStressTest
    @Outcome(id = "0, 0, 3", expect = ACCEPTABLE, desc = "looked before")
    @Outcome(id = "0, 3, 3", expect = ACCEPTABLE, desc = "looked while it was being added")
    @Outcome(id = "123, 0, 0", expect = ACCEPTABLE, desc = "taken")
    @Outcome(expect = FORBIDDEN, desc = "torn, or counted wrongly")
    @State
    public static class AddAgainstTake {
        private final SharedQueue queue = new SharedQueue(4);

        @Actor
        public void submitter() {
            queue.add(sheaf());
        }

        @Actor
        public void worker(III_Result r) {
            r.r1 = digits(queue.take());
            r.r2 = queue.size();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = queue.size();
        }
    }

    /** Does the taker see what the submitter wrote before it added? */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not added yet")
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "taken and seen")
    @Outcome(expect = FORBIDDEN, desc = "taken without what was written before")
    @State
    public static class Publication {
        private final SharedQueue queue = new SharedQueue(4);
        private final Numbered task = new Numbered(1);

        @Actor
        public void submitter() {
            task.payload = 7;
            queue.add(task);
        }

        @Actor
        public void worker(II_Result r) {
            if (!(queue.take() instanceof Numbered taken)) return;
            r.r1 = taken.number;
            r.r2 = taken.payload;
        }
    }

    /** Two reserve the last place: does exactly one get it? */
    @JCStressTest
    @Outcome(
            id = {"true, false, 2", "false, true, 2"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class LastPlace {
        private final SharedQueue queue = new SharedQueue(2);

        public LastPlace() {
            queue.tryReserve(1);
        }

        @Actor
        public void first(ZZI_Result r) {
            r.r1 = queue.tryReserve(1);
        }

        @Actor
        public void second(ZZI_Result r) {
            r.r2 = queue.tryReserve(1);
        }

        @Arbiter
        public void afterwards(ZZI_Result r) {
            r.r3 = queue.size();
        }
    }

    /** Q1. A batch that is too large is refused: does a single task get its place all the same? */
    @JCStressTest
    @Outcome(id = "false, true, 2", expect = ACCEPTABLE, desc = "the batch is refused, the task is not")
    @Outcome(expect = FORBIDDEN, desc = "the refused batch took room from the task")
    @State
    public static class RefusedBatch {
        private final SharedQueue queue = new SharedQueue(2);

        public RefusedBatch() {
            queue.tryReserve(1);
        }

        @Actor
        public void batch(ZZI_Result r) {
            r.r1 = queue.tryReserve(2);
        }

        @Actor
        public void task(ZZI_Result r) {
            r.r2 = queue.tryReserve(1);
        }

        @Arbiter
        public void afterwards(ZZI_Result r) {
            r.r3 = queue.size();
        }
    }
}
