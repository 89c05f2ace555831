package dev.coir.sim;

import dev.coir.fiber.Fiber;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** Knows when the JDK has handed in all those whom a release of a monitor has woken so far. One thread only. */
final class Unblocker implements Executor {
    /*
     * Who releases a monitor puts the next one who waits on a list. A thread of the JDK takes all of the list at a time, and
     * hands in one after the other, in an order that nobody promises. So two fibers of ours are woken that way, the second
     * when the first has come: it is in a later batch, and what was on the list before the first has come before it.
     */
    private final LinkedBlockingQueue<Runnable> slices = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable slice) {
        slices.add(slice);
    }

    /** Returns when all have been handed in. */
    void settle() {
        wakeOne();
        wakeOne();
    }

    private void wakeOne() {
        var monitor = new Object();
        boolean[] mayRelease = {false};
        Fiber<Boolean> holds = start(() -> {
            synchronized (monitor) {
                while (!mayRelease[0]) LockSupport.park();
            }
        });
        runWhatIsThere();
        Fiber<Boolean> waits = start(() -> {
            synchronized (monitor) {
                mayRelease[0] = false;
            }
        });
        runWhatIsThere();
        mayRelease[0] = true;
        LockSupport.unpark(holds.thread().orElseThrow());
        runWhatIsThere();
        boolean interrupted = false;
        while (!waits.isDone()) {
            try {
                slices.take().run(); // the JDK's thread brings it
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private Fiber<Boolean> start(Runnable body) {
        return Fiber.builder().on(this).kind(Fiber.Kind.VIRTUAL).start(() -> {
            body.run();
            return true;
        });
    }

    private void runWhatIsThere() {
        Runnable slice;
        while ((slice = slices.poll()) != null) slice.run();
    }
}
