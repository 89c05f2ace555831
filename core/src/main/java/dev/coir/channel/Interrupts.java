package dev.coir.channel;

import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import dev.coir.internal.wait.Caller;

/** Asks the calling party, before it begins something that may wait, whether it has been interrupted. */
final class Interrupts {
    private Interrupts() {}

    /** Throws when the caller has been interrupted. @return who calls, from {@link Caller#current} */
    static Object check() throws InterruptedException {
        Object caller = Caller.current();
        if (Caller.takeInterrupt(caller)) throw new InterruptedException();
        return caller;
    }

    static void restore() {
        Live fiber = Party.current();
        if (fiber == null) Thread.currentThread().interrupt();
        else Party.interrupt(fiber);
    }
}
