package dev.coir.net.internal;

import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.LatePoller;
import dev.coir.internal.sched.Poller;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Finds the watcher for whoever waits: the one that the workers of its group poll, or for those who run on no scheduler's own
 * thread one that has a thread itself. One instance per kind of watcher.
 */
final class Watchers {
    /** Makes watchers. */
    interface Maker {
        Watcher make(boolean makeshift);
    }

    private static final VarHandle MAKESHIFT;

    static {
        try {
            MAKESHIFT = MethodHandles.lookup().findVarHandle(Watchers.class, "makeshift", Watcher.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Class<? extends Watcher> kind;
    private final Maker maker;
    private final String threadName;
    private volatile @Nullable Watcher makeshift; // set once, by CAS
    private volatile @Nullable Thread thread; // of the makeshift one
    private volatile boolean stopping;

    Watchers(Class<? extends Watcher> kind, Maker maker, String threadName) {
        this.kind = kind;
        this.maker = maker;
        this.threadName = threadName;
    }

    /** The best watcher for the calling party. */
    Watcher preferred() {
        Carrier here = Carrier.current();
        if (here != null && here.group().hasThreads() && here.group().reactor().poller() instanceof LatePoller late) {
            Poller now = late.current();
            if (!kind.isInstance(now)) {
                now = late.install(() -> maker.make(false));
                here.group().reactor().attendPoller();
            }
            if (kind.isInstance(now) && !kind.cast(now).isClosed()) return kind.cast(now);
        }
        Watcher made = makeshift;
        return made != null ? made : startMakeshift();
    }

    /** Without a lock: fibers and the threads under them would meet there. Who comes second throws its watcher away. */
    private Watcher startMakeshift() {
        Watcher made = maker.make(true);
        Watcher before = (Watcher) MAKESHIFT.compareAndExchange(this, null, made);
        if (before != null) {
            made.close();
            return before;
        }
        start(made);
        return made;
    }

    private void start(Watcher watcher) {
        var polling = new Thread(null, () -> pollUntilStopped(watcher), threadName, 0, false);
        polling.setDaemon(true);
        thread = polling;
        polling.start();
    }

    private void pollUntilStopped(Watcher watcher) {
        while (!stopping) watcher.poll(Long.MAX_VALUE);
        watcher.close();
    }

    /** Ends the makeshift watcher and its thread, if there is one. Nobody waits for anything there any more. */
    void close() {
        stopping = true;
        Thread polling = thread;
        Watcher made = makeshift;
        if (made == null || polling == null) return;
        made.wakeUp();
        boolean interrupted = false;
        while (true) {
            try {
                polling.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
