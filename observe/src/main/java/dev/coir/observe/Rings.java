package dev.coir.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A ring for each platform thread that has something to tell. Lock-free: who asks may be a virtual thread in the middle of the
 * scheduler, which must not meet a monitor.
 */
final class Rings {
    private static final int PLACES = 512; // a power of two

    private final int capacity; // of each ring
    private final AtomicReferenceArray<@Nullable Ring> table = new AtomicReferenceArray<>(PLACES);

    Rings(int capacity) {
        this.capacity = capacity;
    }

    /** The ring of a thread, made when it is first asked for. */
    Ring of(Thread thread) {
        int place = (int) thread.threadId() & (PLACES - 1);
        while (true) {
            Ring first = table.get(place);
            for (Ring each = first; each != null; each = each.next) if (each.thread() == thread) return each;
            Ring fresh = new Ring(thread, capacity, first);
            if (table.compareAndSet(place, first, fresh)) return fresh;
        }
    }

    /** Seals all there are. */
    List<Ring> seal() {
        List<Ring> all = new ArrayList<>();
        for (int place = 0; place < PLACES; place++) {
            for (Ring each = table.get(place); each != null; each = each.next) {
                each.seal();
                all.add(each);
            }
        }
        return all;
    }
}
