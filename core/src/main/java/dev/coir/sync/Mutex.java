package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock for fibers of both kinds and for threads, mixed freely: what {@code ReentrantLock} is for threads, in
 * every detail. Its owner is the fiber that locked it, else the thread; a fiber may wait while it holds it, and wake up on
 * another worker.
 *
 * {@snippet :
 * var mutex = new Mutex();
 * mutex.lock();
 * try {
 *     balance += amount;
 * } finally {
 *     mutex.unlock();
 * }
 * }
 *
 * <p>Unless it is fair, whoever runs may overtake those who wait, for at most about a millisecond: then it is handed over,
 * first come first served. A plain task that waits on a scheduler's thread runs others on top of itself; all of them are that
 * thread to a mutex. Use fibers for what waits while it holds one.
 */
public final class Mutex extends Line implements Lock {
    private static final String REASON = "lock of a Mutex";
    private static final long PATIENCE_NANOS = 1_000_000; // as Go's
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Mutex.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Object
            owner; // null: free. Taken by CAS, for oneself or for one in line; freed by the owner
    private int reentries; // how often it is held beyond once; the owner only, 0 when free
    private int spins = SPINS; // a hint: written by all, without order
    private final Host host = new Host();

    /** A free mutex that is not fair. */
    public Mutex() {
        this(false);
    }

    /**
     * A free mutex.
     *
     * @param fair whether it is always first come, first served
     */
    public Mutex(boolean fair) {
        super(fair, PATIENCE_NANOS);
    }

    // ---- locking ---------------------------------------------------------------------------------------------------

    @Override
    public void lock() {
        StackRoom.ensureMore();
        lockInside();
    }

