package dev.coir.internal.sched;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A poller whose events the test makes, and which tells who polls it and how. */
final class FakePoller implements Poller {
    volatile boolean watching;
    volatile boolean closed;
    volatile @Nullable Thread blocked; // the thread that waits in here
    volatile long limit; // how long that thread was told to wait at most
    volatile @Nullable RuntimeException failure; // thrown by every poll
    volatile @Nullable Runnable onLook; // called in polls that do not wait
    final AtomicInteger looks = new AtomicInteger(); // polls that did not wait
    final AtomicInteger waits = new AtomicInteger(); // polls that did
    final AtomicInteger wakeUps = new AtomicInteger();
    final AtomicInteger overlaps = new AtomicInteger(); // polls while another thread was polling: must stay 0
    private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();
    private final List<Runnable> events = new ArrayList<>(); // guarded by this
    private boolean woken; // guarded by this

    /** Makes something happen that the poller watches for. */
    synchronized void happen(Runnable event) {
        events.add(event);
        notifyAll();
    }

    @Override
    public int poll(long nanos) {
        if (!inside.compareAndSet(null, Thread.currentThread())) overlaps.incrementAndGet();
        try {
            int events = nanos == 0 ? look() : await(nanos);
            RuntimeException thrown = failure;
            if (thrown != null) throw thrown;
            return events;
        } finally {
            inside.set(null);
        }
    }

    private int look() {
        looks.incrementAndGet();
        Runnable hook = onLook;
        if (hook != null) hook.run();
        return deliver(take());
    }

    private int await(long nanos) {
        waits.incrementAndGet();
        long start = System.nanoTime();
        synchronized (this) {
            limit = nanos;
            blocked = Thread.currentThread();
            while (!woken && events.isEmpty()) {
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) break;
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
            blocked = null;
            woken = false;
        }
        return deliver(take());
    }

    private synchronized List<Runnable> take() {
        var all = List.copyOf(events);
        events.clear();
        return all;
    }

    private static int deliver(List<Runnable> all) {
        all.forEach(Runnable::run);
        return all.size();
    }

    @Override
    public void wakeUp() {
        wakeUps.incrementAndGet();
        synchronized (this) {
            woken = true;
            notifyAll();
        }
    }

    @Override
    public boolean isWatching() {
        return watching;
    }

    @Override
    public void close() {
        closed = true;
    }
}
