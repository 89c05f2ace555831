package dev.coir.internal.sched;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Whether a scheduler has anything to do, and who waits until it has not. One per scheduler. */
final class Idleness {
    /*
     * K2. A worker that falls asleep looks for waiters after it has announced its sleep; a waiter enters itself before it
     *     looks for idleness.
     */
    private final SchedulerCore core;
    private final Set<Thread> waiters = ConcurrentHashMap.newKeySet();
    private final Set<Carrier> workers = ConcurrentHashMap.newKeySet(); // bound threads that wait and work

    Idleness(SchedulerCore core) {
        this.core = core;
    }

    /** A worker fell asleep, or something else ended that counted as work. */
    void noteSleep() {
        if (waiters.isEmpty() && workers.isEmpty()) return;
        if (!looksIdle()) return;
        waiters.forEach(LockSupport::unpark);
        workers.forEach(Carrier::nudge);
    }

    private boolean looksIdle() {
        for (Group group : core.groups) if (!group.looksIdle()) return false;
        return true;
    }

    /** Whether every worker sleeps and nothing is queued: K1 of Closing. */
    boolean isIdle() {
        if (core.isStopped()) return true; // its threads sleep no more
        long before = core.all.awakenings();
        if (!looksIdle()) return false;
        return looksIdle() && core.all.awakenings() == before; // a second look: the first was not one instant
    }

    /** Refuses what waits for idleness, when the caller is one of the scheduler's own tasks. */
    void refuseFromInside(String what) {
        Carrier here = Carrier.current();
        if (here != null && here.core() == core && here.isPerforming()) {
            throw new IllegalStateException(what + " on scheduler " + core.name
                    + " from one of its own tasks, which would wait for" + " itself: call it from outside");
        }
    }

    /**
     * Waits until every worker sleeps and nothing is queued.
     *
     * @param deadlineNanos when to give up, as of System.nanoTime; Long.MAX_VALUE for never
     * @return false when the time passed first
     * @throws InterruptedException when interrupted
     */
    boolean await(long deadlineNanos) throws InterruptedException {
        Carrier here = Carrier.current();
        if (here != null && here.core() == core) return workUntilIdle(here, deadlineNanos);
        Thread self = Thread.currentThread();
        waiters.add(self);
        try {
            while (!isIdle()) {
                if (Thread.interrupted()) throw new InterruptedException();
                if (deadlineNanos == Long.MAX_VALUE) {
                    LockSupport.park(core);
                } else {
                    long left = deadlineNanos - System.nanoTime();
                    if (left <= 0) return false;
                    LockSupport.parkNanos(core, left);
                }
            }
            return true;
        } finally {
            waiters.remove(self);
        }
    }

    /** What a bound thread does instead of parking. */
    private boolean workUntilIdle(Carrier carrier, long deadlineNanos) throws InterruptedException {
        boolean idle = workUntilAsleep(carrier, this::isIdle, deadlineNanos);
        if (!idle && Thread.interrupted()) throw new InterruptedException();
        return idle;
    }

    /**
     * Works until {@code condition} holds, which cannot be before this thread sleeps as well; or until the deadline or an
     * interrupt.
     */
    boolean workUntilAsleep(Carrier carrier, BooleanSupplier condition, long deadlineNanos) {
        boolean[] held = {false}; // this thread only: it wakes to tell us, and then the condition holds no longer
        workers.add(carrier);
        try {
            carrier.waits.workUntil(
                    () -> held[0]
                            || (held[0] = condition.getAsBoolean())
                            || carrier.thread().isInterrupted(),
                    deadlineNanos);
        } finally {
            workers.remove(carrier);
        }
        return held[0];
    }

    /** Waits while fibers are suspended and nothing runs, until something may have changed. */
    void awaitChange(BooleanSupplier finished) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiters.add(self);
        try {
            long seen = core.all.awakenings();
            while (!core.isStopped() && !finished.getAsBoolean() && (core.all.awakenings() == seen || !isIdle())) {
                if (Thread.interrupted()) throw new InterruptedException();
                LockSupport.park(core);
            }
        } finally {
            waiters.remove(self);
        }
    }

    /** The scheduler has stopped: no worker will fall asleep again and tell those who wait. */
    void end() {
        waiters.forEach(LockSupport::unpark);
    }
}
