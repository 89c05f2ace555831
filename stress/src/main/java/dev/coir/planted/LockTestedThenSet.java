package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: the lock is seen free and then taken, in two steps. */
public final class LockTestedThenSet {
    private volatile boolean locked;

    public void lock() {
        while (locked) Thread.onSpinWait();
        for (int i = 0; i < 10; i++) Thread.onSpinWait(); // stopped for a while where it hurts most
        locked = true;
    }

    public void unlock() {
        locked = false;
    }

    /** LockStress.Spin, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "both at once")
    @State
    public static class Planted {
        private final LockTestedThenSet lock = new LockTestedThenSet();
        private int count;

        @Actor
        public void first(II_Result r) {
            lock.lock();
            r.r1 = ++count;
            lock.unlock();
        }

        @Actor
        public void second(II_Result r) {
            lock.lock();
            r.r2 = ++count;
            lock.unlock();
        }
    }
}
