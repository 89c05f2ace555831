package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.Continuation.Pinned;
import jdk.internal.vm.StackChunk;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's two moves, onto a continuation's stack and off it, without what {@link Continuation#run} and
 * {@link Continuation#yield} do around them for continuations that lie inside others, or that two threads may want to run.
 * That is a fifth of the time of a switch.
 */
final class StackSwitch {
    /*
     * S1. A continuation is entered here only if no other lies underneath on its carrier, or one that is not to be left from
     *     inside: the stack of a LIGHT fiber that waits. What is on top is not told of it (`parent` is null, as if it were alone).
     *     So nothing inside can ask for one further out to be left, and there is nothing to do for `run` after it was left; nor can
     *     the frame of `enter` itself go to another carrier.
     * S2. One is left here only if it is the innermost of its carrier. What was entered here may be left by the JDK's
     *     `yield`, and what was left here may be entered by `run`: what only one of the two ways keeps up (`mounted`,
     *     `parent`, `child`, `yieldInfo`) is at rest while the continuation is left.
     * S3. `mounted`, the JDK's guard against two threads that enter one continuation, is not set here. Who calls has a guard of
     *     their own: a fiber's or coroutine's thread, the state of a virtual thread.
     * S4. A body that was called once and loops for long is compiled while it runs; the frame of who called it stays an interpreted
     *     one. The JVM puts back two frames when it enters such a stack, and if one of them is interpreted it saves them one
     *     by one when the stack is left: that takes twice as long, and goes on for ever if only one compiled frame lies
     *     on top. So now and then another frame of ours is put there: the interpreted one is left behind for good then.
     * Guarded by StackSwitchTest.
     */
    /** Which of 256 departures goes through a frame of its own: an early one, for it may need a larger place on the heap. */
    static final byte IN_OWN_FRAME = 31;

    private static final int LITTLE = 1024; // words
    private static final int BELOW_A_PAGE = 400; // words: with all that the JVM reckons besides, still less than a page

    private static final MethodHandle ENTER;
    private static final MethodHandle LEAVE;
    private static final MethodHandle REASON;
    private static final VarHandle FRAMES;
    private static final VarHandle NEWEST;
    private static final VarHandle OLDEST;
    private static MethodHandle leaveInOwnFrame; // not final, lest the JIT inline it: S4

    static {
        try {
            var lookup = JdkAccess.lookupInClosed(Continuation.class.getName());
            ENTER = lookup.findStatic(
                    Continuation.class,
                    "enterSpecial",
                    MethodType.methodType(void.class, Continuation.class, boolean.class, boolean.class));
            LEAVE = lookup.findStatic(Continuation.class, "doYield", MethodType.methodType(int.class));
            REASON = lookup.findStatic(
                    Continuation.class, "pinnedReason", MethodType.methodType(Pinned.class, int.class));
            leaveInOwnFrame = MethodHandles.lookup()
                    .findStatic(StackSwitch.class, "leaveInOwnFrame", MethodType.methodType(int.class));
            FRAMES = lookup.findVarHandle(Continuation.class, "tail", StackChunk.class);
            var inFrames = JdkAccess.lookupInClosed(StackChunk.class.getName());
            NEWEST = inFrames.findVarHandle(StackChunk.class, "sp", int.class);
            OLDEST = inFrames.findVarHandle(StackChunk.class, "bottom", int.class);
        } catch (ReflectiveOperationException e) {
            throw JdkAccess.otherJdk(e);
        }
    }

    private StackSwitch() {}

    /**
     * Enters a continuation that has not ended, and returns when it is left or has ended.
     *
     * @param entered S1, S3
     * @param below the innermost continuation of the carrier so far; null for none
     */
    static void enter(Continuation entered, @Nullable Continuation below) {
        Thread carrier = JdkAccess.currentCarrierThread();
        boolean begun = FRAMES.get(entered) != null;
        if (below != null) WideRegisters.release(); // the frames below have been left by no return
        JdkAccess.setContinuation(carrier, entered);
        try {
            ENTER.invokeExact(entered, begun, false); // those of virtual threads are ThreadRow's
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        } finally {
            VarHandle.releaseFence(); // as in the JDK: what follows stays behind the switch
            JdkAccess.setContinuation(carrier, below);
            if (entered.isDone()) FRAMES.set(entered, (StackChunk) null);
        }
    }

    /**
     * Leaves the innermost continuation of the carrier (S2), and returns when it is entered again.
     *
     * @param times how often it was left before, modulo 256: S4
     * @return null; or at once, why it cannot be left
     */
    static @Nullable Pinned leave(byte times) {
        try {
            int reason = times == IN_OWN_FRAME ? (int) leaveInOwnFrame.invokeExact() : (int) LEAVE.invokeExact();
            VarHandle.releaseFence(); // as in the JDK: what follows stays behind the switch
            return reason == 0 ? null : (Pinned) REASON.invokeExact(reason);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Returns when a continuation can be entered at the caller's depth, wherever it was left. To be called first: O4 of StackRoom.
     *
     * @throws StackOverflowError when there is no room for it
     */
    static void ensureRoom(Continuation left) {
        int words = neededWords(left);
        if (words <= LITTLE) StackRoom.ensureMore();
        else StackRoom.ensureFor(words * (long) Long.BYTES);
    }

    /**
     * As {@link #ensureRoom}, for who has changed something already, or taken it out of a queue: nothing is asked for where the caller begins.
     *
     * @return false when there is no room
     */
    static boolean hasRoom(Continuation left) {
        int words = neededWords(left);
        return words <= LITTLE ? StackRoom.hasMore() : StackRoom.hasFor(words * (long) Long.BYTES);
    }

    /** Whether a continuation that runs has never been left: the JVM makes a place for its frames when it saves them for the first time. */
    static boolean wasNeverLeft(Continuation running) {
        return FRAMES.get(running) == null;
    }

    /** Whether a continuation takes so little of the stack that the JVM does not ask for room when it is entered: less than a page. */
    static boolean isLittle(Continuation left) {
        return neededWords(left) <= BELOW_A_PAGE;
    }

    /** Frames that were saved at a time are put back at a time, at most: those that were saved before, when these have returned. */
    private static int neededWords(Continuation left) {
        int most = 0;
        for (var each = (StackChunk) FRAMES.get(left); each != null; each = each.parent())
            most = Math.max(most, (int) OLDEST.get(each) - (int) NEWEST.get(each));
        return most;
    }

    @SuppressWarnings("UnusedMethod") // S4
    private static int leaveInOwnFrame() throws Throwable {
        int reason = (int) LEAVE.invokeExact();
        VarHandle.releaseFence();
        return reason;
    }
}
