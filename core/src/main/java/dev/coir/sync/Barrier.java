package dev.coir.sync;

import dev.coir.internal.wait.Waiter;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A number of parties wait for each other, again and again: what {@code CyclicBarrier} is for threads, for fibers of both
 * kinds and threads. When one of them gives up, all of them are told: the barrier is broken until it is reset.
 */
public final class Barrier {
    /*
     * Each crossing is a Round of its own, which ends once: crossed or broken. Those who wait hold on to their round, so
     * what happens to later ones does not concern them. The mutex guards which round it is and who is missing.
     */
    private static final class Round {
        final WaitRoom room = new WaitRoom();
        volatile boolean crossed; // written under the mutex, once
        volatile boolean broken; // likewise; never both

        boolean isOver() {
            return crossed || broken;
        }
    }

    private final int parties;
    private final @Nullable Runnable action;
    private final Mutex mutex = new Mutex();
    private Round round = new Round(); // guarded by mutex
    private int missing; // guarded by mutex

    /**
     * A barrier without an action.
     *
     * @param parties how many must come
     * @throws IllegalArgumentException when less than one
     */
    public Barrier(int parties) {
        this(parties, null);
    }

    /**
     * A barrier.
     *
     * @param parties how many must come
     * @param action what the last to come does before all go on, or null
     * @throws IllegalArgumentException when less than one
     */
    public Barrier(int parties, @Nullable Runnable action) {
        if (parties <= 0) throw new IllegalArgumentException("parties: " + parties + " (expected: 1 or more)");
        this.parties = parties;
        this.missing = parties;
        this.action = action;
    }

    /**
     * Waits until all parties have come.
     *
     * @return how many were missing when the caller came, itself not counted: 0 for the last
     * @throws InterruptedException when interrupted or cancelled while waiting; the barrier is broken then
     * @throws BrokenBarrierException when another gave up, the barrier was reset meanwhile, was broken before, or its action
     *     threw on another party
     */
    public int await() throws InterruptedException, BrokenBarrierException {
        try {
            return await(Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new AssertionError("no time was set", e);
        }
    }

    /**
     * Waits until all parties have come, not for ever.
     *
     * @param timeout how long; zero or less: not at all
     * @param unit of the time-out
     * @return how many were missing when the caller came, itself not counted: 0 for the last
     * @throws InterruptedException when interrupted or cancelled while waiting; the barrier is broken then
     * @throws BrokenBarrierException when another gave up, the barrier was reset meanwhile, was broken before, or its action
     *     threw on another party
     * @throws TimeoutException when the time was up; the barrier is broken then
     */
    public int await(long timeout, TimeUnit unit)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(Waiter.deadlineIn(
                Math.max(0, Objects.requireNonNull(unit, "unit").toNanos(timeout))));
    }

    private int await(long deadlineNanos) throws InterruptedException, BrokenBarrierException, TimeoutException {
        Round mine;
        int index;
        mutex.lock();
        try {
            mine = round;
            if (mine.broken) throw new BrokenBarrierException();
            if (new Waiter().takeInterrupt()) {
                breakRound();
                throw new InterruptedException();
            }
            index = --missing;
            if (index == 0) {
                cross();
                return 0;
            }
        } finally {
            mutex.unlock();
        }
        Waiter.Outcome how;
        try {
            how = mine.room.await(mine::isOver, "parties of a Barrier", deadlineNanos, true);
        } catch (Throwable noWait) { // the others must not wait for who has gone
            tryBreak(mine);
            throw noWait;
        }
        if (how != Waiter.Outcome.SIGNALLED && !tryBreak(mine)) how = restored(how);
        if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        if (mine.crossed) return index;
        if (how == Waiter.Outcome.TIMED_OUT) throw new TimeoutException();
        throw new BrokenBarrierException();
    }

    /** The last has come. Under the mutex. */
    private void cross() {
        boolean acted = false;
        try {
            if (action != null) action.run();
            acted = true;
        } finally {
            if (acted) end(true);
            else breakRound();
        }
        next();
    }

    /** One gives up. False when its round had ended before. */
    private boolean tryBreak(Round mine) {
        mutex.lockInside(); // await has asked for the room
        try {
            if (mine.isOver()) return false;
            breakRound();
            return true;
        } finally {
            mutex.unlock();
        }
    }

    /** Its round ended before it could give up: it counts as told, and an interrupt is still there. */
    private static Waiter.Outcome restored(Waiter.Outcome how) {
        if (how == Waiter.Outcome.INTERRUPTED) Thread.currentThread().interrupt();
        return Waiter.Outcome.SIGNALLED;
    }

    private void breakRound() {
        missing = parties;
        end(false);
    }

    private void end(boolean crossed) {
        if (crossed) round.crossed = true;
        else round.broken = true;
        round.room.tellAll();
    }

    private void next() {
        missing = parties;
        round = new Round();
    }

    /** Begins anew. Who waits gets a {@link BrokenBarrierException}. */
    public void reset() {
        mutex.lock();
        try {
            breakRound();
            next();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Whether a party gave up, or the action threw, since it was made or reset.
     *
     * @return true when it is broken
     */
    public boolean isBroken() {
        mutex.lock();
        try {
            return round.broken;
        } finally {
            mutex.unlock();
        }
    }

    /**
     * How many must come.
     *
     * @return 1 or more
     */
    public int getParties() {
        return parties;
    }

    /**
     * How many wait; a hint.
     *
     * @return 0 or more
     */
    public int getNumberWaiting() {
        mutex.lock();
        try {
            return parties - missing;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public String toString() {
        return "Barrier[" + getNumberWaiting() + " of " + parties + " have come" + (isBroken() ? ", broken]" : "]");
    }
}
