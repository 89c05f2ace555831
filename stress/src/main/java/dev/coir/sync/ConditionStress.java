package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.Condition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariants C1 and C2 of {@link LockCondition}. A signal that wakes nobody shows as a hang. */
@SuppressWarnings("LockNotBeforeTry") // nothing throws in between
public final class ConditionStress {
    private ConditionStress() {}

    /** C1. The time is up just when the signal comes: is it the one or the other, and is the lock free in the end? */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "too early or too late: the time was up")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "signalled")
    @Outcome(
            id = "0, 1",
            expect = ACCEPTABLE,
            desc = "the time was up before the signal, and the lock was wanted by both")
    @Outcome(expect = FORBIDDEN, desc = "signalled by nobody, or the lock is lost")
    @State
    @SuppressWarnings("WaitNotInLoop") // a single wait, on purpose
    public static class SignalAgainstTimeout {
        private final Mutex mutex = new Mutex();
        private final Condition condition = mutex.newCondition();
        private boolean waiting; // guarded by mutex

        @Actor
        public void hasLittleTime(II_Result r) {
            mutex.lock();
            try {
                waiting = true;
                r.r1 = condition.awaitNanos(2_000) > 0 ? 1 : 0;
            } catch (InterruptedException e) {
                r.r1 = -1;
            } finally {
                mutex.unlock();
            }
        }

        @Actor
        public void signals(II_Result r) {
            mutex.lock();
            r.r2 = waiting ? 1 : 0;
            condition.signal();
            mutex.unlock();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            if (mutex.isLocked() || mutex.hasQueuedThreads()) r.r1 = -1;
        }
    }

    /** C2. One waits for what the other brings, whoever comes first: does it always get it? */
    @JCStressTest
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "it got it")
    @Outcome(expect = FORBIDDEN, desc = "what was brought is not seen, or the lock is lost")
    @State
    public static class BringAndWait {
        private final Mutex mutex = new Mutex();
        private final Condition condition = mutex.newCondition();
        private int brought; // guarded by mutex

        @Actor
        public void waits(II_Result r) {
            mutex.lock();
            while (brought == 0) condition.awaitUninterruptibly();
            r.r1 = brought;
            mutex.unlock();
        }

        @Actor
        public void brings() {
            mutex.lock();
            brought = 7;
            condition.signal();
            mutex.unlock();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = mutex.isLocked() || mutex.hasQueuedThreads() ? 1 : 0;
        }
    }
}
