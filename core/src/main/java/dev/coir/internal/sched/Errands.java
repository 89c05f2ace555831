package dev.coir.internal.sched;

import dev.coir.internal.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What fibers have left to their carrier. It is done when the carrier has nothing else to run: all of it in a row, for calls of one
 * kind cost less that way than each between two slices.
 */
public final class Errands {
    /*
     * D1. Each errand is run once for every time that it is left. Whoever takes the list takes all of it with one exchange, and takes
     *     each errand out before it runs it: from then on it may be left again. Guarded by ErrandStress.
     * D2. None is forgotten. It is left from a slice, so its carrier is awake; and this one runs what is there before it searches or sleeps,
     *     before it leaves its loop, before it blocks as far as it knows, and after PATIENCE looks in any case. While a slice
     *     lasts that does none of this, the monitor runs what it has seen waiting for 10 ms. Guarded by ErrandsTest.
     * D3. A virtual thread that leaves one is on the same carrier from asking for it until the errand is listed: it does
     *     nothing in between that could suspend.
     */
    /** Runs what is left to the calling thread's carrier, if it has one: the thread is about to block. */
    public static final Runnable RUN_HERE = Errands::runHere;

    private static final int PATIENCE = 8; // of the worker's looks at timers: 64 slices
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(Errands.class, "newest", Errand.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Consumer<Throwable> report;
    private volatile @Nullable Errand newest;
    private int looks; // since the list was last seen empty; the carrier only
    private volatile long runs; // how often its carrier has run what was there; written by it alone
    private long runsSeen = -1; // by the monitor, which alone uses it; -1 when it saw none waiting
    private long runsSeenAt; // likewise, as of System.nanoTime

    Errands(Consumer<Throwable> report) {
        this.report = report;
    }

    /** Enters an errand that stands in no list. */
    void add(Errand errand) {
        errand.listed = true;
        Errand seen = newest;
        while (true) {
            errand.older = seen;
            Errand found = (Errand) NEWEST.compareAndExchange(this, seen, errand);
            if (found == seen) return;
            seen = found;
        }
    }

    boolean isEmpty() {
        return newest == null;
    }

    /** Runs what is there, oldest first. The carrier only. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the carrier alone
    void runAll() {
        looks = 0;
        if (newest == null || !StackRoom.hasMore()) return; // each must be run to its end; others will: D2
        runs++;
        takeAndRun();
    }

    private static void runHere() {
        Carrier here = Carrier.current();
        if (here != null) here.errands.runAll();
    }

    /** To be called now and then, while there is something else to run. The carrier only. */
    void look() {
        if (newest == null) looks = 0;
        else if (++looks >= PATIENCE) runAll();
    }

    /** Runs what is there if something has been there for a while, and the carrier has not come to it. The monitor only. */
    void runNeglected(long now, long patienceNanos) {
        if (newest == null) {
            runsSeen = -1;
        } else if (runsSeen != runs) {
            runsSeen = runs;
            runsSeenAt = now;
        } else if (now - runsSeenAt >= patienceNanos) {
            runsSeen = -1;
            takeAndRun();
        }
    }

    private void takeAndRun() {
        Errand each = oldestFirst((Errand) NEWEST.getAndSet(this, null));
        while (each != null) {
            Errand next = each.older;
            each.older = null;
            each.listed = false; // after the link is read: D1
            try {
                each.perform();
            } catch (Throwable failure) { // of what wakes a party: that of others must go on
                report.accept(failure);
            }
            each = next;
        }
    }

    /** Turns a list over: each is linked to the next younger one then. */
    private static @Nullable Errand oldestFirst(@Nullable Errand newestFirst) {
        Errand turned = null;
        Errand each = newestFirst;
        while (each != null) {
            Errand older = each.older;
            each.older = turned;
            turned = each;
            each = older;
        }
        return turned;
    }
}
