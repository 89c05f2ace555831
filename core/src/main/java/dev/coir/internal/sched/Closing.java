package dev.coir.internal.sched;

import dev.coir.internal.Stack;
import dev.coir.internal.sched.SchedulerCore.State;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Tasks;
import java.util.concurrent.locks.LockSupport;

/** How a scheduler comes to its end: it refuses new tasks, finishes or cancels those there are, and ends its threads. */
final class Closing {
    /*
     * from     to        cause                                            who moves
     * OPEN     CLOSING   close, shutdownNow                               the caller; from here on new tasks are refused
     * CLOSING  STOPPED   idle, and no task is registered as suspended     a closing thread; carriers end
     * OPEN     STOPPED   its threads could not all be started             its maker, who gets an exception instead
     *
     * K1. Idle is an instant at which every worker slept and no queue held anything: found by two looks between which nobody
     *     woke. Outside spawns reserve room before they look at the state, and a reservation is not idle; so none slips in
     *     after the last look. Guarded by SchedulerCloseTest.closeWhileSixteenThreadsSpawn.
     */
    private final SchedulerCore core;

    Closing(SchedulerCore core) {
        this.core = core;
    }

    /** Refuses new tasks, waits until all there are have ended, and ends the threads. */
    void close() {
        core.idleness.refuseFromInside("close");
        begin();
        boolean interrupted = false;
        if (core.monitor == null && !isFinishedAndIdle()) interrupted = finishByHand();
        while (!core.isStopped()) {
            try {
                core.awaitIdle(Long.MAX_VALUE);
                if (isFinishedAndIdle()) core.state = State.STOPPED;
                else core.idleness.awaitChange(this::isFinished);
            } catch (InterruptedException e) {
                interrupted = true;
                shutdownNow();
            }
        }
        core.idleness.end();
        interrupted |= !endThreads();
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void begin() {
        synchronized (core.lock) {
            int bound = core.bindings.count();
            if (bound != 0 && core.isOpen()) {
                throw new IllegalStateException("close of scheduler " + core.name + " while " + bound
                        + " threads are bound to it: close their bindings first");
            }
            if (core.isOpen()) core.state = State.CLOSING;
        }
        core.delayed.cancelPeriodic();
    }

    /** Refuses new tasks and cancels the fibers there are; does not wait. */
    void shutdownNow() {
        boolean pinned = Stack.stay();
        try {
            synchronized (core.lock) {
                if (core.isOpen()) core.state = State.CLOSING;
            }
        } finally {
            Stack.mayLeave(pinned);
        }
        core.cancelling = true;
        core.delayed.cancelAll();
        for (Live task : core.numbers.suspendedTasks()) Tasks.cancel(task);
        for (Group group : core.groups) group.wakeAll();
    }

    /** Ends a scheduler that could not start all its threads: those that were started must not stay. */
    void abandon() {
        core.state = State.STOPPED;
        if (!endThreads()) Thread.currentThread().interrupt();
    }

    private boolean isFinished() {
        return core.numbers.suspended() == 0 && core.delayed.isEmpty();
    }

    private boolean isFinishedAndIdle() {
        return isFinished() && core.idleness.isIdle();
    }

    /** Runs what is left of a scheduler that has no threads. @return whether the caller was interrupted meanwhile */
    private boolean finishByHand() {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual() || Carrier.current() != null) {
            throw new IllegalStateException(
                    "close of scheduler " + core.name + ", which has no threads, while tasks are left: " + thread
                            + " cannot run them; call it from a platform thread that is not bound");
        }
        Carrier carrier = core.bindings.enlist(thread);
        boolean interrupted = false;
        while (!core.idleness.workUntilAsleep(carrier, this::isFinishedAndIdle, Long.MAX_VALUE)) {
            interrupted |= Thread.interrupted();
            shutdownNow();
        }
        core.bindings.unbind(carrier);
        return interrupted;
    }

    /** Ends the threads, which have been told that the scheduler is stopped. @return false when the caller was interrupted */
    private boolean endThreads() {
        for (Group group : core.groups) group.wakeAll();
        boolean undisturbed = core.monitor == null || join(core.monitor.thread());
        for (Group group : core.groups) {
            for (Carrier carrier : group.slots.carriers()) undisturbed &= join(carrier.thread());
            group.reactor.poller().close();
        }
        core.shown.hide();
        return undisturbed;
    }

    /** Waits for a thread to end, whatever happens. @return false when the caller was interrupted meanwhile */
    static boolean join(Thread thread) {
        LockSupport.unpark(thread);
        boolean undisturbed = true;
        while (true) {
            try {
                thread.join();
                return undisturbed;
            } catch (InterruptedException e) {
                undisturbed = false;
            }
        }
    }
}
