package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.task.World;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A condition of a lock. One that is signalled is moved into the lock's line and sleeps on until it has the lock.
 *
 * @param <T> a place in the lock's line
 */
final class LockCondition<T extends Waiter> implements Condition {
    /*
     * C1. Signal and giving up are decided once, by the sleeper's state (Waiter's A1): a signal that meets one who gave up
     *     goes to the next. Guarded by ConditionStress.
     * C2. Whoever is signalled stands in the lock's line before the signaller can release the lock. So it wakes once.
     */

    /** The lock underneath. */
    abstract static class Host<T extends Waiter> {
        /** What guards the lock's line, and the sleepers. */
        abstract SpinGuard guard();

        /** The calling party, which holds the lock; IllegalMonitorStateException otherwise. */
        abstract Object ensureHeld();

        /** Called by the holder before it sleeps; throws when that would never end. */
        abstract void ensureMaySleep();

        abstract T newTurn(Object who);

        /** What one waits for in the line. */
        abstract String reason();

        /** Puts a turn into the line. Under guard, by the holder. */
        abstract void joinUnderGuard(T turn);

        /** Releases it, however often it is held, and returns how often it was held beyond once. */
        abstract int releaseFully();

        /** Gets it back, {@code holds} times beyond once. */
        abstract void reacquire(T turn, boolean joined, int holds);
    }

    private static final class Sleeper<T> extends Waiter {
        final Object who;
        final T turn; // for when it is signalled

        Sleeper(Object who, T turn) {
            this.who = who;
            this.turn = turn;
        }
    }

    /** By so much the two clocks may drift apart while one waits: a date must not seem to be in the future after it. */
    private static final long CLOCKS_DIFFER_NANOS = 100_000;

    private final Host<T> host;
    private final String reason;
    private final WaitQueue<Sleeper<T>> sleepers = new WaitQueue<>(); // guarded by the host's guard

    LockCondition(Host<T> host, String reason) {
        this.host = host;
        this.reason = reason;
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    @Override
    public void await() throws InterruptedException {
        sleep(Long.MAX_VALUE);
    }

    @Override
    public void awaitUninterruptibly() {
        sleep(host.ensureHeld(), Long.MAX_VALUE, false);
    }

    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        if (Waiter.deadlineIn(nanosTimeout) == Long.MAX_VALUE) {
            sleep(Long.MAX_VALUE);
            return nanosTimeout;
        }
        World world = World.current();
        long deadline = world.nanoTime() + Math.max(0, nanosTimeout);
        boolean signalled = sleep(deadline);
        long left = deadline - world.nanoTime();
        return signalled ? left : Math.min(left, 0);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return sleep(Waiter.deadlineIn(
                Math.max(0, Objects.requireNonNull(unit, "unit").toNanos(time))));
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the interface's
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        Objects.requireNonNull(deadline, "deadline");
        long now = System.currentTimeMillis();
        if (deadline.getTime() <= now) return sleep(Waiter.deadlineIn(0));
        long nanos = TimeUnit.MILLISECONDS.toNanos(deadline.getTime() - now);
        return sleep(Waiter.deadlineIn(nanos > Long.MAX_VALUE / 2 ? nanos : nanos + CLOCKS_DIFFER_NANOS));
    }

    private boolean sleep(long deadlineNanos) throws InterruptedException {
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        Waiter.Outcome how = sleep(host.ensureHeld(), deadlineNanos, true);
        if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        return how == Waiter.Outcome.SIGNALLED;
    }

    private Waiter.Outcome sleep(Object me, long deadlineNanos, boolean interruptible) {
        host.ensureMaySleep();
        StackRoom.ensureMore();
        var sleeper = new Sleeper<>(me, host.newTurn(me));
        host.guard().acquire();
        sleepers.addLast(sleeper);
        host.guard().release();
        int holds = host.releaseFully();
        Waiter.Outcome how = sleeper.await(reason, deadlineNanos, interruptible);
        boolean signalled = how == Waiter.Outcome.SIGNALLED;
        if (!signalled) {
            host.guard().acquire();
            sleepers.remove(sleeper);
            host.guard().release();
        }
        host.reacquire(sleeper.turn, signalled, holds);
        return how;
    }

    // ---- signalling ------------------------------------------------------------------------------------------------

    @Override
    public void signal() {
        host.ensureHeld();
        host.guard().acquire();
        Sleeper<T> first;
        while ((first = sleepers.pollFirst()) != null) {
            if (move(first)) break;
        }
        host.guard().release();
    }

    @Override
    public void signalAll() {
        host.ensureHeld();
        host.guard().acquire();
        Sleeper<T> first;
        while ((first = sleepers.pollFirst()) != null) move(first);
        host.guard().release();
    }

    /** From the condition into the lock's line. It is unparked when its turn has come: the turn's party is the same. */
    private boolean move(Sleeper<T> sleeper) {
        if (!sleeper.trySignal()) return false;
        sleeper.nowWaitsFor(reason, host.reason());
        host.joinUnderGuard(sleeper.turn);
        return true;
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    boolean belongsTo(Host<?> lock) {
        return host == lock;
    }

    /** Those who wait. The holder only. */
    List<Object> waiting() {
        host.ensureHeld();
        List<Object> all = new ArrayList<>();
        host.guard().acquire();
        try {
            for (Sleeper<T> each : sleepers) if (each.isWaiting()) all.add(each.who);
        } finally {
            host.guard().release();
        }
        return all;
    }
}
