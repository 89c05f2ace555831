package dev.coir.net;

import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Party;

/** Interrupts whoever called {@link #me}: a fiber or a thread. */
final class Interrupting {
    private Interrupting() {}

    static Runnable me() {
        Fiber<?> fiber = Fiber.current();
        if (fiber != null) return () -> Party.interrupt(fiber);
        Thread thread = Thread.currentThread();
        return thread::interrupt;
    }
}
