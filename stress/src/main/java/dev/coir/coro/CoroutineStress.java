package dev.coir.coro;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The invariant C1 of {@link Coroutine}: it belongs to the thread that first resumed it. */
public final class CoroutineStress {
    private CoroutineStress() {}

    /** C1. Two threads resume a fresh coroutine, twice each: does one of them own it, and the other get nothing? */
    @JCStressTest
    @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "the first owns it")
    @Outcome(id = "0, 2, 2", expect = ACCEPTABLE, desc = "the second owns it")
    @Outcome(expect = FORBIDDEN, desc = "no owner, or two")
    @State
    public static class FirstOwner {
        private int steps; // plain on purpose: the owner's
        private final Coroutine coroutine = Coroutine.of(() -> {
            steps++;
            Coroutine.suspend();
            steps++;
        });

        @Actor
        public void first(III_Result r) {
            r.r1 = resume() + resume();
        }

        @Actor
        public void second(III_Result r) {
            r.r2 = resume() + resume();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = coroutine.isDone() ? steps : -steps;
        }

        private int resume() {
            try {
                coroutine.resume();
                return 1;
            } catch (WrongThreadException refused) {
                return 0;
            }
        }
    }

    /** Does a thread that sees the coroutine done see all that its body wrote? */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 0", "0, 7, 0"},
            expect = ACCEPTABLE,
            desc = "not done yet")
    @Outcome(id = "1, 7, 0", expect = ACCEPTABLE, desc = "done and seen")
    @Outcome(expect = FORBIDDEN, desc = "done, but its writes are not seen")
    @State
    public static class DoneAndSeen {
        private int written;
        private final Coroutine coroutine = Coroutine.of(() -> written = 7);

        @Actor
        public void owner() {
            coroutine.resume();
        }

        @Actor
        public void onlooker(III_Result r) {
            r.r1 = coroutine.isDone() ? 1 : 0;
            r.r2 = written;
        }
    }
}
