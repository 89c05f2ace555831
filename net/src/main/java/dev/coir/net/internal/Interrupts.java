package dev.coir.net.internal;

import dev.coir.internal.wait.Caller;

/** Asks the calling party, before it begins something that may wait, whether it has been interrupted. */
final class Interrupts {
    private Interrupts() {}

    static boolean take() {
        return Caller.takeInterrupt(Caller.current());
    }

    /** What was taken is for somebody else. */
    static void giveBack() {
        Caller.interrupt(Caller.current());
    }
}
