package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariants R1 and R2 of {@link RwCore}. One in line who could be let in, and is not, shows as a hang. */
@SuppressWarnings("LockNotBeforeTry") // nothing throws in between
public final class RwLockStress {
    private RwLockStress() {}

    /** R2. One writes two fields, one reads them: both of the old ones or both of the new ones? */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 0"},
            expect = ACCEPTABLE,
            desc = "before or after")
    @Outcome(expect = FORBIDDEN, desc = "in the middle, or somebody is still inside")
    @State
    public static class WriterAgainstReader {
        private final RwLock rw = new RwLock();
        private int x; // plain on purpose
        private int y;

        @Actor
        public void writes() {
            rw.writeLock().lock();
            x++;
            y++;
            rw.writeLock().unlock();
        }

        @Actor
        public void reads(II_Result r) {
            rw.readLock().lock();
            r.r1 = x;
            r.r2 = x - y;
            rw.readLock().unlock();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            if (rw.isWriteLocked() || rw.getReadLockCount() != 0 || rw.hasQueuedThreads()) r.r2 = -1;
        }
    }

    /** R1. A writer's time is up just when it could be let in: does it know, and is nobody inside in the end? */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 0"},
            expect = ACCEPTABLE,
            desc = "too late, or in")
    @Outcome(expect = FORBIDDEN, desc = "somebody is still inside or in line")
    @State
    public static class ReadersAgainstTimeout {
        private final RwLock rw = new RwLock(RwLock.Preference.WRITERS);

        @Actor
        public void reads() {
            rw.readLock().lock();
            rw.readLock().unlock();
        }

        @Actor
        public void hasLittleTime(II_Result r) {
            try {
                if (!rw.writeLock().tryLock(1, TimeUnit.MICROSECONDS)) return;
                r.r1 = 1;
                rw.writeLock().unlock();
            } catch (InterruptedException e) {
                r.r1 = -1;
            }
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = rw.isWriteLocked() || rw.getReadLockCount() != 0 || rw.hasQueuedThreads() ? 1 : 0;
        }
    }
}
