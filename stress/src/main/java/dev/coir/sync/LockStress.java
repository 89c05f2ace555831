package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.Lock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The spinning locks, L1 and L2 of {@link McsLock}: one holder at a time, who sees all that the holders before it wrote. */
public final class LockStress {
    private LockStress() {}

    private static final int ROUNDS = 3; // enough for a holder to come back while the other still queues

    /** A count that only a lock keeps right. */
    private static final class Count {
        private int value; // plain on purpose

        int lockAndAdd(Lock lock) {
            lock.lock();
            try {
                return ++value;
            } finally {
                lock.unlock();
            }
        }

        /** The new value, or 0 when the lock was taken. */
        int tryLockAndAdd(Lock lock) {
            if (!lock.tryLock()) return 0;
            try {
                return ++value;
            } finally {
                lock.unlock();
            }
        }
    }

    /** SpinLock: two lock once. Does the second see the first's write? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or the write not seen")
    @State
    public static class Spin {
        private final SpinLock lock = new SpinLock();
        private final Count count = new Count();

        @Actor
        public void first(II_Result r) {
            r.r1 = count.lockAndAdd(lock);
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = count.lockAndAdd(lock);
        }
    }

    /** SpinLock: two lock again and again. Is no write lost, and is it free in the end? */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "all six")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or still locked")
    @State
    public static class SpinRounds {
        private final SpinLock lock = new SpinLock();
        private final Count count = new Count();

        @Actor
        public void first() {
            for (int i = 0; i < ROUNDS; i++) count.lockAndAdd(lock);
        }

        @Actor
        public void second() {
            for (int i = 0; i < ROUNDS; i++) count.lockAndAdd(lock);
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = lock.isLocked() ? -1 : count.value;
        }
    }

    /** SpinLock: one locks, one only tries. Does the one who tries get it properly or not at all? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was taken")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or the write not seen")
    @State
    public static class SpinTryLock {
        private final SpinLock lock = new SpinLock();
        private final Count count = new Count();

        @Actor
        public void locks(II_Result r) {
            r.r1 = count.lockAndAdd(lock);
        }

        @Actor
        public void tries(II_Result r) {
            r.r2 = count.tryLockAndAdd(lock);
        }
    }

    /** SpinLock: two try. Does at least one get it, and both only one after the other? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "one found it taken")
    @Outcome(expect = FORBIDDEN, desc = "both at once, the write not seen, or a free lock refused")
    @State
    public static class SpinTwoTry {
        private final SpinLock lock = new SpinLock();
        private final Count count = new Count();

        @Actor
        public void first(II_Result r) {
            r.r1 = count.tryLockAndAdd(lock);
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = count.tryLockAndAdd(lock);
        }
    }

    /** McsLock: two lock once. Does the second see the first's write? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or the write not seen")
    @State
    public static class Mcs {
        private final McsLock lock = new McsLock();
        private final Count count = new Count();

        @Actor
        public void first(II_Result r) {
            r.r1 = count.lockAndAdd(lock);
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = count.lockAndAdd(lock);
        }
    }

    /** McsLock: two lock again and again. Is no write lost, and is it free in the end? */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "all six")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or still locked")
    @State
    public static class McsRounds {
        private final McsLock lock = new McsLock();
        private final Count count = new Count();

        @Actor
        public void first() {
            for (int i = 0; i < ROUNDS; i++) count.lockAndAdd(lock);
        }

        @Actor
        public void second() {
            for (int i = 0; i < ROUNDS; i++) count.lockAndAdd(lock);
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = lock.isLocked() ? -1 : count.value;
        }
    }

    /** McsLock: one locks, one only tries. Does the one who tries get it properly or not at all? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was taken")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or the write not seen")
    @State
    public static class McsTryLock {
        private final McsLock lock = new McsLock();
        private final Count count = new Count();

        @Actor
        public void locks(II_Result r) {
            r.r1 = count.lockAndAdd(lock);
        }

        @Actor
        public void tries(II_Result r) {
            r.r2 = count.tryLockAndAdd(lock);
        }
    }

    /** McsLock: two try. Does at least one get it, and both only one after the other? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "one found it taken")
    @Outcome(expect = FORBIDDEN, desc = "both at once, the write not seen, or a free lock refused")
    @State
    public static class McsTwoTry {
        private final McsLock lock = new McsLock();
        private final Count count = new Count();

        @Actor
        public void first(II_Result r) {
            r.r1 = count.tryLockAndAdd(lock);
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = count.tryLockAndAdd(lock);
        }
    }
}
