package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The invariants Q1, Q2 and Q3 of {@link Line}, through {@link Mutex} and {@link Semaphore}. A lost wake-up shows as a hang. */
@SuppressWarnings("LockNotBeforeTry") // nothing throws in between
public final class LineStress {
    private LineStress() {}

    private static final int ROUNDS = 3; // enough for a holder to come back while the other still queues

    private static int timed(Lock lock, int[] count) {
        try {
            if (!lock.tryLock(1, TimeUnit.MICROSECONDS)) return 0;
        } catch (InterruptedException e) {
            return -1;
        }
        int seen = ++count[0];
        lock.unlock();
        return seen;
    }

    private static void rounds(Lock lock, int[] count) {
        for (int i = 0; i < ROUNDS; i++) {
            lock.lock();
            count[0]++;
            lock.unlock();
        }
    }

    /** Q1, Q2. Two lock again and again. Is no write lost, nobody left behind, and is it free in the end? */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "all six")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or still locked, or somebody still in line")
    @State
    public static class MutexRounds {
        private final Mutex mutex = new Mutex();
        private final int[] count = {0};

        @Actor
        public void first() {
            rounds(mutex, count);
        }

        @Actor
        public void second() {
            rounds(mutex, count);
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = mutex.isLocked() || mutex.hasQueuedThreads() ? -1 : count[0];
        }
    }

    /** Q1. The same, first come first served. */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "all six")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or still locked, or somebody still in line")
    @State
    public static class FairMutexRounds {
        private final Mutex mutex = new Mutex(true);
        private final int[] count = {0};

        @Actor
        public void first() {
            rounds(mutex, count);
        }

        @Actor
        public void second() {
            rounds(mutex, count);
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = mutex.isLocked() || mutex.hasQueuedThreads() ? -1 : count[0];
        }
    }

    /** Q3. The time is up just when the mutex is handed over. Does who got it know it, and is it free in the end? */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1", "1, 0"},
            expect = ACCEPTABLE,
            desc = "one after the other, or too late")
    @Outcome(expect = FORBIDDEN, desc = "both at once, or it is lost")
    @State
    public static class HandOverAgainstTimeout {
        private final Mutex mutex = new Mutex(true);
        private final int[] count = {0};

        @Actor
        public void locks(II_Result r) {
            mutex.lock();
            r.r1 = ++count[0];
            mutex.unlock();
        }

        @Actor
        public void hasLittleTime(II_Result r) {
            r.r2 = timed(mutex, count);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            if (mutex.isLocked() || mutex.hasQueuedThreads()) r.r1 = -1;
        }
    }

    /** Q3. The time is up just when a permit is released: does it go to the waiter or stay, not both, not neither? */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "taken, or still there")
    @Outcome(expect = FORBIDDEN, desc = "lost, or doubled")
    @State
    public static class PermitAgainstTimeout {
        private final Semaphore semaphore = new Semaphore(0);

        @Actor
        public void releases() {
            semaphore.release();
        }

        @Actor
        public void hasLittleTime(II_Result r) {
            try {
                r.r1 = semaphore.tryAcquire(1, TimeUnit.MICROSECONDS) ? 1 : 0;
            } catch (InterruptedException e) {
                r.r1 = -1;
            }
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = semaphore.availablePermits();
        }
    }

    /** Q1. A permit is released just when somebody joins the line: does it wake? */
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "woken, and sees what was written before")
    @Outcome(expect = FORBIDDEN, desc = "what was written before the release is not seen")
    @State
    public static class ReleaseAgainstJoin {
        private final Semaphore semaphore = new Semaphore(0);
        private int written; // plain on purpose

        @Actor
        public void releases() {
            written = 7;
            semaphore.release();
        }

        @Actor
        public void joins(I_Result r) {
            semaphore.acquireUninterruptibly();
            r.r1 = written;
        }
    }
}
