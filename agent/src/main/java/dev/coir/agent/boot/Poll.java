package dev.coir.agent.boot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The poll that woven classes make. It stands on the boot class path, so that classes of every loader find it; it knows
 * nothing of Coir, which finds it by name.
 */
public final class Poll {
    /*
     * raised counts the requests that nobody has answered or taken back; a poll with none costs one load. The read is
     * opaque: it is not hoisted out of a loop, and orders nothing else.
     */
    private static final VarHandle RAISED;

    static {
        try {
            RAISED = MethodHandles.lookup().findStaticVarHandle(Poll.class, "raised", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read and written through RAISED
    private static volatile int raised;

    private static volatile Runnable onPoll = Poll::nothing;

    private Poll() {}

    /** Called at loop back-edges and method entries of woven classes. */
    public static void here() {
        if ((int) RAISED.getOpaque() != 0) asked();
    }

    private static void asked() {
        onPoll.run();
    }

    private static void nothing() {}

    /**
     * Says what a poll does while a request is pending.
     *
     * @param hook called on the polling thread, from any line of the user's code; must not throw
     */
    public static void install(Runnable hook) {
        onPoll = hook;
    }

    /** One more request: from now on polls call the hook. */
    public static void raise() {
        RAISED.getAndAdd(1);
    }

    /** One request less, because it was answered or taken back. */
    public static void lower() {
        RAISED.getAndAdd(-1);
    }
}
