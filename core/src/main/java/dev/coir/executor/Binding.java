package dev.coir.executor;

import dev.coir.internal.sched.Carrier;

/**
 * A plain thread's tie to a {@link Scheduler}: while it waits in one of Coir's operations, it runs the scheduler's tasks.
 * Made by {@link Scheduler#bind}, closed by the same thread.
 */
public final class Binding implements AutoCloseable {
    private final Carrier carrier;
    private boolean closed; // the bound thread only

    Binding(Carrier carrier) {
        this.carrier = carrier;
    }

    /**
     * Ends the binding. Runs first what only this thread can run: fibers that started on it, and, where no other thread works
     * for the scheduler, all that is queued. Does nothing when called again.
     *
     * @throws WrongThreadException when called by another thread
     */
    @Override
    public void close() {
        if (closed) return;
        carrier.core().unbind(carrier);
        closed = true;
    }
}
