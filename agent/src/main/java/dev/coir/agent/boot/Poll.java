package dev.coir.agent.boot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

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

    private static volatile int raised;

    private static volatile Runnable onPoll = Poll::nothing;

    private static volatile Predicate<String> woven = name -> false;

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
     * Says which classes are woven. The agent calls it, before the first is.
     *
     * @param test tells by the name of a class whether it is one of the application's, and so was woven if it needed it
     */
    public static void weaves(Predicate<String> test) {
        woven = test;
    }

    /**
     * Whether a class is woven, or would be if it had anything to weave.
     *
     * @param className its name
     * @return false for those that the agent leaves alone
     */
    public static boolean isWoven(String className) {
        return woven.test(className);
    }

    /**
     * Says what a poll does while a request is pending.
     *
     * @param hook called on the polling thread, from any line of the user's code; must not throw
     * @return what was said before
     */
    public static Runnable install(Runnable hook) {
        Runnable before = onPoll;
        onPoll = hook;
        return before;
    }

    /**
     * How many requests are pending.
     *
     * @return zero when polls cost next to nothing
     */
    public static int pending() {
        return raised;
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
