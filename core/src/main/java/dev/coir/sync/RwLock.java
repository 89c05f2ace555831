package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.Waiter;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Many may read at once, or one may write: what {@code ReentrantReadWriteLock} is for threads, for fibers of both kinds and
 * threads. Owners are fibers, else threads. Both locks are reentrant, and who writes may read, so that a writer can become a
 * reader by taking the read lock before it gives the write lock back.
 *
 * <p>A reader cannot become a writer: it would wait for itself. Where {@code ReentrantReadWriteLock} deadlocks,
 * {@code lock} and {@code lockInterruptibly} of the write lock throw {@link IllegalStateException}, and {@code tryLock}
 * returns false at once.
 */
public final class RwLock implements ReadWriteLock {
    /** Who goes first when readers and writers wait. Whatever is preferred, those of one kind are served in their order. */
    public enum Preference {
        /** First come, first served; readers next to each other in line read together. */
        FAIR,
        /** Who reads does not wait for those who wait to write. Writers may starve. */
        READERS,
        /** Who reads waits while somebody waits to write. Readers may starve. */
        WRITERS
    }

    private final RwCore core;
    private final ReadLock reader;
    private final WriteLock writer;

    /** A free lock, fair. */
    public RwLock() {
        this(Preference.FAIR);
    }

    /**
     * A free lock.
     *
     * @param preference who goes first when readers and writers wait
     */
    public RwLock(Preference preference) {
        core = new RwCore(Objects.requireNonNull(preference, "preference"));
        reader = new ReadLock(core);
        writer = new WriteLock(core);
    }

    @Override
    public ReadLock readLock() {
        return reader;
    }

    @Override
    public WriteLock writeLock() {
        return writer;
    }

    /** The lock of those who read. */
    public static final class ReadLock implements Lock {
        private static final String REASON = "read lock of a RwLock";
        private final RwCore core;

        private ReadLock(RwCore core) {
            this.core = core;
        }

        @Override
        public void lock() {
            core.acquire(new RwCore.Turn(Caller.current(), false), REASON, Long.MAX_VALUE, false);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            Object me = Caller.current();
            if (Caller.takeInterrupt(me)) throw new InterruptedException();
            var how = core.acquire(new RwCore.Turn(me, false), REASON, Long.MAX_VALUE, true);
            if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        }

        /** {@inheritDoc} Succeeds whenever nobody else writes, whoever waits; {@code tryLock(0, unit)} honours the line. */
        @Override
        public boolean tryLock() {
            return core.tryRead(Caller.current());
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return core.tryAcquire(
                    false, REASON, Objects.requireNonNull(unit, "unit").toNanos(time));
        }

        @Override
        public void unlock() {
            core.unlockRead(Caller.current());
        }

        /**
         * Not supported: readers do not exclude each other.
         *
         * @throws UnsupportedOperationException always
         */
        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a read lock has no conditions; use those of the write lock");
        }

