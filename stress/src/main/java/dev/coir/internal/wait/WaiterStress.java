package dev.coir.internal.wait;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.ZL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The invariants A1 and A2 of {@link Waiter}, for a party that parks as any does: a permit is kept, and used up. */
public final class WaiterStress {
    private WaiterStress() {}

    private static final class Spinning extends Waiter {
        private final AtomicBoolean permit = new AtomicBoolean();
        private final AtomicBoolean interrupted = new AtomicBoolean();

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // the other may have lost its processor
        protected void park(String reason, long deadlineNanos) {
            while (!permit.getAndSet(false)) Thread.yield();
        }

        @Override
        public void unpark() {
            permit.set(true);
        }

        @Override
        public boolean takeInterrupt() {
            return interrupted.getAndSet(false);
        }

        @Override
        protected void restoreInterrupt() {
            interrupted.set(true);
        }
    }

    /** A1. The signal comes just when time runs out: do both sides agree what it was? */
    @JCStressTest
    @Outcome(id = "true, SIGNALLED", expect = ACCEPTABLE, desc = "in time")
    @Outcome(id = "false, TIMED_OUT", expect = ACCEPTABLE, desc = "too late")
    @Outcome(expect = FORBIDDEN, desc = "what was handed over is lost, or handed over twice")
    @State
    public static class SignalAgainstTimeout {
        private final Spinning waiter = new Spinning();

        @Actor
        public void signaller(ZL_Result r) {
            r.r1 = waiter.signal();
        }

        @Actor
        public void party(ZL_Result r) {
            r.r2 = waiter.await("a test", System.nanoTime(), true);
        }
    }

    /** A1. The signal comes just when the party is interrupted: do both sides agree, and is the interrupt kept? */
    @JCStressTest
    @Outcome(id = "true, SIGNALLED", expect = ACCEPTABLE, desc = "signalled; the interrupt is still there")
    @Outcome(id = "false, INTERRUPTED", expect = ACCEPTABLE, desc = "interrupted; the interrupt is used up")
    @Outcome(expect = FORBIDDEN, desc = "they disagree, or the interrupt is lost or doubled")
    @State
    public static class SignalAgainstInterrupt {
        private final Spinning waiter = new Spinning();

        public SignalAgainstInterrupt() {
            waiter.interrupted.set(true);
        }

        @Actor
        public void signaller(ZL_Result r) {
            r.r1 = waiter.signal();
        }

        @Actor
        public void party(ZL_Result r) {
            Waiter.Outcome outcome = waiter.await("a test", Long.MAX_VALUE, true);
            boolean kept = waiter.takeInterrupt();
            r.r2 = kept == (outcome == Waiter.Outcome.SIGNALLED) ? outcome : outcome + ", interrupt kept: " + kept;
        }
    }

    /** A1. Two signal one waiter: does exactly one of them count? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class TwoSignallers {
        private final Spinning waiter = new Spinning();

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = waiter.signal();
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = waiter.signal();
        }
    }

    /** A2. The signal comes at any moment of falling asleep: does the party wake, and see what was written before it? */
    @JCStressTest
    @Outcome(id = "SIGNALLED, 7", expect = ACCEPTABLE, desc = "woken, and sees it")
    @Outcome(expect = FORBIDDEN, desc = "what was written before the signal is not seen")
    @State
    public static class SignalAgainstPark {
        private final Spinning waiter = new Spinning();
        private int written; // plain on purpose

        @Actor
        public void signaller() {
            written = 7;
            waiter.signal();
        }

        @Actor
        public void party(LI_Result r) {
            r.r1 = waiter.await("a test", Long.MAX_VALUE, false);
            r.r2 = written;
        }
    }
}
