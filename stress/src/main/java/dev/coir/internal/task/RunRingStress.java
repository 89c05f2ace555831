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
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** The invariants R1 to R3 of {@link RunRing}. Small rings, so that their edges are reached. */
public final class RunRingStress {
    private RunRingStress() {}

    private static RunRing ring(int capacity, int tasks) {
        var ring = new RunRing(capacity);
        for (int i = 1; i <= tasks; i++) ring.push(new Numbered(i));
        return ring;
    }

    private static int takeOne(RunRing ring) {
        return Numbered.number(ring.take());
    }

    private static int takeAll(RunRing ring) {
        int digits = 0;
        for (Task each = ring.take(); each != null; each = ring.take()) digits = 10 * digits + Numbered.number(each);
        return digits;
    }

    private static int steal(RunRing ring) {
        @Nullable Task[] into = new Task[ring.capacity() / 2];
        int taken;
        do taken = ring.tryTakeHalf(into, into.length);
        while (taken == LocalQueue.LOST);
        return Numbered.digits(into, taken);
    }

    /** R1. The owner takes one of three while a thief takes half: is each task taken once? */
    @JCStressTest
    @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "the owner was first; half of two is one")
    @Outcome(id = "3, 12, 0", expect = ACCEPTABLE, desc = "the thief was first; half of three is two")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class OwnerAgainstThief {
        private final RunRing ring = ring(4, 3);

        @Actor
        public void owner(III_Result r) {
            r.r1 = takeOne(ring);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R1. The owner takes until nothing is left while a thief takes half: is each task taken once? */
    @JCStressTest
    @Outcome(
            id = {"123, 0, 0", "12, 3, 0", "13, 2, 0", "3, 12, 0"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class OwnerDrainsAgainstThief {
        private final RunRing ring = ring(4, 3);

        @Actor
        public void owner(III_Result r) {
            r.r1 = takeAll(ring);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R2, R3. The owner pushes several over the place of one that a thief is about to take: is each task taken once, and seen? */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 23", "0, 1, 23", "1, 2, 3"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost, taken twice or not seen")
    @State
    public static class PushAllAgainstThief {
        private final RunRing ring = ring(2, 1);
        private final Task[] more = {new Numbered(2), new Numbered(3)};

        @Actor
        public void owner(III_Result r) {
            r.r1 = takeOne(ring);
            ring.pushAll(more, 0, 2);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R1. Two thieves at four tasks: do they take different ones? */
    @JCStressTest
    @Outcome(
            id = {"12, 3, 4", "3, 12, 4"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class ThiefAgainstThief {
        private final RunRing ring = ring(4, 4);

        @Actor
        public void first(III_Result r) {
            r.r1 = steal(ring);
        }

        @Actor
        public void second(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R1. The owner exchanges a task for the oldest while a thief takes half: is each task taken once? */
    @JCStressTest
    @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "the owner was first")
    @Outcome(id = "2, 1, 3", expect = ACCEPTABLE, desc = "the thief was first")
    @Outcome(id = "3, 12, 0", expect = ACCEPTABLE, desc = "the thief came in between; half of three is two")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class ExchangeAgainstThief {
        private final RunRing ring = ring(4, 2);

        @Actor
        public void owner(III_Result r) {
            r.r1 = Numbered.number(ring.exchange(new Numbered(3)));
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R1. The same with one task, and two thieves, who may leave the owner nothing. */
    @JCStressTest
    @Outcome(
            id = {"1, 2, 0", "1, 0, 2", "2, 1, 0", "2, 0, 1", "0, 1, 2", "0, 2, 1"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class ExchangeAgainstTwoThieves {
        private final RunRing ring = ring(2, 1);

        @Actor
        public void owner(III_Result r) {
            r.r1 = Numbered.number(ring.exchange(new Numbered(2)));
        }

        @Actor
        public void first(III_Result r) {
            r.r2 = steal(ring);
        }

        @Actor
        public void second(III_Result r) {
            r.r3 = steal(ring);
        }
    }

    /** R2. The owner pushes into a full ring, onto the very slot that a thief copies: does the thief get the old task? */
    @JCStressTest
    @Outcome(id = "false, 1, 2", expect = ACCEPTABLE, desc = "full; then stolen")
    @Outcome(id = "true, 1, 23", expect = ACCEPTABLE, desc = "stolen; then there was room")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class PushOntoTheSlotBeingStolen {
        private final RunRing ring = ring(2, 2);

        @Actor
        public void owner(ZII_Result r) {
            r.r1 = ring.push(new Numbered(3));
        }

        @Actor
        public void thief(ZII_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(ZII_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R2. The owner goes once round the ring while a thief copies: does a stale copy ever survive the thief's claim? */
    @JCStressTest
    @Outcome(
            id = {"23, 1, 4", "13, 2, 4", "12, 3, 4"},
            expect = ACCEPTABLE,
            desc = "each task once")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice")
    @State
    public static class OnceRoundAgainstThief {
        private final RunRing ring = ring(2, 2);

        @Actor
        public void owner(III_Result r) {
            int first = takeOne(ring);
            ring.push(new Numbered(3));
            int second = takeOne(ring);
            ring.push(new Numbered(4));
            r.r1 = 10 * first + second;
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = steal(ring);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = takeAll(ring);
        }
    }

    /** R3. Does a thief see what the owner wrote before it pushed? */
    @JCStressTest
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not pushed yet")
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "pushed and seen")
    @Outcome(expect = FORBIDDEN, desc = "an empty slot, or a task without what it carries")
    @State
    public static class Publication {
        private final RunRing ring = new RunRing(2);
        private final Numbered task = new Numbered(1);

        @Actor
        public void owner() {
            task.payload = 7;
            ring.push(task);
        }

        @Actor
        public void thief(I_Result r) {
            @Nullable Task[] into = new Task[1];
            if (ring.takeHalf(into, into.length) == 0) r.r1 = -1;
            else r.r1 = into[0] instanceof Numbered taken ? taken.payload : -2;
        }
    }
}
