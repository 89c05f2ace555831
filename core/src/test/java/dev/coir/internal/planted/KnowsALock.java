package dev.coir.internal.planted;

import dev.coir.sync.SpinLock;

/** A breach for ArchitectureTest to find: the lowest layer knows none above it. */
public final class KnowsALock {
    private final SpinLock lock = new SpinLock();

    @Override
    public String toString() {
        return lock.toString();
    }
}
