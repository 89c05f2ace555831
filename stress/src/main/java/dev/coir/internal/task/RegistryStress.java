package dev.coir.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariant G1 of {@link Registry}. */
public final class RegistryStress {
    private RegistryStress() {}

    private static final class Sleeper extends Live {
        @Override
        protected void runSlice() {
            throw new AssertionError("only moved about, never run");
        }

        @Override
        protected boolean cancelInside(boolean mayInterruptIfRunning) {
            throw new AssertionError("never cancelled");
        }

        @Override
        protected void cancelForShutdown() {
            throw new AssertionError("never cancelled");
        }

        @Override
        protected @Nullable Thread stackThread() {
            return null;
        }

        @Override
        protected void parkHere(String reason, long deadlineNanos) {
            throw new AssertionError("never parks");
        }

        @Override
        protected void unparkIt() {
            throw new AssertionError("never parked");
        }

        @Override
        protected boolean takeInterruptHere() {
            return false;
        }

        @Override
        protected World world() {
            return World.SYSTEM;
        }

        @Override
        protected void interruptIt() {
            throw new AssertionError("never interrupted");
        }
    }

    private static List<Live> content(Registry registry) {
        var all = new ArrayList<Live>();
        registry.copyTo(all);
        return all;
    }

    /** G1. A fiber ends elsewhere while the worker of its first slice still enters it: is it gone afterwards? */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not registered")
    @Outcome(expect = FORBIDDEN, desc = "a fiber that has ended stays registered, or is counted out twice")
    @State
    public static class EnterAgainstLeave {
        private final Registry registry = new Registry();
        private final Sleeper fiber = new Sleeper();

        @Actor
        public void firstWorker() {
            registry.enter(fiber);
        }

        @Actor
        public void lastWorker() {
            Registry.leave(fiber);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = registry.size();
            r.r2 = content(registry).size();
        }
    }

    /** Two workers enter one fiber into their registries: is it in exactly one? */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "in one of them")
    @Outcome(expect = FORBIDDEN, desc = "in both, or in none")
    @State
    public static class TwoRegistries {
        private final Registry one = new Registry();
        private final Registry other = new Registry();
        private final Sleeper fiber = new Sleeper();

        @Actor
        public void oneWorker() {
            one.enter(fiber);
        }

        @Actor
        public void otherWorker() {
            other.enter(fiber);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = content(one).size();
            r.r2 = content(other).size();
        }
    }

    /** Neighbours leave, and a third enters: is the list still whole? */
    @JCStressTest
    @Outcome(id = "2, 1, 1", expect = ACCEPTABLE, desc = "the third and the new one are there")
    @Outcome(expect = FORBIDDEN, desc = "the list is broken")
    @State
    public static class NeighboursLeave {
        private final Registry registry = new Registry();
        private final Sleeper first = new Sleeper();
        private final Sleeper second = new Sleeper();
        private final Sleeper third = new Sleeper();
        private final Sleeper entering = new Sleeper();

        public NeighboursLeave() {
            registry.enter(third);
            registry.enter(second);
            registry.enter(first);
        }

        @Actor
        public void oneWorker() {
            Registry.leave(first);
            registry.enter(entering);
        }

        @Actor
        public void otherWorker() {
            Registry.leave(second);
        }

        @Arbiter
        public void afterwards(III_Result r) {
            List<Live> left = content(registry);
            r.r1 = registry.size();
            r.r2 = left.contains(third) ? 1 : 0;
            r.r3 = left.contains(entering) ? 1 : 0;
        }
    }
}