        @Override
        public String toString() {
            return super.toString() + "[Read locks = " + core.readHolds() + "]";
        }
    }

    /** The lock of those who write. */
    public static final class WriteLock implements Lock {
        private static final String REASON = "write lock of a RwLock";
        private final RwCore core;
        private final Host host = new Host();

        private WriteLock(RwCore core) {
            this.core = core;
        }

        @Override
        public void lock() {
            Object me = Caller.current();
            core.ensureNoReader(me);
            core.acquire(new RwCore.Turn(me, true), REASON, Long.MAX_VALUE, false);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            Object me = Caller.current();
            if (Caller.takeInterrupt(me)) throw new InterruptedException();
            core.ensureNoReader(me);
            var how = core.acquire(new RwCore.Turn(me, true), REASON, Long.MAX_VALUE, true);
            if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        }

        /** {@inheritDoc} Succeeds whenever it is free, whoever waits; {@code tryLock(0, unit)} honours the line. */
        @Override
        public boolean tryLock() {
            return core.tryWrite(Caller.current());
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return core.tryAcquire(
                    true, REASON, Objects.requireNonNull(unit, "unit").toNanos(time));
        }

        @Override
        public void unlock() {
            core.unlockWrite(Caller.current());
        }

        /** {@inheritDoc} Who also reads may not wait for it: it could not get the write lock back. */
        @Override
        public Condition newCondition() {
            return new LockCondition<>(host, "condition of a RwLock");
        }

        /**
         * Whether the caller, a fiber or else a thread, holds it.
         *
         * @return true when it does
         */
        public boolean isHeldByCurrentThread() {
            return core.isWriter(Caller.current());
        }

        /**
         * How often the caller holds it.
         *
         * @return 0 when it does not
         */
        public int getHoldCount() {
            return core.writeHolds(Caller.current());
        }

        @Override
        public String toString() {
            Object holder = core.writer();
            return super.toString() + (holder == null ? "[Unlocked]" : "[Locked by " + Caller.describe(holder) + "]");
        }

        private final class Host extends LockCondition.Host<RwCore.Turn> {
            @Override
            SpinGuard guard() {
                return core.guard;
            }

            @Override
            Object ensureHeld() {
                return core.ensureWriter(Caller.current());
            }

            @Override
            void ensureMaySleep() {
                core.ensureNoReaderEvenIfWriter(Caller.current());
            }

            @Override
            RwCore.Turn newTurn(Object who) {
                return new RwCore.Turn(who, true);
            }

            @Override
            String reason() {
                return REASON;
            }

            @Override
            void joinUnderGuard(RwCore.Turn turn) {
                core.joinUnderGuard(turn);
            }

            @Override
            int releaseFully() {
                return core.releaseWriteFully(Caller.current());
            }

            @Override
            void reacquire(RwCore.Turn turn, boolean joined, int holds) {
                if (joined) turn.await(REASON, Long.MAX_VALUE, false);
                else core.acquireInside(turn, REASON, Long.MAX_VALUE, false);
                core.restoreWrites(holds);
            }
        }
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    /**
     * Who goes first when readers and writers wait.
     *
     * @return as it was made
     */
    public Preference preference() {
        return core.preference;
    }

    /**
     * Whether it is first come, first served.
     *
     * @return true for {@link Preference#FAIR}
     */
    public boolean isFair() {
        return core.preference == Preference.FAIR;
    }

    /**
     * How many read locks are held, reentrant ones counted; a hint.
     *
     * @return 0 or more
     */
    public int getReadLockCount() {
        return core.readHolds();
    }

    /**
     * Whether somebody writes; a hint.
     *
     * @return true when the write lock is held
     */
    public boolean isWriteLocked() {
        return core.writer() != null;
    }

    /**
     * Whether the caller, a fiber or else a thread, holds the write lock.
     *
     * @return true when it does
     */
    public boolean isWriteLockedByCurrentThread() {
        return writer.isHeldByCurrentThread();
    }

    /**
     * How often the caller holds the write lock.
     *
     * @return 0 when it does not
     */
    public int getWriteHoldCount() {
        return writer.getHoldCount();
    }

    /**
     * How often the caller holds the read lock.
     *
     * @return 0 when it does not
     */
    public int getReadHoldCount() {
        return core.readHolds(Caller.current());
    }

    /**
     * The thread that holds the write lock; a hint.
     *
     * @return the thread, a VIRTUAL fiber's as well; null when nobody or a LIGHT fiber holds it
     */
    public @Nullable Thread getOwner() {
        Object holder = core.writer();
        return holder == null ? null : Caller.threadOf(holder);
    }

    /**
     * Whether fibers or threads wait for either lock; a hint.
     *
     * @return true when some wait
     */
    public boolean hasQueuedThreads() {
        return getQueueLength() != 0;
    }

    /**
     * Whether a thread, or the VIRTUAL fiber whose thread it is, waits for either lock; a hint.
     *
     * @param thread the thread
     * @return true when it waits
     */
    public boolean hasQueuedThread(Thread thread) {
        return core.inLine(true, true).contains(Objects.requireNonNull(thread, "thread"));
    }

    /**
     * How many fibers and threads wait for either lock; a hint.
     *
     * @return 0 or more
     */
    public int getQueueLength() {
        return core.queueLength();
    }

    /**
     * The threads among those who wait for either lock; a hint. LIGHT fibers have no thread and are missing in it.
     *
     * @return a new collection
     */
    public Collection<Thread> getQueuedThreads() {
        return Line.threadsAmong(core.inLine(true, true));
    }

    /**
     * The threads among those who wait to read; a hint. LIGHT fibers have no thread and are missing in it.
     *
     * @return a new collection
     */
    public Collection<Thread> getQueuedReaderThreads() {
        return Line.threadsAmong(core.inLine(true, false));
    }

    /**
     * The threads among those who wait to write; a hint. LIGHT fibers have no thread and are missing in it.
     *
     * @return a new collection
     */
    public Collection<Thread> getQueuedWriterThreads() {
        return Line.threadsAmong(core.inLine(false, true));
    }

    /**
     * Whether somebody waits for a condition. The writer only.
     *
     * @param condition one of this lock's
     * @return true when somebody does
     * @throws IllegalMonitorStateException when the caller does not hold the write lock
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public boolean hasWaiters(Condition condition) {
        return getWaitQueueLength(condition) != 0;
    }

    /**
     * How many wait for a condition. The writer only.
     *
     * @param condition one of this lock's
     * @return 0 or more
     * @throws IllegalMonitorStateException when the caller does not hold the write lock
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public int getWaitQueueLength(Condition condition) {
        return own(condition).waiting().size();
    }

    /**
     * The threads among those who wait for a condition. The writer only.
     *
     * @param condition one of this lock's
     * @return a new collection; LIGHT fibers have no thread and are missing in it
     * @throws IllegalMonitorStateException when the caller does not hold the write lock
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public Collection<Thread> getWaitingThreads(Condition condition) {
        return Line.threadsAmong(own(condition).waiting());
    }

    private LockCondition<?> own(Condition condition) {
        if (Objects.requireNonNull(condition, "condition") instanceof LockCondition<?> known
                && known.belongsTo(writer.host)) return known;
        throw new IllegalArgumentException("condition: " + condition + " (expected: one of this lock, " + this + ")");
    }

    @Override
    public String toString() {
        return super.toString() + core.describe();
    }
}
