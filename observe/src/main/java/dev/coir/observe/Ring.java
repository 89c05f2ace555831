package dev.coir.observe;

import dev.coir.internal.SpinGuard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest events of one thread. Written by that thread, and read once, by whoever ends the trace. */
final class Ring {
    /** What happened. The comment says what stands in fiber, number, name and detail. */
    enum Kind {
        SLICE_BEGAN, // fiber, or 0; its name, or the class of a task
        SLICE_ENDED,
        STARTED, // fiber; name
        ENDED, // fiber; name
        WAITS, // fiber; name; reason
        WAITED, // fiber; name
        UNPARKED, // fiber; name
        SLEEPS, // number: 1 in the poller
        SLEPT,
        STOLE, // number of tasks; from which thread
        HANDED_OFF, // from; to
        ASKED, // fiber, or 0; number of the thread that was asked
        EVENT, // the TraceEvent as detail: at its beginning, and again at its end
        MARK // fiber, or 0; name; the Scene it belongs to as detail
    }

    /** One event, taken out. */
    record Entry(
            Kind kind,
            long time,
            long fiber,
            long number,
            @Nullable Object name,
            @Nullable Object detail) {}

    private static final int FIRST_CAPACITY = 256;

    private final Thread thread;
    private final int maxCapacity; // a power of two
    final @Nullable Ring next; // of those in the same place of the table: see Rings
    private final SpinGuard guard = new SpinGuard(); // all below
    private Kind[] kinds;
    private long[] longs; // time, fiber, number of each
    private @Nullable Object[] objects; // name, detail of each
    private long count; // ever added
    private boolean sealed;

    Ring(Thread thread, int maxCapacity, @Nullable Ring next) {
        this.thread = thread;
        this.maxCapacity = maxCapacity;
        this.next = next;
        int capacity = Math.min(FIRST_CAPACITY, maxCapacity);
        this.kinds = new Kind[capacity];
        this.longs = new long[3 * capacity];
        this.objects = new Object[2 * capacity];
    }

    Thread thread() {
        return thread;
    }

    /** Adds an event that happens now, in place of the oldest when there is no room. Not once sealed. */
    void add(Kind kind, long fiber, long number, @Nullable Object name, @Nullable Object detail) {
        guard.acquireInside();
        try {
            if (sealed) return;
            if (count == kinds.length && kinds.length < maxCapacity) grow();
            int at = (int) (count & (kinds.length - 1));
            kinds[at] = kind;
            longs[3 * at] = System.nanoTime();
            longs[3 * at + 1] = fiber;
            longs[3 * at + 2] = number;
            objects[2 * at] = name;
            objects[2 * at + 1] = detail;
            count++;
        } finally {
            guard.release();
        }
    }

    private void grow() {
        int capacity = 2 * kinds.length;
        Kind[] moreKinds = Arrays.copyOf(kinds, capacity);
        long[] moreLongs = Arrays.copyOf(longs, 3 * capacity);
        objects = Arrays.copyOf(objects, 2 * capacity);
        longs = moreLongs;
        kinds = moreKinds; // last: it says how many fit
    }

    /** Ends the adding. What was added before stays as it is. */
    void seal() {
        guard.acquire();
        sealed = true;
        guard.release();
    }

    /** How many were added and have been overwritten. After {@link #seal}. */
    long lost() {
        return Math.max(0, count - kinds.length);
    }

    /** The events that are left, oldest first. After {@link #seal}. */
    List<Entry> entries() {
        List<Entry> all = new ArrayList<>();
        for (long i = lost(); i < count; i++) {
            int at = (int) (i & (kinds.length - 1));
            all.add(new Entry(
                    kinds[at],
                    longs[3 * at],
                    longs[3 * at + 1],
                    longs[3 * at + 2],
                    objects[2 * at],
                    objects[2 * at + 1]));
        }
        return all;
    }
}
