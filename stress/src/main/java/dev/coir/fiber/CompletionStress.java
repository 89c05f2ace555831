package dev.coir.fiber;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.executor.ManualExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The invariant F1 of {@link Completion}: one outcome, and everybody who waits gets it. */
public final class CompletionStress {
    private static final ManualExecutor NOBODY = new ManualExecutor();

    private CompletionStress() {}

    /** A fiber that never runs: only what is its outcome's is looked at. */
    private static Completion<Integer> unstarted() {
        return Fiber.builder().on(NOBODY).kind(Fiber.Kind.LIGHT).unstarted(() -> 0);
    }

    /** What the future holds now, 0 when nothing yet. */
    private static int now(CompletableFuture<Integer> future) {
        return future.getNow(0);
    }

    /** The result if it is there at once, else 0. Leaves, as any time-out does, by sweeping the waiters. */
    private static int impatientGet(Completion<Integer> completion) {
        try {
            return completion.result("a test", 0, TimeUnit.NANOSECONDS);
        } catch (TimeoutException tooEarly) {
            return 0;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** Two complete: does one win, and is the outcome the winner's? */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first")
    @Outcome(id = "false, true, 2", expect = ACCEPTABLE, desc = "the second")
    @Outcome(expect = FORBIDDEN, desc = "both, neither, or the loser's outcome")
    @State
    public static class TwoCompleters {
        private final Completion<Integer> completion = unstarted();

        @Actor
        public void first(ZZI_Result r) {
            r.r1 = completion.succeed(1);
        }

        @Actor
        public void second(ZZI_Result r) {
            r.r2 = completion.succeed(2);
        }

        @Arbiter
        public void afterwards(ZZI_Result r) {
            r.r3 = completion.resultWhateverHappens("a test");
        }
    }

    /** Success and cancellation come at once: does one win, and does everybody see the same? */
    @JCStressTest
    @Outcome(
            id = {"true, false, 0", "false, true, 1"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class SuccessAgainstCancel {
        private final Completion<Integer> completion = unstarted();

        @Actor
        public void fiber(ZZI_Result r) {
            r.r1 = completion.succeed(1);
        }

        @Actor
        public void canceller(ZZI_Result r) {
            r.r2 = completion.settleAsCancelled();
        }

        @Arbiter
        public void afterwards(ZZI_Result r) {
            r.r3 = completion.isSettledAsCancelled() ? 1 : 0;
        }
    }

    /** F1. One comes to wait while the outcome comes: is it told? A hang here is a lost wake-up. */
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "it gets the result")
    @Outcome(expect = FORBIDDEN, desc = "it gets something else")
    @State
    public static class CompleteAgainstJoin {
        private final Completion<Integer> completion = unstarted();

        @Actor
        public void completer() {
            completion.succeed(7);
        }

        @Actor
        public void joiner(I_Result r) {
            r.r1 = completion.resultWhateverHappens("a test");
        }
    }

    /** F1. A follower is added while the outcome comes: is it told? */
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "told")
    @Outcome(expect = FORBIDDEN, desc = "never told")
    @State
    public static class CompleteAgainstFollow {
        private final Completion<Integer> completion = unstarted();
        private CompletableFuture<Integer> future = new CompletableFuture<>();

        @Actor
        public void completer() {
            completion.succeed(7);
        }

        @Actor
        public void follower() {
            future = completion.follower();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = now(future);
        }
    }

    /** F1. Somebody's time runs out, and while it sweeps the waiters the outcome comes: are the others told? */
    @JCStressTest
    @Outcome(
            id = {"0, 7", "7, 7"},
            expect = ACCEPTABLE,
            desc = "the other is told")
    @Outcome(expect = FORBIDDEN, desc = "the other is never told")
    @State
    public static class CompleteAgainstSweep {
        private final Completion<Integer> completion = unstarted();
        private final CompletableFuture<Integer> other = completion.follower();

        @Actor
        public void completer() {
            completion.succeed(7);
        }

        @Actor
        public void impatient(II_Result r) {
            r.r1 = impatientGet(completion);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = now(other);
        }
    }

    /** F1. Two sweep at once: are those who still wait told afterwards? */
    @JCStressTest
    @Outcome(id = "7, 7", expect = ACCEPTABLE, desc = "both are told")
    @Outcome(expect = FORBIDDEN, desc = "one is never told")
    @State
    public static class TwoSweeps {
        private final Completion<Integer> completion = unstarted();
        private final CompletableFuture<Integer> one = completion.follower();
        private final CompletableFuture<Integer> other = completion.follower();

        @Actor
        public void first() {
            impatientGet(completion);
        }

        @Actor
        public void second() {
            impatientGet(completion);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            completion.succeed(7);
            r.r1 = now(one);
            r.r2 = now(other);
        }
    }
}
