package dev.coir.internal.task;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.Stack;
import dev.coir.internal.preempt.Strict;
import java.lang.StackWalker.StackFrame;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bare stack of a fiber. It leads from the running code to its fiber. */
public final class FiberStack extends Stack {
    private static final Stack.Kind KIND = new Stack.Kind("light fiber");
    private @Nullable Live fiber; // the thread that it runs on

    /** Whether it is left, or about to be, where it may be entered on top of another: its fiber's business. Its thread only. */
    public boolean mayLieOnTop;

    /**
     * A stack that will run {@code body} when it is first entered.
     *
     * @param fiber whose stack it is at first
     * @param body must not throw
     */
    public FiberStack(Live fiber, Runnable body) {
        super(KIND, body, true);
        this.fiber = fiber;
    }

    /**
     * The fiber that the calling code runs in.
     *
     * @return the innermost fiber with a bare stack, or null when there is none on this thread
     */
    public static @Nullable Live innermost() {
        JdkAccess.ensureOpen();
        var stack = (FiberStack) innermost(KIND);
        return stack == null ? null : stack.fiber;
    }

    /**
     * Whose stack it is. Its thread only.
     *
     * @return the fiber, or null between two
     */
    public @Nullable Live fiber() {
        return fiber;
    }

    /**
     * Makes it the stack of another fiber, whose body runs on it from now on. Its thread only.
     *
     * @param next the fiber, or null for nobody
     */
    public void become(@Nullable Live next) {
        fiber = next;
        heldLocks = null; // the fiber before has ended: what it held does not count any more
    }

    /** Becomes that of nobody, on this stack itself, when a body has ended on it: what that bound does not count any more either. */
    public void vacate() {
        become(null);
        haveNoBindings(); // may need memory, so not when the next fiber has been taken out of its queue already
    }

    /**
     * In strict mode, returns when the calling code may suspend: it runs in no such fiber, or that holds no lock of its
     * thread. To be called before anything is changed for the suspension.
     *
     * @throws IllegalStateException naming the lock
     */
    public static void ensureNothingHeld() {
        if (Strict.ON && !Thread.currentThread().isVirtual() && innermost(KIND) != null) ensureNothingHeld(KIND);
    }

    /**
     * Looks through the frames of the innermost fiber, newest first, with their monitors.
     *
     * @param <R> the result
     * @param look gets the frames
     * @return what it returned
     */
    public static <R extends @Nullable Object> R walkLive(Function<Stream<StackFrame>, R> look) {
        return walkLive(KIND, look);
    }
}
