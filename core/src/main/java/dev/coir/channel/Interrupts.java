package dev.coir.channel;

import dev.coir.internal.task.FiberStack;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;

/** Asks the calling party, before it begins something that may wait, whether it has been interrupted. */
final class Interrupts {
    private Interrupts() {}

    static void check() throws InterruptedException {
        if (take()) throw new InterruptedException();
    }

    private static boolean take() {
        Live light = Thread.currentThread().isVirtual() ? null : FiberStack.innermost();
        return light == null ? Thread.interrupted() : Party.takeInterrupt(light);
    }

    static void restore() {
        Live fiber = Party.current();
        if (fiber == null) Thread.currentThread().interrupt();
        else Party.interrupt(fiber);
    }
}
