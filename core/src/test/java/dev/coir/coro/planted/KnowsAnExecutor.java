package dev.coir.coro.planted;

import dev.coir.executor.ManualExecutor;

/** A breach for ArchitectureTest to find: coroutines know no executor. */
public final class KnowsAnExecutor {
    private final ManualExecutor executor = new ManualExecutor();

    @Override
    public String toString() {
        return executor.toString();
    }
}
