package dev.coir.internal;

import dev.coir.internal.preempt.HeldLocks;
import dev.coir.internal.preempt.Strict;
import java.lang.StackWalker.StackFrame;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/**
 * A stack that can be left in the middle and entered again: the JDK's bare continuation. It knows no thread; who may run it,
 * and when, is decided by the subclass's users. Loading it in a JVM without {@linkplain JdkAccess access} fails, so ask there
 * first.
 */
public abstract class Stack extends Continuation {
    /** Tells the stacks of one kind from those of another, so that each kind suspends its own innermost. */
    public static final class Kind extends ContinuationScope {
        /**
         * A new kind.
         *
         * @param name what thread dumps call it
         */
        public Kind(String name) {
            super(name);
        }
    }

    static {
        HeldLocks.listen();
    }

    /** What its code has locked; null for nothing. For those who watch locks, on its thread. */
    public @Nullable HeldLocks heldLocks;

    private static final Pinned[] REASONS = Pinned.values();
    private static final byte OF_WHO_ENTERS = 0; // sees the scoped values that are bound where it is entered
    private static final byte NONE = 1; // sees its own only, and there were none when it was left
    private static final byte OWN = 2; // sees its own only, and there may be some

    private byte departures; // these four: its thread only
    private byte pinnedBy; // why the last suspension failed, of any kind: an index from 1 on; 0 when none did
    private byte bindings; // of scoped values: one of the three above
    private boolean entered; // it lies on the thread's own stack, on top or with others on top

    /**
     * A stack that will run {@code body} when it is first entered.
     *
     * @param kind which suspensions are meant for it
     * @param body must not throw
     * @param isApart whether it sees no scoped values but those that are bound inside; else also those that are bound where it is entered
     */
    protected Stack(Kind kind, Runnable body, boolean isApart) {
        super(kind, body);
        bindings = isApart ? NONE : OF_WHO_ENTERS;
    }

    /**
     * The innermost stack of this kind that runs on the calling carrier.
     *
     * @param kind which kind to look for
     * @return the stack, or null when none of this kind runs here
     */
    public static @Nullable Stack innermost(Kind kind) {
        return (Stack) Continuation.getCurrentContinuation(kind);
    }

    /**
     * The innermost stack on the calling carrier, of any kind.
     *
     * @return the stack, or null when the innermost frames are no stack of ours
     */
    public static @Nullable Stack top() {
        return JdkAccess.innermostContinuation() instanceof Stack stack ? stack : null;
    }

    /**
     * The stack around this one, if leaving the innermost of a kind would leave it as well.
     *
     * @param kind which kind is to be left
     * @return the next stack outwards, or null when this one is of the kind or none is around it
     */
    public final @Nullable Stack outerUpTo(Kind kind) {
        return getScope() != kind && getParent() instanceof Stack outer ? outer : null;
    }

    /**
     * Looks through the frames of the innermost stack of a kind, newest first: only which classes they are of.
     *
     * @param <R> the result
     * @param kind how far to look
     * @param look gets the frames
     * @return what it returned
     */
    public static <R extends @Nullable Object> R walkClasses(Kind kind, Function<Stream<StackFrame>, R> look) {
        int stacks = stacksUpTo(kind);
        return JdkAccess.classWalker().walk(frames -> look.apply(upTo(stacks, frames)));
    }

    /**
     * Looks through the frames of the innermost stack of a kind, newest first, with the monitors they hold.
     *
     * @param <R> the result
     * @param kind how far to look
     * @param look gets the frames, of which {@link #monitorsOf} tells
     * @return what it returned
     */
    public static <R extends @Nullable Object> R walkLive(Kind kind, Function<Stream<StackFrame>, R> look) {
        int stacks = stacksUpTo(kind);
        return JdkAccess.liveWalker().walk(frames -> look.apply(upTo(stacks, frames)));
    }

    private static int stacksUpTo(Kind kind) {
        int count = 0;
        for (Stack each = top(); each != null; each = each.outerUpTo(kind)) count++;
        return count;
    }

