package dev.coir.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock for a few instructions: who finds it taken spins, and never parks. Not reentrant, not fair. Do not suspend, block
 * or call foreign code while holding it.
 */
public final class SpinLock extends BusyLock {
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(SpinLock.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Thread owner; // null -> thread by CAS; back to null, released, by that thread

    /** A free lock. */
    public SpinLock() {}

    /** {@inheritDoc} Spins first on a plain read, so that waiting does not take the cache line from the holder. */
    @Override
    public void lock() {
        if (tryLock()) return;
        ensureNotHeld();
        int beats = 0;
        do {
            while (owner != null) beats = pause(beats);
        } while (!tryLock());
    }

    @Override
    public boolean tryLock() {
        return owner == null && OWNER.compareAndSet(this, null, Thread.currentThread());
    }

    @Override
    public void unlock() {
        if (!isHeldByCurrentThread()) throw notHeld();
        OWNER.setRelease(this, null);
    }

    /**
     * Whether some thread holds it; a hint.
     *
     * @return true when held
     */
    public boolean isLocked() {
        return owner != null;
    }

    /**
     * Whether the calling thread holds it.
     *
     * @return true when it does
     */
    @Override
    public boolean isHeldByCurrentThread() {
        return owner == Thread.currentThread();
    }

    @Override
    public String toString() {
        Thread holder = owner;
        return "SpinLock[" + (holder == null ? "free" : "held by " + holder) + "]";
    }
}
