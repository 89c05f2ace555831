package dev.coir.internal.sched;

import dev.coir.internal.MonitorsBelow;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a carrier's thread waits inside a plain task, or for its own sake when it is bound: other tasks run on top of its stack
 * meanwhile, and they may wait there as well. One per carrier, for its thread only unless said otherwise.
 */
public final class StackedWaits extends dev.coir.internal.Padded {
    static final int MAX = 100; // on one stack
    private static final int ROOM = 1_000; // calls that must fit on a stack before a task is run on top of it

    private final Carrier carrier;
    private @Nullable Task aside; // plain tasks that wait until this stack is less deep, newest first
    private volatile boolean betweenSlices; // on top of a wait; written by the carrier's thread: L2 of Slots

    StackedWaits(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Whether tasks run on top of a wait of this thread. */
    boolean isWorking() {
        return carrier.depth > 0;
    }

    /** Whether this thread waits inside a task and runs no other on top of it: it may sleep. Any thread. */
    boolean isBetweenSlices() {
        return betweenSlices;
    }

    /** A slice begins on top of a wait. */
    void beginSlice() {
        betweenSlices = false;
    }

    /** A slice on top of a wait has ended, and was counted. */
    void endSlice() {
        betweenSlices = true;
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    /**
     * Works until {@code done}: what a thread of the scheduler, or bound to it, does instead of blocking. Whoever makes
     * {@code done} true must call {@link Carrier#nudge} afterwards.
     *
     * @param done when to return
     */
    void workUntil(BooleanSupplier done) {
        beginWork();
        try {
            carrier.run(done);
        } finally {
            endWork();
        }
    }

    /**
     * As {@link #workUntil(BooleanSupplier)}, and not past a deadline.
     *
     * @param done when to return
     * @param deadlineNanos as of System.nanoTime; Long.MAX_VALUE for never
     */
    void workUntil(BooleanSupplier done, long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            workUntil(done);
            return;
        }
        Timer alarm = new Timer() {
            @Override
            protected void fire() {
                carrier.nudge();
            }
        };
        Reactor reactor = carrier.group.reactor;
        reactor.setTimerAt(alarm, deadlineNanos);
        try {
            workUntil(() -> done.getAsBoolean() || deadlineNanos - System.nanoTime() <= 0);
        } finally {
            reactor.endTimer(alarm);
        }
    }

    /**
     * Waits, inside a plain task or a bound thread, until {@code done} or a deadline. One of the scheduler's own threads
     * blocks, and another takes its place, unless fibers are bound to it; a bound thread, and one with such fibers, works.
     * Whoever makes {@code done} true must call {@link Carrier#nudge} afterwards.
     *
     * @param done when to return
     * @param deadlineNanos as of System.nanoTime; Long.MAX_VALUE for never
     */
    public void waitUntil(BooleanSupplier done, long deadlineNanos) {
        // It may wait for a fiber that only this thread can run, now or when it is woken.
        if (carrier.boundLive != 0 || !Handoff.tryGive(carrier)) {
            workUntil(done, deadlineNanos);
            return;
        }
        while (!done.getAsBoolean() && !carrier.hasOwnWork()) { // after the slot is gone: pairs with wakeForMail
            if (deadlineNanos == Long.MAX_VALUE) {
                LockSupport.park(carrier);
            } else {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) break;
                LockSupport.parkNanos(carrier, left);
            }
        }
        Handoff.awaitSlot(carrier);
        if (!done.getAsBoolean()) workUntil(done, deadlineNanos);
    }

    /**
     * Runs one task on top of the caller, which is no fiber, if one is ready that can run only here: a thread that asks again
     * and again whether something has happened would else keep it from running. Where nobody but bound threads works that is
     * any task.
     *
     * @return false when there was nothing to run
     */
    public boolean workOnce() {
        boolean alone = !carrier.group.hasThreads();
        if (carrier.depth > MAX || !(alone ? carrier.group.hasWaiting(carrier) : carrier.hasOwnWork())) return false;
        beginWork();
        try {
            if (carrier.canHandOff() && !carrier.keepsSlot()) carrier.regainSlot();
            Task task = alone ? carrier.worker.pick() : takeOwn();
            if (task == null) task = carrier.takeKept();
            if (task != null) carrier.perform(task);
            carrier.errands.runAll();
            return task != null;
        } finally {
            endWork();
        }
    }

    private @Nullable Task takeOwn() {
        carrier.collectMail();
        return carrier.takeBound();
    }

    // ---- how deep --------------------------------------------------------------------------------------------------

    private void beginWork() {
        reach(ROOM);
        MonitorsBelow.settle();
        carrier.endExchanges();
        if (carrier.depth++ == 0) carrier.group.enterWork(carrier.worker);
        betweenSlices = true;
    }

    /**
     * Throws StackOverflowError where the stack is about to end, before anything was changed. If it ended while a fiber is put
     * on top of it or taken off, this thread would go on believing that it runs that fiber.
     */
    private static int reach(int levels) {
        return levels == 0 ? 0 : reach(levels - 1) + 1;
    }

    private void endWork() {
        betweenSlices = false;
        if (carrier.depth-- > MAX) takeUpAside();
        if (carrier.depth == 0) carrier.group.leaveWork(carrier.worker);
        carrier.worker.signalRequeued();
    }

    /** Keeps a plain task until fewer wait on this stack: if it waited as well, the stack would grow for ever. */
    void setAside(Task task) {
        Tasks.append(task, aside);
        aside = task;
    }

    /** Whether a task was set aside. Exact only while this thread sleeps, or is bound and does not work. */
    boolean hasAside() {
        return aside != null;
    }

    private void takeUpAside() {
        Task oldest = null;
        while (aside != null) {
            Task newest = aside;
            aside = Tasks.unlink(newest);
            Tasks.append(newest, oldest);
            oldest = newest;
        }
        while (oldest != null) {
            Task rest = Tasks.unlink(oldest);
            carrier.group.submit(oldest);
            oldest = rest;
        }
    }
}