    /** Each stack ends with a frame of who entered it. The JDK's own walk of a scope misses what is around nested ones. */
    private static Stream<StackFrame> upTo(int stacks, Stream<StackFrame> frames) {
        int[] left = {stacks};
        return frames.takeWhile(each -> !isEntry(each.getDeclaringClass()) || --left[0] > 0);
    }

    private static boolean isEntry(Class<?> frame) {
        return frame == Continuation.class || frame == StackSwitch.class;
    }

    /**
     * The monitors that a frame holds.
     *
     * @param frame one of {@link #walkLive}
     * @return the locked objects; empty for none
     */
    public static Object[] monitorsOf(StackFrame frame) {
        return JdkAccess.monitorsOf(frame);
    }

    /**
     * In strict mode, returns when no lock of the thread is held inside the innermost stack of this kind. To be called
     * before anything is changed for a suspension; else costs nothing.
     *
     * @param kind which kind is to be left
     * @throws IllegalStateException naming the lock
     */
    public static void ensureNothingHeld(Kind kind) {
        if (Strict.ON) Strict.ensureNothingHeld(kind);
    }

    /**
     * Leaves the innermost stack of this kind: {@link #enter} returns to its caller, and the next {@code enter} returns here.
     *
     * @param kind which kind to leave
     * @throws IllegalStateException when a frame that cannot be saved lies between; the stack then runs on unharmed
     */
    public static void leave(Kind kind) {
        StackRoom.ensureToLeave();
        if (!tryLeave(kind)) throw new IllegalStateException(pinned(kind));
    }

    private static boolean tryLeave(Kind kind) {
        Stack innermost = top();
        if (innermost != null && innermost.getScope() == kind) return innermost.tryLeave();
        boolean left = Continuation.yield(kind); // with what lies on top of it
        JdkAccess.dropScopedCache();
        return left;
    }

    /**
     * As {@link #leave}, for code that runs on this stack, the innermost of its kind, and knows what to do when it cannot be
     * left. One call deep: who waits is many calls deep already, and what the JIT does not inline is a frame more in every
     * stack that is left.
     *
     * @return false when a frame that cannot be saved lies between; the stack then runs on unharmed
     */
    public final boolean tryLeave() {
        boolean left;
        if (bindings != OF_WHO_ENTERS) bindings = bindsNothing() ? NONE : OWN;
        if (JdkAccess.innermostContinuation() == this) {
            Pinned reason = StackSwitch.leave(departures++);
            left = reason == null;
            if (reason != null) onPinned(reason);
        } else {
            left = Continuation.yield(getScope()); // with what lies on top of it
        }
        JdkAccess.dropScopedCache();
        return left;
    }

    /**
     * Keeps the calling thread, if it is virtual, on its carrier until {@link #mayLeave}. To be called before every monitor that
     * carriers enter as well: since JDK 24 a virtual thread leaves its carrier at a contended one. It would go on elsewhere;
     * and as the next in line it would have to be run by carriers that stand in line behind it.
     *
     * @return whether it was pinned, for mayLeave
     */
    public static boolean stay() {
        if (!Thread.currentThread().isVirtual()) return false;
        Continuation.pin();
        return true;
    }

    /**
     * Ends what {@link #stay} began.
     *
     * @param pinned what stay returned
     */
    public static void mayLeave(boolean pinned) {
        if (pinned) Continuation.unpin();
    }

    /** Enters the stack, for the first time or where it was left, and returns when it is left or has ended. */
    public final void enter() {
        Object outside = beginStay();
        try {
            if (JdkAccess.innermostContinuation() == null) StackSwitch.enter(this, null);
            else run();
        } finally {
            endStay(outside);
        }
    }

    /**
     * As {@link #enter}, on top of the innermost stack of the caller, who waits there meanwhile: what runs here neither sees it nor
     * can leave it.
     *
     * @param below that stack, which {@link #mayBearAnother}
     */
    public final void enterOnTopOf(Stack below) {
        Object outside = beginStay();
        try {
            StackSwitch.enter(this, below);
        } finally {
            endStay(outside);
        }
    }

