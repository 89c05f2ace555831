package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The invariant Z1 of {@link WaitRoom}, through {@link Latch} and {@link Once}, and E1 of {@link Event}. */
public final class WaitRoomStress {
    private WaitRoomStress() {}

    /** Z1. One counts down twice, one waits: does it go on, and see what was written before each? */
    @JCStressTest
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "it sees both")
    @Outcome(expect = FORBIDDEN, desc = "it went on too early, or was interrupted by nobody")
    @State
    public static class CountDownAgainstAwait {
        private final Latch latch = new Latch(2);
        private int one; // plain on purpose
        private int two;

        @Actor
        public void countsDown() {
            one = 1;
            latch.countDown();
            two = 2;
            latch.countDown();
        }

        @Actor
        public void waits(I_Result r) {
            try {
                latch.await();
                r.r1 = one + two;
            } catch (InterruptedException e) {
                r.r1 = -1;
            }
        }
    }

    /** Z1. Two ask for what is to happen once: does it, and do both see it? */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "once, seen by both")
    @Outcome(expect = FORBIDDEN, desc = "twice, or not seen")
    @State
    public static class TwoAskOnce {
        private final Once once = new Once();
        private int count; // plain on purpose

        @Actor
        public void first(II_Result r) {
            once.run(() -> count++);
            r.r1 = count;
        }

        @Actor
        public void second(II_Result r) {
            once.run(() -> count++);
            r.r2 = count;
        }
    }

    /** E1. The time is up just when an automatic event is signalled: does the signal pass one, or stay? */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "passed, or still there")
    @Outcome(expect = FORBIDDEN, desc = "lost, or doubled")
    @State
    public static class SignalAgainstTimeout {
        private static final Duration LITTLE = Duration.ofNanos(1_000);
        private final Event event = Event.auto();

        @Actor
        public void signals() {
            event.signal();
        }

        @Actor
        public void hasLittleTime(II_Result r) {
            try {
                r.r1 = event.await(LITTLE) ? 1 : 0;
            } catch (InterruptedException e) {
                r.r1 = -1;
            }
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = event.isSignalled() ? 1 : 0;
        }
    }
}
