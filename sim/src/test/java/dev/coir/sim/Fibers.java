package dev.coir.sim;

import dev.coir.internal.task.World;
import java.util.concurrent.Executor;

/** What tests ask of the world they run in. */
final class Fibers {
    private Fibers() {}

    static Executor currentExecutor() {
        return (Executor) World.current();
    }

    /** Until interrupted; also under a virtual thread, which lets go of its thread in everything that waits. */
    static void blockTheThread() throws InterruptedException {
        while (!Thread.interrupted()) Thread.onSpinWait();
        throw new InterruptedException();
    }
}