    private @Nullable Object beginStay() {
        entered = true;
        Object outside = JdkAccess.believedBound();
        JdkAccess.believeBound(bindings == NONE ? JdkAccess.nothingBound() : null);
        JdkAccess.dropScopedCache();
        return outside;
    }

    private void endStay(@Nullable Object outside) {
        entered = false;
        JdkAccess.dropScopedCache();
        JdkAccess.believeBound(outside);
    }

    /** No scoped value is bound on this stack, which is the innermost and runs the next body. */
    protected final void haveNoBindings() {
        JdkAccess.believeBound(JdkAccess.nothingBound());
    }

    /**
     * Returns when this stack can be entered at the caller's depth, wherever it was left. To be called before anything is changed.
     *
     * @throws StackOverflowError when there is no room for it
     */
    public final void ensureRoom() {
        StackSwitch.ensureRoom(this);
    }

    /**
     * As {@link #ensureRoom}, for who has taken the stack's fiber out of a queue already.
     *
     * @return false when there is no room for it
     */
    public final boolean hasRoom() {
        return StackSwitch.hasRoom(this);
    }

    /**
     * Whether this stack, which was left, takes so little that it can be entered wherever another may wait.
     *
     * @return false also when it cannot be told
     */
    public final boolean isLittle() {
        return StackSwitch.isLittle(this);
    }

    /**
     * Whether another stack may be entered on top of this one, on which the caller stands: it is the innermost, and binds no
     * scoped values, for the JVM would find them from above as well.
     *
     * @return false when it is to be left instead
     */
    public final boolean mayBearAnother() {
        return bindsNothing() && JdkAccess.innermostContinuation() == this;
    }

    private static boolean bindsNothing() {
        return JdkAccess.believedBound() == JdkAccess.nothingBound();
    }

    /**
     * The frames of this stack while it is left, those of stacks that were left inside it included. Only the thread that may
     * enter it may call this: the JDK does not keep it from being entered meanwhile, and then the JVM crashes.
     *
     * @return the frames, newest first; null when this stack runs underneath the caller, or has ended
     */
    public final StackTraceElement @Nullable [] suspendedFrames() {
        if (isDone() || entered) return null;
        return getStackTrace();
    }

    /**
     * To be called when {@link #enter} threw: the thread's own stack ended inside the JDK's switching code, which then may
     * go on believing that this stack runs, and a later suspension would crash the JVM. This stack is lost.
     */
    public final void disown() {
        JdkAccess.correctContinuation(this, getParent());
    }

    /**
     * The next stack outside this one that is of the same class.
     *
     * @return the stack, or null when there is none
     */
    protected final @Nullable Stack outer() {
        for (Continuation each = getParent(); each != null; each = each.getParent()) {
            if (each instanceof Stack stack && stack.getClass() == getClass()) return stack;
        }
        return null;
    }

    /**
     * Called on the innermost stack, whichever suspension failed: that of its own kind, of another, or of a virtual thread
     * that parks in our frames. It must not throw: a virtual thread that cannot be unmounted parks its carrier instead.
     */
    @Override
    @SuppressWarnings("EnumOrdinal") // a byte in each stack instead of a reference
    protected void onPinned(Pinned reason) {
        pinnedBy = (byte) (1 + reason.ordinal());
    }

    private static String pinned(Kind kind) {
        Stack top = innermost(kind);
        Pinned reason = top == null || top.pinnedBy == 0 ? null : REASONS[top.pinnedBy - 1];
        return "cannot suspend this " + kind.getName() + ": "
                + switch (reason) {
                    case NATIVE ->
                        "a native frame lies on its stack (a class initialiser, or a call that came through native code);"
                                + " suspend outside of it";
                    case CRITICAL_SECTION -> "it is inside a critical section of the JDK; suspend outside of it";
                    case null -> "a stack that runs inside it is pinned; suspend outside of it";
                    default -> "it is held by " + reason + "; suspend outside of it";
                };
    }
}
