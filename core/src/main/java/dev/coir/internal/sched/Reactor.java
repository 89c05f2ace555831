package dev.coir.internal.sched;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A group's timers and poller, and whose turn it is to wait in the poller. No thread of its own. */
public final class Reactor {
    /*
     * One thread at a time owns the poller: a worker that looks into it in passing, an idle one that sleeps in it, or the
     * monitor. Before it sleeps, the owner makes itself the watcher of the next-slots, and looks into them every WATCH_NANOS
     * as long as somebody is awake; meanwhile those who fill one need not signal. Invariants B1, B4 and B6 of IdlePath.
     */
    private static final long FAILED_POLL_NANOS = 1_000_000;
    private static final long WATCH_NANOS = 1_000_000; // a hidden next-slot waits no longer than this for a sleeper
    static final long LOOK_NANOS = 200_000; // a worker that has more to run looks into the poller no more often

    final Timers timers = new Timers(System::nanoTime);
    private final Group group;
    private final Poller poller;
    private final AtomicReference<@Nullable Object> owner = new AtomicReference<>(); // a Carrier, or the Monitor
    private volatile long polls; // written by the owner
    private volatile long lookedAt = System.nanoTime() - LOOK_NANOS; // the last look in passing; written by the owner
    private long pollsSeen; // by the monitor, which alone uses it
    private long pollsSeenAt; // likewise, as of System.nanoTime
    private volatile boolean watched; // written by the owner: it looks for work again before long
    private volatile long pollUntil = Long.MAX_VALUE; // written by the owner: nanoTime at which it returns

    Reactor(Group group, Poller poller) {
        this.group = group;
        this.poller = poller;
    }

    // ---- timers ----------------------------------------------------------------------------------------------------

    /**
     * Sets a timer.
     *
     * @param timer a timer that is not set
     * @param delayNanos how long from now
     */
    public void setTimer(Timer timer, long delayNanos) {
        setTimerAt(timer, System.nanoTime() + Math.clamp(delayNanos, 0, Long.MAX_VALUE / 2));
    }

    /**
     * Sets a timer.
     *
     * @param timer a timer that is not set
     * @param deadlineNanos when it fires, as of System.nanoTime; less than a century away
     */
    public void setTimerAt(Timer timer, long deadlineNanos) {
        if (!timers.setAt(timer, deadlineNanos)) return;
        if (isFree()) group.signal(); // B4 of IdlePath
        else if (pollUntil - deadlineNanos > 0) wakeUp();
    }

    /**
     * Cancels a timer.
     *
     * @param timer a timer that was set
     * @return true when it will not fire
     */
    public boolean cancelTimer(Timer timer) {
        return timers.cancel(timer);
    }

    /**
     * Cancels a timer unless it has fired. By the party that has set it, which sets it only once.
     *
     * @param timer a timer that was set
     */
    public void endTimer(Timer timer) {
        timers.end(timer);
    }

    // ---- the poller ------------------------------------------------------------------------------------------------

    /**
     * Where its idle worker sleeps.
     *
     * @return the poller
     */
    public Poller poller() {
        return poller;
    }

    /** To be called when the poller can watch more than before: an idle worker sleeps in it from now on. */
    public void attendPoller() {
        if (isFree()) group.signal();
    }

    /** Ends the sleep of the owner. Any thread. */
    void wakeUp() {
        poller.wakeUp();
    }

    boolean tryOwn(Carrier carrier) {
        return owner.get() == null && owner.compareAndSet(null, carrier);
    }

    boolean isOwnedBy(Carrier carrier) {
        return owner.get() == carrier;
    }

    private void disown() {
        watched = false;
        owner.set(null);
    }

    /**
     * The owner is awake again.
     *
     * @param searching whether it counts as a searcher: who does not, wakes somebody if there is none, for all those who searched
     *     may have stopped while the poller was taken (B4 of IdlePath)
     */
    void leave(boolean searching) {
        disown();
        if (!searching) group.signal();
    }

    /** Whether nobody polls. For a sleeper, after announcing its sleep. */
    boolean isFree() {
        return owner.get() == null;
    }

