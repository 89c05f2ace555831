package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import dev.coir.internal.wait.Wakes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those who want what others have, and how it reaches them once it is free. The subclass keeps what is wanted in one word
 * that is taken by compare-and-set; nobody comes here while there is enough for all.
 */
abstract class Line {
    /*
     * What is released reaches those in line in one of two ways:
     *
     *   calling    it is free for all. The first in line is called and competes for it; if it loses, it is first in line
     *              again. Fast: whoever runs goes on, and at most one of those in line is called at a time.
     *   serving    it is taken for the first in line before that wakes; newcomers join at the end. Exact, and slow: what is
     *              wanted lies idle until its new owner runs.
     *
     * A fair line always serves. Any other calls, until somebody who was called loses after having stood in line for as
     * long as its patience lasts; then it serves until the first in line has not stood there that long.
     *
     * mode tells a release what to do: nothing (nobody stands in line, or one was called and competes), call, or serve.
     *
     * Q1. A release frees first and reads the mode after; who joins writes the mode first and tries once more after. Both
     *     are volatile. So what is free does not stay free while somebody waits. Guarded by LineStress.
     * Q2. Who was called takes it, or joins or leaves the line; each of these makes the mode true again and looks whether
     *     the next can be called. Guarded by LineStress.
     * Q3. Who gives up while being served has been served: Waiter's A1. What was taken for one that gave up before is given
     *     back and serves the next. Guarded by LineStress and the tests of cancellation.
     * Rejected: serving always (a convoy: each owner waits until the one before it was scheduled); calling on every release
     *     (as AbstractQueuedSynchronizer does: most who are called lose to those who run).
     */
    /** How often one who runs tries again before it joins: what is held for a few instructions is free by then. */
    static final int SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 4;

    // Some 0.9 us. Each look takes the word away from who holds it: with shorter beats eight fibers on two
    // workers locked and unlocked in 9 ns instead of 6, and with longer ones no faster.
    private static final int PAUSES = 35;

    private static final int REST = 0;
    private static final int CALL = 1;
    private static final int SERVE = 2;

    /** One party's place in the line. */
    static class Turn extends Waiter {
        final Object who;
        long since; // when it first joined, if patience may end; the party's, before it is seen by others
        boolean served; // written before it is signalled, read after

        /** A turn of the calling party. */
        Turn(Object who) {
            super(partyOf(who));
            this.who = who;
        }

        /** The next try of one who was called and lost. */
        Turn(Turn lost) {
            super(lost);
            who = lost.who;
            since = lost.since;
        }

        Turn again() {
            return new Turn(this);
        }
    }

    final SpinGuard guard = new SpinGuard();
    final boolean fair;
    private final long patienceNanos; // how long one may lose to others before it starves
    private final WaitQueue<Turn> queue = new WaitQueue<>(); // guarded by guard
    private @Nullable Turn called; // guarded by guard: competes, and counts as standing in line
    private boolean starving; // guarded by guard
    private volatile int mode; // written under guard

    /** Unless it is fair: those in line lose to those who come for at most so long. */
    Line(boolean fair, long patienceNanos) {
        this.fair = fair;
        this.patienceNanos = fair ? Long.MAX_VALUE : patienceNanos; // who is served never starves
    }

    /** Takes what the turn wants, for its party, if there is enough. Any thread. */
    abstract boolean tryTake(Turn turn);

    /** Whether {@link #tryTake} would succeed just now. */
    abstract boolean canTake(Turn turn);

    /** Undoes {@link #tryTake}, and no more. Under guard. */
    abstract void giveBack(Turn turn);

    /** Whether a newcomer may try to take what is free before those in line. */
    final boolean mayBarge() {
        return mode != SERVE;
    }

    /** One beat between two tries. */
    static void pause() {
        pause(PAUSES);
    }

    static void pause(int times) {
        for (int i = 0; i < times; i++) Thread.onSpinWait();
    }

    /** To be called after something was released, by who has ensured room before. */
    final void released() {
        if (mode != REST) serveNext();
    }

    // ---- standing in line ------------------------------------------------------------------------------------------

    /** Waits for what the turn wants. SIGNALLED: it has it. The turn's party only. */
    final Waiter.Outcome enter(Turn turn, String reason, long deadlineNanos, boolean interruptible) {
        noteTime(turn);
        return join(turn, false) ? Waiter.Outcome.SIGNALLED : stand(turn, reason, deadlineNanos, interruptible);
    }

    /** Waits as {@link #enter} does, for a turn that stands in line already. */
    final Waiter.Outcome stand(Turn turn, String reason, long deadlineNanos, boolean interruptible) {
        while (true) {
            Waiter.Outcome how;
            try {
                how = turn.await(reason, deadlineNanos, interruptible);
            } catch (Throwable noWait) { // it could not even begin
                leave(turn);
                throw noWait;
            }
            if (how != Waiter.Outcome.SIGNALLED) {
                leave(turn);
                return how;
            }
            if (turn.served) return how;
            if (compete(turn)) return how;
            turn = turn.again();
            if (join(turn, true)) return how;
        }
    }

