package dev.coir.fiber;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.executor.ManualExecutor;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The invariant N1 of {@link LightFiber}, and who cancels one that begins; with real stacks over a manual executor that one actor runs. */
public final class LightFiberStress {
    private LightFiberStress() {}

    /** A fiber that counts its steps from park to park. */
    abstract static class OneFiber {
        final ManualExecutor executor = new ManualExecutor();
        int steps; // the fiber's
        volatile boolean nearlyParked; // written by the fiber
        final LightFiber<?> fiber;

        OneFiber(int parks) {
            fiber = (LightFiber<?>) Fiber.builder()
                    .on(executor)
                    .kind(Fiber.Kind.LIGHT)
                    .start(() -> {
                        for (int i = 0; i < parks; i++) {
                            nearlyParked = true;
                            Objects.requireNonNull((LightFiber<?>) Fiber.current())
                                    .park("a test", false);
                            steps++;
                        }
                    });
        }

        /** Leaving the stack takes much longer than unparking; so the waker aims, or else it would always be early. */
        final void aim() {
            for (int i = 0; i < 2000 && !nearlyParked; i++) Thread.onSpinWait();
            for (int i = ThreadLocalRandom.current().nextInt(20); i > 0; i--) Thread.onSpinWait();
        }

        /** How often it is done or queued: 1, unless it was lost or queued twice. */
        final int places() {
            return (fiber.isDone() ? 1 : 0) + executor.size();
        }
    }

    /** N1. A fiber parks while it is unparked: does it go on, or stand in the queue, exactly once? */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "it ended, or is queued once")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "it sleeps with a permit")
    @Outcome(expect = FORBIDDEN, desc = "queued twice")
    @State
    public static class ParkAgainstUnpark extends OneFiber {
        public ParkAgainstUnpark() {
            super(1);
        }

        @Actor
        public void itsThread() {
            executor.drain();
        }

        @Actor
        public void waker() {
            aim();
            fiber.unparkIt();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = places();
        }
    }

    /** N1. Two unpark a parked fiber: is it queued once? */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "queued once")
    @Outcome(expect = FORBIDDEN, desc = "lost, or queued twice")
    @State
    public static class TwoUnparks extends OneFiber {
        public TwoUnparks() {
            super(1);
            executor.drain();
        }

        @Actor
        public void first() {
            fiber.unparkIt();
        }

        @Actor
        public void second() {
            fiber.unparkIt();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = places();
        }
    }

    /** N1. Permits come one after the other while the fiber uses them up: at most one step each, and none is lost. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "it stands in the queue with a permit")
    @Outcome(
            id = {"1, 0", "2, 1"},
            expect = ACCEPTABLE,
            desc = "every permit was used up: it waits for the next, or has ended")
    @Outcome(expect = FORBIDDEN, desc = "a permit was lost or used twice, or it was queued twice")
    @State
    public static class TwoPermits extends OneFiber {
        public TwoPermits() {
            super(2);
        }

        @Actor
        public void itsThread() {
            executor.drain();
        }

        @Actor
        public void waker() {
            aim();
            fiber.unparkIt();
            fiber.unparkIt();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = steps;
            r.r2 = places();
        }
    }

    /** A fiber begins while it is cancelled: if its body runs all the same, is it interrupted? */
    @JCStressTest
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "it never runs")
    @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "it runs, and is interrupted")
    @Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "it had ended")
    @Outcome(expect = FORBIDDEN, desc = "it runs, is cancelled and does not learn of it")
    @State
    public static class CancelAgainstBegin {
        private final ManualExecutor executor = new ManualExecutor();
        private boolean ran; // written by the fiber
        private final LightFiber<?> fiber = (LightFiber<?>)
                Fiber.builder().on(executor).kind(Fiber.Kind.LIGHT).start(() -> {
                    ran = true;
                });

        @Actor
        public void itsThread() {
            executor.drain();
        }

        @Actor
        public void canceller(ZZZ_Result r) {
            r.r1 = fiber.cancel(true);
        }

        @Arbiter
        public void afterwards(ZZZ_Result r) {
            r.r2 = ran;
            r.r3 = fiber.takeInterruptHere();
        }
    }
}
