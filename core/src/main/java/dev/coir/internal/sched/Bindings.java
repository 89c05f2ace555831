package dev.coir.internal.sched;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** The plain threads that work for a scheduler while they wait. One per scheduler. */
final class Bindings {
    private final SchedulerCore core;

    @GuardedBy("core.lock")
    private int count;

    Bindings(SchedulerCore core) {
        this.core = core;
    }

    /** How many threads are bound. */
    int count() {
        synchronized (core.lock) {
            return count;
        }
    }

    /**
     * Binds the calling thread.
     *
     * @return its carrier
     */
    Carrier bind() {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) {
            throw new WrongThreadException(
                    "bind from a virtual thread: only a platform thread can run tasks; " + thread);
        }
        if (Carrier.current() != null) {
            throw new IllegalStateException(thread + " runs tasks of a scheduler already: one binding per thread");
        }
        synchronized (core.lock) {
            if (!core.isOpen()) throw new IllegalStateException("bind to a closed scheduler: " + core.name);
            return enlist(thread);
        }
    }

    /** Binds a thread also after closing has begun. */
    Carrier enlist(Thread thread) {
        synchronized (core.lock) {
            Carrier carrier = core.group(-1).bind(thread); // may refuse
            count++;
            BoundThreads.enroll(carrier);
            return carrier;
        }
    }

    /**
     * Ends a binding: first runs what only this thread can run.
     *
     * @param carrier what {@link #bind} gave
     */
    void unbind(Carrier carrier) {
        if (carrier.thread() != Thread.currentThread()) {
            throw new WrongThreadException("a binding is closed by the thread that made it: " + carrier.thread());
        }
        if (carrier.waits.isWorking()) {
            throw new IllegalStateException("the binding of " + carrier.thread() + " to scheduler " + core.name
                    + " is closed by a task that this very thread runs: let it finish first");
        }
        boolean interrupted = false;
        carrier.worker.abandonQueues(); // what this thread spawned while it did not work
        while (!tryUnbind(carrier)) {
            boolean alone;
            synchronized (core.lock) {
                alone = count == 1 && !carrier.group().hasThreads();
            }
            interrupted |= Thread.interrupted(); // else it could not sleep while it waits
            carrier.waits.workUntil(
                    () -> !isNeeded(carrier, alone) || carrier.thread().isInterrupted());
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** Whether tasks are left that only this bound thread can run. */
    private static boolean isNeeded(Carrier carrier, boolean alone) {
        return carrier.hasBoundFibers() || (alone && carrier.group().hasWork());
    }

    private boolean tryUnbind(Carrier carrier) {
        synchronized (core.lock) {
            Group group = carrier.group();
            boolean alone = count == 1 && !group.hasThreads();
            if (isNeeded(carrier, alone)) return false;
            BoundThreads.dismiss(carrier);
            group.unbind(carrier);
            count--;
        }
        core.noteSleep();
        return true;
    }
}
