package dev.coir.internal.sched;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Starts carriers so that what the JVM writes for one at each switch lies in no cache line of another. */
final class Apart {
    /*
     * The JVM keeps four handles of each thread in a table of its own, 32 bytes, in the order in which threads are started. It
     * writes two of them whenever a virtual thread or a continuation is mounted or leaves, and reads them for every
     * Thread.currentThread(). Two carriers that are started one right after the other share a cache line there, and slow each
     * other down: 1 000 VIRTUAL fibers that yield on two workers took 174 ns instead of 117.
     *
     * A1. Between two carriers another thread is started, and lives until all have started: so they are at least two places
     *     apart, also where ended threads have left holes. Two places are a cache line. (If a thread of the program ends
     *     just then, its place may be taken out of turn.)
     * A2. The system may not have that many threads. Then those that only fill places end, and carriers are started without.
     *     Both guarded by ApartTest.
     *
     * Not covered: spare carriers, bound threads, and schedulers that are started at different times.
     */
    private static final int TRIES = 50;
    private static final long PAUSE_NANOS = 1_000_000;

    private final CountDownLatch started = new CountDownLatch(1);
    private final List<Thread> fillers = new ArrayList<>();

    private Apart() {}

    /**
     * Starts threads.
     *
     * @param carriers those to keep apart, at least one
     * @param other one to start as well; it fills a place
     */
    static void start(List<Thread> carriers, Thread other) {
        Apart apart = new Apart();
        try {
            carriers.getFirst().start();
            other.start();
            for (int i = 1; i < carriers.size(); i++) {
                if (i > 1) apart.fill(carriers.get(i));
                apart.start(carriers.get(i));
            }
        } finally {
            apart.end();
        }
    }

    private void start(Thread carrier) {
        try {
            carrier.start();
        } catch (OutOfMemoryError noThread) {
            if (fillers.isEmpty()) throw noThread;
            end();
            startPatiently(carrier);
        }
    }

    /** The system may take a moment to give back what an ended thread had. */
    private static void startPatiently(Thread carrier) {
        for (int i = 1; ; i++) {
            try {
                carrier.start();
                return;
            } catch (OutOfMemoryError noThread) {
                if (i == TRIES) throw noThread;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void fill(Thread next) {
        if (started.getCount() == 0) return; // A2
        Thread filler = new Thread(next.getThreadGroup(), this::awaitStarted, "before " + next.getName(), 0, false);
        filler.setDaemon(true);
        try {
            filler.start();
            fillers.add(filler);
        } catch (OutOfMemoryError noThread) {
            end(); // A2
        }
    }

    private void awaitStarted() {
        try {
            started.await();
        } catch (InterruptedException toldToEnd) {
            // and it does
        }
    }

    /** Lets the fillers end, and waits for them: a scheduler has no other threads than it says. */
    private void end() {
        started.countDown();
        boolean undisturbed = true;
        for (Thread each : fillers) undisturbed &= Closing.join(each);
        fillers.clear();
        if (!undisturbed) Thread.currentThread().interrupt();
    }
}