    /** As lock, in the midst of something that has the room on the stack for it. */
    void lockInside() {
        Object me = Caller.current();
        if (!tryEnter(me)) enter(new Turn(me), REASON, Long.MAX_VALUE, false);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        StackRoom.ensureMore();
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        if (tryEnter(me)) return;
        if (enter(new Turn(me), REASON, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED)
            throw new InterruptedException();
    }

    /**
     * {@inheritDoc} Takes a free mutex even if it is fair and others wait; {@code tryLock(0, unit)} does not.
     */
    @Override
    public boolean tryLock() {
        StackRoom.ensureMore();
        Object me = Caller.current();
        return tryTake(me) || reenter(me);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long nanos = Objects.requireNonNull(unit, "unit").toNanos(time);
        StackRoom.ensureMore();
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        if (nanos <= 0) return (mayBarge() && tryTake(me)) || reenter(me);
        if (tryEnter(me)) return true;
        return switch (enter(new Turn(me), REASON, Waiter.deadlineIn(nanos), true)) {
            case SIGNALLED -> true;
            case TIMED_OUT -> false;
            case INTERRUPTED -> throw new InterruptedException();
        };
    }

    /** {@inheritDoc} The fiber, or the thread outside fibers, that locked must unlock. */
    @Override
    public void unlock() {
        StackRoom.ensure();
        if (owner != Caller.current()) throw notHeld();
        if (reentries != 0) {
            reentries--;
        } else {
            owner = null; // a full fence, then the mode: Q1
            released();
        }
    }

    /** Gets it if it is free, soon free, or held by the caller. */
    private boolean tryEnter(Object me) {
        if (mayBarge() && OWNER.compareAndSet(this, null, me)) return true;
        return reenter(me) || trySpinning(me);
    }

    /** Tries again for a while: the longer, the more often that was of use lately. */
    private boolean trySpinning(Object me) {
        int beats = spins;
        for (int i = 0; i < beats && mayBarge(); i++) {
            pause();
            if (!tryTake(me)) continue;
            if (beats < SPINS) spins = beats + 1;
            return true;
        }
        if (beats > 1) spins = beats >> 1;
        return false;
    }

    private boolean tryTake(Object who) {
        return owner == null && OWNER.compareAndSet(this, null, who);
    }

    private boolean reenter(Object me) {
        if (owner != me) return false;
        if (reentries == Integer.MAX_VALUE - 1) throw new Error("Maximum lock count exceeded");
        reentries++;
        return true;
    }

    @Override
    boolean tryTake(Turn turn) {
        return tryTake(turn.who);
    }

    @Override
    boolean canTake(Turn turn) {
        return owner == null;
    }

    @Override
    void giveBack(Turn turn) {
        owner = null;
    }

    private IllegalMonitorStateException notHeld() {
        return new IllegalMonitorStateException(
                this + " is not held by " + Caller.describe(Caller.current()) + "; who locked it must do this");
    }

    // ---- conditions ------------------------------------------------------------------------------------------------

    /** {@inheritDoc} It keeps to the letter of {@link Condition}, and wakes nobody without a signal. */
    @Override
    public Condition newCondition() {
        return new LockCondition<>(host, "condition of a Mutex");
    }

    private final class Host extends LockCondition.Host<Turn> {
        @Override
        SpinGuard guard() {
            return guard;
        }

        @Override
        Object ensureHeld() {
            Object me = Caller.current();
            if (owner != me) throw notHeld();
            return me;
        }

        @Override
        void ensureMaySleep() {}

        @Override
        Turn newTurn(Object who) {
            return new Turn(who);
        }

        @Override
        String reason() {
            return REASON;
        }

        @Override
        void joinUnderGuard(Turn turn) {
            Mutex.this.joinUnderGuard(turn);
        }

        @Override
        int releaseFully() {
            int holds = reentries;
            reentries = 0;
            owner = null;
            released();
            return holds;
        }

        @Override
        void reacquire(Turn turn, boolean joined, int holds) {
            if (joined) stand(turn, REASON, Long.MAX_VALUE, false);
            else enter(turn, REASON, Long.MAX_VALUE, false);
            reentries = holds;
        }
    }

    private LockCondition<?> own(Condition condition) {
        if (Objects.requireNonNull(condition, "condition") instanceof LockCondition<?> known && known.belongsTo(host))
            return known;
        throw new IllegalArgumentException("condition: " + condition + " (expected: one of this mutex, " + this + ")");
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    /**
     * Whether it is held; a hint.
     *
     * @return true when somebody holds it
     */
    public boolean isLocked() {
        return owner != null;
    }

    /**
     * Whether the caller, a fiber or else a thread, holds it.
     *
     * @return true when it does
     */
    public boolean isHeldByCurrentThread() {
        return owner == Caller.current();
    }

    /**
     * How often the caller holds it.
     *
     * @return the number of locks less that of unlocks; 0 when the caller does not hold it
     */
    public int getHoldCount() {
        return isHeldByCurrentThread() ? reentries + 1 : 0;
    }

    /**
     * The thread that holds it; a hint.
     *
     * @return the thread, a VIRTUAL fiber's as well; null when it is free or a LIGHT fiber holds it
     */
    public @Nullable Thread getOwner() {
        Object holder = owner;
        return holder == null ? null : Caller.threadOf(holder);
    }

    /**
     * Whether a thread, or the VIRTUAL fiber whose thread it is, waits to get it; a hint.
     *
     * @param thread the thread
     * @return true when it waits
     */
    public boolean hasQueuedThread(Thread thread) {
        return inLine().contains(Objects.requireNonNull(thread, "thread"));
    }

    /**
     * Whether somebody waits for a condition. The holder only.
     *
     * @param condition one of this mutex
     * @return true when somebody does
     * @throws IllegalMonitorStateException when the caller does not hold the mutex
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public boolean hasWaiters(Condition condition) {
        return getWaitQueueLength(condition) != 0;
    }

    /**
     * How many wait for a condition. The holder only.
     *
     * @param condition one of this mutex
     * @return 0 or more
     * @throws IllegalMonitorStateException when the caller does not hold the mutex
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public int getWaitQueueLength(Condition condition) {
        return own(condition).waiting().size();
    }

    /**
     * The threads among those who wait for a condition. The holder only.
     *
     * @param condition one of this mutex
     * @return a new collection; LIGHT fibers have no thread and are missing in it
     * @throws IllegalMonitorStateException when the caller does not hold the mutex
     * @throws IllegalArgumentException when it is the condition of another lock
     */
    public Collection<Thread> getWaitingThreads(Condition condition) {
        List<Object> waiting = own(condition).waiting();
        return threadsAmong(waiting);
    }

    @Override
    public String toString() {
        Object holder = owner;
        return super.toString() + (holder == null ? "[Unlocked]" : "[Locked by " + Caller.describe(holder) + "]");
    }
}
