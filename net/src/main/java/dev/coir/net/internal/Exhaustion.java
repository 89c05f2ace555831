package dev.coir.net.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;

/** Tells that no more connections can be accepted for now. */
final class Exhaustion {
    private Exhaustion() {}

    static void report(Handle listener, IOException failure) {
        System.getLogger("dev.coir.net")
                .log(
                        Level.WARNING,
                        failure.getMessage() + ". " + listener
                                + " waits, and goes on accepting when descriptors are closed.");
    }
}
