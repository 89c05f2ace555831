package dev.coir.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The invariants X1 and X2 of {@link Timers}, under a clock that only the test's setup moves. */
public final class TimersStress {
    private TimersStress() {}

    private static final class Counting extends Timer {
        int fired; // plain on purpose: a timer fires on one thread

        @Override
        protected void fire() {
            fired++;
        }
    }

    /** Timers, and a moment at which those that were set before are due. */
    private static final class Due {
        private long clock; // moved in constructors only
        final Timers timers = new Timers(() -> clock);

        Counting set() {
            var timer = new Counting();
            timers.set(timer, 0);
            clock += 2 * Timers.TICK_NANOS;
            return timer;
        }
    }

    /** X1. A due timer is cancelled and fired at once: does exactly one happen? */
    @JCStressTest
    @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "cancelled")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "fired")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class CancelAgainstFire {
        private final Due due = new Due();
        private final Counting timer = due.set();

        @Actor
        public void canceller(ZI_Result r) {
            r.r1 = due.timers.cancel(timer);
        }

        @Actor
        public void worker() {
            due.timers.fireDue();
        }

        @Arbiter
        public void afterwards(ZI_Result r) {
            r.r2 = timer.fired;
        }
    }

    /** X1. Two workers fire two due timers: does each fire once? */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or never")
    @State
    public static class TwoFirers {
        private final Due due = new Due();
        private final Counting first = due.set();
        private final Counting second = due.set();

        @Actor
        public void oneWorker() {
            due.timers.fireDue();
        }

        @Actor
        public void otherWorker() {
            due.timers.fireDue();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = first.fired;
            r.r2 = second.fired;
        }
    }

    /** X1. Two cancel one timer: does exactly one succeed? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class TwoCancellers {
        private final Due due = new Due();
        private final Counting timer = due.set();

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = due.timers.cancel(timer);
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = due.timers.cancel(timer);
        }
    }

    /** X2. A timer is set while the last one fires: is it known afterwards that there is one? */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "somebody will wake for it")
    @Outcome(expect = FORBIDDEN, desc = "it is forgotten")
    @State
    public static class SetAgainstFire {
        private final Due due = new Due();
        private final Counting timer = due.set();

        @Actor
        public void setter() {
            due.timers.set(new Counting(), 1_000_000);
        }

        @Actor
        public void worker() {
            due.timers.fireDue();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = timer.fired == 1 && due.timers.nanosToNext() <= 1_000_000 + Timers.TICK_NANOS;
        }
    }

    /** X2. A first timer is set while a worker goes to sleep: does one of the two notice the other? */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "the setter wakes the sleeper, or it sleeps no longer than until then")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps past the timer")
    @State
    public static class SetAgainstSleep {
        private final Due due = new Due();
        private volatile boolean asleep;

        @Actor
        public void setter(ZZ_Result r) {
            r.r1 = due.timers.set(new Counting(), 1_000_000) && asleep;
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            asleep = true;
            r.r2 = due.timers.nanosToNext() != Long.MAX_VALUE;
        }
    }
}
