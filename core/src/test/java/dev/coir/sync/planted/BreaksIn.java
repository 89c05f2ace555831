package dev.coir.sync.planted;

import java.lang.invoke.MethodHandles;

/** A breach for ArchitectureTest to find: only JdkAccess opens the JDK. */
public final class BreaksIn {
    /**
     * Breaks in.
     *
     * @return a lookup inside Thread
     * @throws IllegalAccessException when refused
     */
    public MethodHandles.Lookup breakIn() throws IllegalAccessException {
        return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    }
}