    private boolean compete(Turn turn) {
        int spins = 0;
        while (!tryTake(turn)) {
            if (++spins > SPINS) return false;
            pause();
        }
        var woken = new Wakes();
        guard.acquire();
        called = null;
        serveUnderGuard(woken); // there may be something left for the next
        guard.release();
        woken.unparkAll();
        return true;
    }

    /** Joins the line and tries once more: Q1. */
    private boolean join(Turn turn, boolean wasCalled) {
        var woken = new Wakes();
        guard.acquire();
        if (wasCalled) {
            called = null;
            if (isStarving(turn)) starving = true;
            queue.addFirst(turn);
        } else {
            queue.addLast(turn);
        }
        tellMode();
        boolean took = (mode == CALL || queue.first() == turn) && tryTake(turn);
        if (took) {
            queue.remove(turn);
            serveUnderGuard(woken);
        }
        guard.release();
        woken.unparkAll();
        return took;
    }

    /** Joins on behalf of a party that waits for something else so far. Under guard; who holds what is wanted calls this. */
    final void joinUnderGuard(Turn turn) {
        noteTime(turn);
        queue.addLast(turn);
        tellMode();
    }

    private void noteTime(Turn turn) {
        if (patienceNanos != Long.MAX_VALUE) turn.since = turn.now();
    }

    private void leave(Turn turn) {
        var woken = new Wakes();
        guard.acquire();
        queue.remove(turn);
        serveUnderGuard(woken); // the next may want less
        guard.release();
        woken.unparkAll();
    }

    // ---- serving ---------------------------------------------------------------------------------------------------

    private void serveNext() {
        var woken = new Wakes();
        guard.acquireInside();
        serveUnderGuard(woken);
        guard.release();
        woken.unparkAll();
    }

    /** Calls or serves whom it can, and makes the mode true. Adds whom to unpark when the guard is released. */
    private void serveUnderGuard(Wakes woken) {
        Turn next;
        tellMode();
        while ((next = queue.first()) != null) {
            if (mode == SERVE) {
                if (!tryTake(next)) break;
                queue.pollFirst();
                next.served = true;
                if (next.trySignal()) woken.add(next);
                else giveBack(next);
                starving = starving && isStarving(queue.first());
            } else if (mode == CALL) {
                if (!canTake(next)) break;
                queue.pollFirst();
                if (next.trySignal()) {
                    called = next;
                    woken.add(next);
                }
            } else {
                break;
            }
            tellMode();
        }
    }

    private boolean isStarving(@Nullable Turn first) {
        return first != null && patienceNanos != Long.MAX_VALUE && first.now() - first.since > patienceNanos;
    }

    private void tellMode() {
        int now;
        if (queue.isEmpty()) {
            now = REST;
            starving = false;
        } else if (fair || starving) {
            now = SERVE;
        } else {
            now = called == null ? CALL : REST;
        }
        if (now != mode) mode = now; // a full fence: Q1. Who releases sees what did not change, and asks for the guard
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    /** Those who stand in line, called ones first. */
    final List<Object> inLine() {
        List<Object> all = new ArrayList<>();
        guard.acquire();
        try {
            if (called != null) all.add(called.who);
            for (Turn each : queue) all.add(each.who);
        } finally {
            guard.release();
        }
        return all;
    }

    // Not final: so the compiler gives the public subclasses methods of their own, which may be called by reflection.

    /**
     * Whether fibers or threads wait to get it; a hint.
     *
     * @return true when some wait
     */
    public boolean hasQueuedThreads() {
        return getQueueLength() != 0;
    }

    /**
     * How many fibers and threads wait to get it; a hint.
     *
     * @return 0 or more
     */
    public int getQueueLength() {
        guard.acquire();
        int length = queue.size() + (called == null ? 0 : 1);
        guard.release();
        return length;
    }

    /**
     * The threads among those who wait to get it, in no particular order; a hint. A VIRTUAL fiber shows as its thread, a
     * LIGHT one has none and is only counted.
     *
     * @return a new collection
     */
    public Collection<Thread> getQueuedThreads() {
        return threadsAmong(inLine());
    }

    /**
     * Whether they are served first come, first served.
     *
     * @return as it was made
     */
    public boolean isFair() {
        return fair;
    }

    static Collection<Thread> threadsAmong(List<Object> parties) {
        List<Thread> threads = new ArrayList<>();
        for (Object each : parties) {
            Thread thread = Caller.threadOf(each);
            if (thread != null) threads.add(thread);
        }
        return threads;
    }
}
