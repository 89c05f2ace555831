package dev.coir.internal.sched;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which plain threads are bound to a scheduler, of all schedulers, and as which carrier. */
final class BoundThreads {
    private static final ConcurrentHashMap<Thread, Carrier> CARRIERS = new ConcurrentHashMap<>();
    private static volatile boolean everBound; // most programs never bind one, and are spared the look into the map

    private BoundThreads() {}

    /** The carrier of a bound thread. Any thread. @return null when it is not bound */
    static @Nullable Carrier carrierOf(Thread thread) {
        return everBound ? CARRIERS.get(thread) : null;
    }

    /** Makes a carrier's thread findable. */
    static void enroll(Carrier carrier) {
        everBound = true;
        CARRIERS.put(carrier.thread(), carrier);
    }

    /** A carrier's thread leaves. Under core.lock. */
    static void dismiss(Carrier carrier) {
        CARRIERS.remove(carrier.thread(), carrier);
        carrier.left = true;
    }
}
