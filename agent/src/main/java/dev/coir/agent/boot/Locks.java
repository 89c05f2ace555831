package dev.coir.agent.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Told by woven classes which locks their code takes and frees, so that Coir knows when a LIGHT fiber holds none. Stands on
 * the boot class path, like {@link Poll}.
 */
public final class Locks {
    /** To the hook: the calling thread has taken the lock. */
    public static final int TAKEN = 1;

    /** To the hook: the calling thread has freed the lock. */
    public static final int FREED = -1;

    /** To the hook: the calling thread may hold something that cannot be told; the object says what. */
    public static final int UNKNOWN = 0;

    /** To the hook: locks may be taken unseen from now on, by any thread. */
    public static final int UNSEEN = 2;

    private static volatile @Nullable ObjIntConsumer<@Nullable Object> hook; // null until somebody wants to know
    private static volatile boolean unseen; // some were taken unseen before there was a hook

    private Locks() {}

    /**
     * Starts telling.
     *
     * @param told gets the lock, and what happened to it; on the thread that did it; must not throw; null for nobody
     * @return who was told before
     */
    public static @Nullable ObjIntConsumer<@Nullable Object> install(@Nullable ObjIntConsumer<@Nullable Object> told) {
        ObjIntConsumer<@Nullable Object> before = hook;
        hook = told;
        if (unseen && told != null) told.accept(null, UNSEEN);
        return before;
    }

    /**
     * After a lock was taken.
     *
     * @param lock which
     */
    public static void taken(Object lock) {
        tell(lock, TAKEN);
    }

    /**
     * After a lock was freed.
     *
     * @param lock which
     */
    public static void freed(Object lock) {
        tell(lock, FREED);
    }

    /**
     * After a try to take a lock.
     *
     * @param lock which
     * @param success what the try returned
     * @return the same
     */
    public static boolean tried(Object lock, boolean success) {
        if (success) tell(lock, TAKEN);
        return success;
    }

    /**
     * In the place of {@link Lock#tryLock(long, TimeUnit)}.
     *
     * @param lock which
     * @param time how long to try
     * @param unit of time
     * @return whether it was taken
     * @throws InterruptedException as the lock's own
     */
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        return tried(lock, lock.tryLock(time, unit));
    }

    /**
     * Before something is taken that has no owner: a permit, a stamp.
     *
     * @param what its class and method
     */
    public static void unknown(String what) {
        tell(what, UNKNOWN);
    }

    /** From now on locks may be taken unseen: by a method reference, or in a class that could not be woven. */
    public static void unseen() {
        if (unseen) return;
        unseen = true;
        tell(null, UNSEEN);
    }

    private static void tell(@Nullable Object lock, int what) {
        ObjIntConsumer<@Nullable Object> told = hook;
        if (told != null) told.accept(lock, what);
    }
}
