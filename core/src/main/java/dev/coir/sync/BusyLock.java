package dev.coir.sync;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** What the spinning locks share: waits that end early, and the refusal of conditions. */
abstract sealed class BusyLock implements Lock permits SpinLock, McsLock {
    private static final int SPINS_BEFORE_YIELD = 128;

    /** Waits one beat; every so often lets other threads have the processor, among them perhaps the lock's holder. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint is what is wanted
    static int pause(int beats) {
        if (beats < SPINS_BEFORE_YIELD) Thread.onSpinWait();
        else Thread.yield();
        return beats < SPINS_BEFORE_YIELD ? beats + 1 : 0;
    }

    abstract boolean isHeldByCurrentThread();

    final void ensureNotHeld() {
        if (isHeldByCurrentThread()) {
            throw new IllegalStateException(this + " is not reentrant: the calling thread holds it already; use Mutex");
        }
    }

    final IllegalMonitorStateException notHeld() {
        return new IllegalMonitorStateException("unlock of " + this + " by a thread that does not hold it: "
                + Thread.currentThread() + "; the thread that locked must unlock");
    }

    @Override
    public final void lockInterruptibly() throws InterruptedException {
        if (!acquireBefore(System.nanoTime(), Long.MAX_VALUE)) throw new AssertionError("292 years passed");
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return acquireBefore(
                System.nanoTime(), Objects.requireNonNull(unit, "unit").toNanos(time));
    }

    private boolean acquireBefore(long start, long nanos) throws InterruptedException {
        if (Thread.interrupted()) throw new InterruptedException();
        ensureNotHeld();
        int beats = 0;
        while (!tryLock()) {
            if (System.nanoTime() - start >= nanos) return false;
            beats = pause(beats);
            if (Thread.interrupted()) throw new InterruptedException();
        }
        return true;
    }

    /**
     * Not supported: whoever waits for a condition would spin.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public final Condition newCondition() {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no conditions; use Mutex");
    }
}
