package dev.coir.internal;

/** Where a task's failure goes when nobody waits for its outcome. */
public final class Uncaught {
    private Uncaught() {}

    /**
     * Hands {@code failure} to the current thread's uncaught-exception handler. As when a thread dies, what the handler
     * itself throws is ignored: the caller has other tasks to run.
     *
     * @param failure what the task threw
     */
    public static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable ignored) {
            // the JVM's own rule for a handler that throws
        }
    }
}