    /** Whether nobody waits for what an idle worker should wait for. */
    boolean wantsOwner() {
        return isFree() && (poller.canWatch() || timers.nanosToNext() != Long.MAX_VALUE);
    }

    /**
     * What a worker does now and then. While it has more to run, events that have come would only join the line behind that, and a
     * look costs as much as many short slices: then one every LOOK_NANOS is enough, so that events wait no longer even if the line
     * never ends. Guarded by GroupTest.
     */
    void tend(Worker worker) {
        timers.fireDue();
        worker.carrier.errands.look();
        if (!poller.isWatching()) return;
        if (hasMore(worker) && System.nanoTime() - lookedAt < LOOK_NANOS) return;
        pollIfWatching(worker);
    }

    private static boolean hasMore(Worker worker) {
        return worker.hasLocal() || worker.hasNext() || worker.carrier.hasOwnWork();
    }

    /** Polls without waiting, if that may bring anything and nobody else does. @return how many events there were */
    int pollIfWatching(Worker worker) {
        if (!poller.isWatching() || !tryOwn(worker.carrier)) return 0;
        worker.polled++;
        return lookAndDisown(worker.carrier.thread());
    }

    /**
     * Polls in place of the workers, when none has for a while: all are in long slices, and what has come may be for a
     * thread that is none of theirs. The monitor only.
     */
    void pollIfNeglected(Monitor monitor, long now, long patienceNanos) {
        if (!poller.isWatching()) return;
        long seen = polls;
        if (seen != pollsSeen || !isFree()) {
            pollsSeen = seen;
            pollsSeenAt = now;
        } else if (now - pollsSeenAt >= patienceNanos && owner.compareAndSet(null, monitor)) {
            lookAndDisown(monitor.thread());
        }
    }

    private int lookAndDisown(Thread caller) {
        try {
            notePoll();
            return poller.poll(0);
        } catch (Throwable failure) {
            group.core.report(caller, failure);
            return 0;
        } finally {
            lookedAt = System.nanoTime();
            leave(false); // who fell asleep meanwhile found the poller taken, and it is no longer (B4 of IdlePath)
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by the owner alone
    private void notePoll() {
        polls++;
    }

    // ---- sleeping in it --------------------------------------------------------------------------------------------

    /**
     * The owner is about to sleep and has not announced it yet: from now on next-slots need not be signalled. To be followed by
     * {@link #leave}, with or without {@link #block} before it.
     */
    void beginWatch() {
        watched = true;
    }

    /** Whether a sleeper looks into the next-slots before long. */
    boolean isWatched() {
        return watched;
    }

    /** Sleeps in the owned poller until an event, a timer or a wake-up, and not long while others are awake. */
    void block(Worker worker) {
        pollUntil = System.nanoTime() + Long.MAX_VALUE / 2; // until it is known, every new first timer wakes us
        long nanos = Math.min(watchNanos(), timers.nanosToNext()); // after pollUntil: pairs with setTimerAt
        try {
            if (nanos > 0) {
                pollUntil = System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 2);
                worker.polled++;
                notePoll();
                poller.poll(nanos);
            }
        } catch (Throwable failure) {
            group.core.report(worker.carrier.thread(), failure);
            LockSupport.parkNanos(FAILED_POLL_NANOS); // the next may fail as well
        }
    }

    /**
     * How long the owner may sleep without looking into next-slots; for ever when all others sleep too. A worker that woke
     * just before {@code watched} fell, and so signalled nobody, is seen awake by the second look.
     */
    private long watchNanos() {
        if (mayHideNext()) return WATCH_NANOS;
        watched = false;
        if (!mayHideNext()) return Long.MAX_VALUE;
        watched = true;
        return WATCH_NANOS;
    }

    /**
     * Whether a next-slot may hold a task, where only a searcher's last look finds it: a worker is awake, or somebody left one
     * who lost its slot, or is bound and does not work.
     */
    private boolean mayHideNext() {
        return !group.allSleep() || group.hasNext();
    }

    /**
     * For a searcher that has announced its sleep: who filled a next-slot after its last look relied on it. The owner, if it
     * sleeps for good, must look; it then looks again and again while somebody is awake.
     */
    void handOverNext() {
        if (!watched && group.hasNext()) wakeUp();
    }
}
