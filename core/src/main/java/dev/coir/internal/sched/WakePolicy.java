package dev.coir.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Decides whether new work should wake a sleeping worker, and which. One per group. */
final class WakePolicy {
    /*
     * Goal: no runnable task waits while a worker sleeps, and few wakes find nothing to do.
     *
     *   submit     1. publish the task       2. full fence     3. wake one if any sleeps and nobody searches
     *   give up    1. announce the sleep     2. searching--    3. full fence (both are RMWs)    4. rescan every queue
     *   found      1. searching--            2. if that was the last searcher, do as submit does from 3 on
     *
     * W1. A submitter and a worker giving up cannot both miss each other: each writes before its fence and reads after it.
     *     Guarded by WakePolicyStress.LostWake.
     * W2. At most MAX_SEARCHERS search; the submitter counts the one it wakes, so a burst wakes one, who wakes the next.
     *     Guarded by WakePolicyStress.BurstWakesOne.
     * W3. A worker whose sleep bit is set runs nothing. The bit is cleared by exactly one party, by CAS: the waker, who
     *     must then unblock the worker, or the worker itself. Guarded by WakePolicyStress.OneWaker.
     *
     * Rejected: waking one worker per submit (in a burst most find nothing); handing the task to the woken worker (it
     * leaves the submitter's warm cache, and the submitter may be first anyway).
     */
    private static final int MAX_SEARCHERS = 2;
    private static final int MAX_VAIN = 13; // one signal in 4 096 is given before it, and then none
    private static final VarHandle SLEEPERS;
    private static final VarHandle SEARCHERS;
    private static final VarHandle AWAKENINGS;

    static {
        try {
            var lookup = MethodHandles.lookup();
            SLEEPERS = lookup.findVarHandle(WakePolicy.class, "sleepers", long.class);
            SEARCHERS = lookup.findVarHandle(WakePolicy.class, "searchers", int.class);
            AWAKENINGS = lookup.findVarHandle(WakePolicy.class, "awakenings", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int vain; // searches in a row that found nothing, at most MAX_VAIN; raced, a hint
    private int skipped; // signals not given; raced, a hint
    private volatile long sleepers; // a bit per worker
    private volatile int searchers;
    private volatile long
            awakenings; // counts those who begin to run, so that two looks can tell that nobody did between

    /** A search has found something. */
    void noteUse() {
        vain >>= 1;
    }

    /** A search has found nothing. */
    void noteVain() {
        if (vain < MAX_VAIN) vain++;
    }

    /**
     * Whether a signal that may be left out, because a sleeper looks again by itself, should be given: the more searches were in
     * vain, the fewer, and none at last, until a sleeper finds something.
     */
    boolean expectsUse() {
        return vain < MAX_VAIN && (++skipped & ((1 << vain) - 1)) == 0;
    }

    /** Whether a submitter should wake somebody. To be read after a full fence that follows the publishing. */
    boolean wantsWake() {
        return sleepers != 0 && searchers == 0;
    }

    /**
     * Claims the lowest-numbered sleeper, who thereby counts as a searcher.
     *
     * @return the number of the worker that the caller must now unblock, or -1
     */
    int claimSleeper() {
        if (!SEARCHERS.compareAndSet(this, 0, 1)) return -1;
        while (true) {
            long seen = sleepers;
            if (seen == 0) {
                // Counted for nobody: who submitted meanwhile relied on us, and who went to sleep after our look missed
                // it.
                stopSearching();
                if (!wantsWake() || !SEARCHERS.compareAndSet(this, 0, 1)) return -1;
                continue;
            }
            int lowest = Long.numberOfTrailingZeros(seen);
            if (tryClear(lowest)) return lowest;
        }
    }

    /** Clears one worker's sleep bit. @return false when it was not set, or somebody else cleared it */
    boolean tryClear(int worker) {
        long bit = 1L << worker;
        while (true) {
            long seen = sleepers;
            if ((seen & bit) == 0) return false;
            if (SLEEPERS.compareAndSet(this, seen, seen & ~bit)) {
                countAwakening();
                return true;
            }
        }
    }

    void countAwakening() {
        AWAKENINGS.getAndAdd(this, 1L);
    }

    void announceSleep(int worker) {
        SLEEPERS.getAndBitwiseOr(this, 1L << worker);
    }

    boolean isAsleep(int worker) {
        return (sleepers & (1L << worker)) != 0;
    }

    boolean tryStartSearching() {
        while (true) {
            int seen = searchers;
            if (seen >= MAX_SEARCHERS) return false;
            if (SEARCHERS.compareAndSet(this, seen, seen + 1)) return true;
        }
    }

    void countSearcher() {
        SEARCHERS.getAndAdd(this, 1);
    }

    /** Uncounts a searcher. @return whether it was the last */
    boolean stopSearching() {
        return (int) SEARCHERS.getAndAdd(this, -1) == 1;
    }

    long sleepers() {
        return sleepers;
    }

    int searchers() {
        return searchers;
    }

    long awakenings() {
        return awakenings;
    }
}
