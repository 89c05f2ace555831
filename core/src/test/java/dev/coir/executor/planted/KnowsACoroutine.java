package dev.coir.executor.planted;

import dev.coir.coro.Coroutine;

/** A breach for ArchitectureTest to find: executors know no coroutine. */
public final class KnowsACoroutine {
    @Override
    public String toString() {
        return "inside: " + Coroutine.isInside();
    }
}
