package dev.coir.sync.planted;

import org.junit.jupiter.api.Assertions;

/** A breach for ArchitectureTest to find: core stands on few libraries. */
public final class UsesAForeignLibrary {
    /** Fails. */
    public void fail() {
        Assertions.fail();
    }
}
