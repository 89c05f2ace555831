package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** The mistake: a thief claims its task first and copies it after, when the owner may have filled the slot anew. */
public final class RingClaimedBeforeCopied {
    private final AtomicIntegerArray slots = new AtomicIntegerArray(2);
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    public boolean push(int task) {
        long t = tail.get();
        if (t - head.get() == slots.length()) return false;
        slots.set((int) t & 1, task);
        tail.set(t + 1);
        return true;
    }

    /** The oldest task, or 0. */
    public int steal() {
        while (true) {
            long h = head.get();
            if (h == tail.get()) return 0;
            if (head.compareAndSet(h, h + 1)) return slots.get((int) h & 1);
        }
    }

    /** RunRingStress.PushOntoTheSlotBeingStolen, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"false, 1", "true, 1"},
            expect = ACCEPTABLE,
            desc = "the oldest task")
    @Outcome(expect = FORBIDDEN, desc = "the newest task; it will be taken twice, and the oldest never")
    @State
    public static class Planted {
        private final RingClaimedBeforeCopied ring = new RingClaimedBeforeCopied();

        public Planted() {
            ring.push(1);
            ring.push(2);
        }

        @Actor
        public void owner(ZI_Result r) {
            r.r1 = ring.push(3);
        }

        @Actor
        public void thief(ZI_Result r) {
            r.r2 = ring.steal();
        }
    }
}
