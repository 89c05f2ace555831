package dev.coir.net.internal;

import dev.coir.internal.SpinGuard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The lock of everything in the simulated system, and the wait for a change. Whoever wants it spins: a worker that stood in line
 * behind one of its own fibers would wait for ever, for that fiber gets the lock and nobody to run it.
 */
final class SimulatedLock {
    private final SpinGuard guard = new SpinGuard();
    private final Set<Thread> waiting = new HashSet<>(); // guarded by guard

    /** Does something alone. It must not wait. */
    <T> T alone(Supplier<T> body) {
        guard.acquire();
        try {
            return body.get();
        } finally {
            guard.release();
        }
    }

    /** Does something alone that others may be waiting for. */
    <T> T change(Supplier<T> body) {
        List<Thread> woken = new ArrayList<>();
        T result = alone(() -> {
            woken.addAll(waiting);
            return body.get();
        });
        woken.forEach(LockSupport::unpark);
        return result;
    }

    /**
     * Waits, without the lock, until a condition is true, which is looked at under the lock. As in a system call, an interrupt
     * does not end it.
     *
     * @return false when the time was up first
     */
    boolean await(long nanos, BooleanSupplier condition) {
        Thread self = Thread.currentThread();
        long start = System.nanoTime();
        boolean interrupted = false;
        boolean isTrue;
        while (!(isTrue = look(condition, self))) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) break;
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        alone(() -> waiting.remove(self));
        if (interrupted) self.interrupt();
        return isTrue;
    }

    private boolean look(BooleanSupplier condition, Thread self) {
        return alone(() -> {
            waiting.add(self); // from now on a change is noticed
            return condition.getAsBoolean();
        });
    }
}
