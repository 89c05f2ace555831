package dev.coir.sync.planted;

import jdk.internal.vm.ContinuationScope;

/** A breach for ArchitectureTest to find: only dev.coir.internal names internals of the JDK. */
public final class NamesTheJdksInternals extends ContinuationScope {
    /** Makes one. */
    public NamesTheJdksInternals() {
        super("planted");
    }
}
