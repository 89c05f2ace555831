package dev.coir.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * For data that is read far more often than written: readers write nothing, not even a count, and read again when a writer
 * came in between.
 *
 * {@snippet :
 * Point where = lock.read(() -> new Point(x, y));     // never half of an old and half of a new one
 * lock.write(() -> { x = 1; y = 2; });
 * }
 *
 * <p>What is read may be torn until it has been validated: a reader copies plain fields and does nothing else with them. It
 * must not follow references that a writer replaces in parts, nor run loops whose end depends on what it read.
 *
 * <p>By hand:
 *
 * {@snippet :
 * long stamp;
 * do {
 *     stamp = lock.beginRead();
 *     a = x;
 *     b = y;
 * } while (!lock.validate(stamp));
 * }
 */
public final class SeqLock {
    /*
     * version is odd while somebody writes. Writers exclude each other by a mutex, and may even wait inside.
     *
     *   write   version + 1, full fence, the data, version + 2 released
     *   read    version acquired and even, the data, load fence, version unchanged
     *
     * S1. A reader whose two versions agree has seen all writes before and none of those after. Guarded by SeqLockStress.
     * S2. A reader never spins for a writer that does not run: after some tries it queues for the mutex.
     */
    private static final int PAUSES = 10;
    private static final int TRIES = 16;
    private static final VarHandle VERSION;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(SeqLock.class, "version", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Mutex mutex = new Mutex();
    private volatile long version; // written under the mutex

    /** Nothing has been written. */
    public SeqLock() {}

    /**
     * Begins to read; waits while somebody writes.
     *
     * @return to be given to {@link #validate}
     */
    public long beginRead() {
        for (int i = 0; i < TRIES; i++) {
            long seen = version;
            if ((seen & 1) == 0) return seen;
            Line.pause(PAUSES);
        }
        mutex.lock();
        try {
            return version; // odd only if the caller itself writes
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Whether nobody wrote since.
     *
     * @param stamp from {@link #beginRead}
     * @return true when what was read in between belongs together
     */
    public boolean validate(long stamp) {
        VarHandle.acquireFence(); // the reads before stay before; pairs with the fence of write
        return version == stamp && ((stamp & 1) == 0 || mutex.isHeldByCurrentThread());
    }

    /**
     * Reads, again and again until nobody wrote meanwhile; in the end it keeps writers away.
     *
     * @param <T> what is read
     * @param body copies fields, and may be run several times
     * @return what the body returned, undisturbed
     */
    public <T extends @Nullable Object> T read(Supplier<T> body) {
        Objects.requireNonNull(body, "body");
        for (int i = 0; i < TRIES; i++) {
            long stamp = beginRead();
            try {
                T value = body.get();
                if (validate(stamp)) return value;
            } catch (RuntimeException | Error failure) {
                if (validate(stamp)) throw failure; // else it came from what was half written
            }
        }
        mutex.lock();
        try {
            return body.get();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Writes, alone.
     *
     * @param body writes fields; may call {@code write} and {@code read} again
     */
    public void write(Runnable body) {
        Objects.requireNonNull(body, "body");
        mutex.lock();
        try {
            boolean outermost = mutex.getHoldCount() == 1;
            if (outermost) {
                VERSION.setVolatile(this, version + 1);
                VarHandle.fullFence(); // the data is written after
            }
            try {
                body.run();
            } finally {
                if (outermost) VERSION.setRelease(this, version + 1);
            }
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public String toString() {
        long seen = version;
        return "SeqLock[written " + (seen >>> 1) + " times" + ((seen & 1) == 0 ? "]" : ", somebody writes]");
    }
}
