package dev.coir.sim;

import dev.coir.internal.task.World;
import java.util.concurrent.Executor;

/** What tests ask of the world they run in. */
final class Fibers {
    private Fibers() {}

    static Executor currentExecutor() {
        return (Executor) World.current();
    }
}
