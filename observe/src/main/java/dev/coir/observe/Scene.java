package dev.coir.observe;

import dev.coir.fiber.Fiber;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Party;
import org.jspecify.annotations.Nullable;

/**
 * Where something happens: a row of the picture that a trace gives.
 *
 * @param stage what kind of row
 * @param number of the fiber or thread
 * @param name what the row is called; null for a fiber without a name
 */
record Scene(Stage stage, long number, @Nullable String name) {
    /** The kinds of rows; each becomes a process of the trace file. */
    enum Stage {
        THREADS(1, "threads"),
        FIBERS(2, "fibers"),
        VIRTUAL_THREADS(3, "virtual threads");

        final int pid;
        final String title;

        Stage(int pid, String title) {
            this.pid = pid;
            this.title = title;
        }
    }

    /** Where the calling code stands: in a fiber, else on a thread. */
    static Scene current() {
        Fiber<?> fiber = Fiber.current();
        if (fiber != null) return new Scene(Stage.FIBERS, fiber.id(), Party.givenNameOf(fiber));
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) return new Scene(Stage.VIRTUAL_THREADS, thread.threadId(), thread.getName());
        return of(JdkAccess.currentCarrierThread());
    }

    static Scene of(Thread platformThread) {
        return new Scene(Stage.THREADS, platformThread.threadId(), platformThread.getName());
    }
}
