package dev.coir.agent.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The poll that woven classes make. It stands on the boot class path, so that classes of every loader find it; it knows
 * nothing of Coir, which finds it by name.
 */
public final class Poll {
    /*
     * Polls sleep until the first request of the JVM's life: ASLEEP is a constant to the JIT, so that compiled code holds no
     * trace of them. The first request changes that constant, and the JIT throws away what it compiled on the belief that
     * it holds; also the code that just runs, which goes on in the interpreter and polls there. It happens once, so a
     * program that never keeps others waiting pays nothing, and any other pays for the compiling and then for real polls.
     *
     * pending counts the requests that nobody has answered or taken back. FLAGS is its shadow: all zero when there are none.
     *
     * The reads of a poll are plain ones. A volatile or opaque read is a barrier to the JIT, which then loads every field
     * again after each poll; that made programs up to a quarter slower. A plain read may be moved out of a loop if it does
     * not change there, and then nobody would notice a request. So a loop's poll reads another element each round: it passes
     * a number that changes. A method's poll need not: what is moved out of a loop there is a poll that the loop has itself.
     */
    private static final MutableCallSite SLEEP = new MutableCallSite(MethodHandles.constant(boolean.class, true));
    private static final MethodHandle ASLEEP = SLEEP.dynamicInvoker();
    private static final int CELLS = 64; // a power of two, more than the JIT unrolls a loop
    private static final int SELDOM = 1 << 10;
    private static final short[] FLAGS = new short[CELLS]; // short: programs seldom write to such arrays in hot loops
    private static int flag; // the same again, for methods
    private static int pending; // guarded by FLAGS
    private static volatile Runnable onPoll = Poll::nothing;

    private static volatile Predicate<String> woven = name -> false;

    private Poll() {}

    /**
     * Whether nobody has ever asked. Woven loops look at it where they would else be made slower by counting their rounds.
     *
     * @return true until the first request; a constant to compiled code
     */
    public static boolean asleep() {
        try {
            return (boolean) ASLEEP.invokeExact();
        } catch (Throwable t) {
            throw new AssertionError(t); // a constant throws nothing
        }
    }

    /** Called where a method is entered. */
    public static void here() {
        if (!asleep() && flag != 0) asked();
    }

    /**
     * Called at the end of a loop's round.
     *
     * @param round changes from one to the next
     */
    public static void here(int round) {
        if (!asleep() && FLAGS[round & CELLS - 1] != 0) asked();
    }

    /**
     * Called at the end of a loop's round that is quick: most of them are let through.
     *
     * @param round one more each time
     */
    public static void seldom(int round) {
        if (!asleep() && (round & SELDOM - 1) == 0 && FLAGS[round >>> 10 & CELLS - 1] != 0) asked();
    }

    /**
     * Called once in many rounds of a loop.
     *
     * @param round how far the loop has come
     */
    public static void strip(int round) {
        if (!asleep() && FLAGS[round >>> 14 & CELLS - 1] != 0) asked();
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
        synchronized (FLAGS) {
            return pending;
        }
    }

    /** One more request: from now on polls call the hook. */
    public static void raise() {
        synchronized (FLAGS) {
            if (asleep()) wakeUp();
            if (++pending == 1) show(1);
        }
    }

    private static void wakeUp() {
        SLEEP.setTarget(MethodHandles.constant(boolean.class, false));
        MutableCallSite.syncAll(new MutableCallSite[] {SLEEP});
    }

    /** One request less, because it was answered or taken back. */
    public static void lower() {
        synchronized (FLAGS) {
            if (--pending == 0) show(0);
        }
    }

    private static void show(int value) {
        Arrays.fill(FLAGS, (short) value);
        flag = value;
        VarHandle.fullFence();
    }
}
