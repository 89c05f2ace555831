package dev.coir.coro;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.MonitorsBelow;
import dev.coir.internal.Rethrow;
import dev.coir.internal.Stack;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A procedure that can stop in the middle of its call, at any depth, and be continued later from that point.
 *
 * {@snippet :
 * var co = Coroutine.of(() -> {
 *     System.out.println("Step 2");
 *     Coroutine.suspend();
 *     System.out.println("Step 4");
 * });
 * System.out.println("Step 1");
 * co.resume();
 * System.out.println("Step 3");
 * co.resume();
 * }
 *
 * <p>A coroutine belongs to the thread, platform or virtual, that first resumed it; no other may resume it. Coroutines
 * nest, and {@link #suspend} stops the innermost. One that is dropped while suspended is garbage like any object: its
 * remaining code, {@code finally} blocks included, never runs.
 *
 * <p>Do not suspend while holding a lock that a thread owns ({@code synchronized}, {@code ReentrantLock}): the JVM does not
 * define whether the thread or the suspended stack then holds it.
 */
public final class Coroutine {
    /*
     * from       to         cause                         who moves
     * NEW        RUNNING    first resume                  the thread that thereby becomes the owner
     * NEW        DONE       unwound before it ran         likewise
     * RUNNING    SUSPENDED  suspend                       owner, back in resume
     * RUNNING    DONE       the body returned or threw    owner, back in resume
     * SUSPENDED  RUNNING    resume, unwind                owner
     *
     * C1. The owner is set once, by compare-and-set, before any other move; afterwards only the owner writes. So a
     *     thread that is not the owner is refused whatever it reads, and the state needs no atomic moves.
     *     CoroutineMisuseTest.ofTwoThreadsThatResumeFirstExactlyOneWins
     * C2. Inside the body, the innermost COROUTINE stack of the carrier is this one unless the body entered another
     *     thread's frames (a virtual thread mounted on top of us): then the current thread is not the owner, and suspend
     *     is refused. CoroutineThreadsTest.aVirtualThreadMountedOnTopIsOutsideTheCoroutine
     * C3. When the thread's stack ends on the way into or out of the body, the coroutine is done, and disowned. Since that
     *     may overflow again, the state is stored without a call, and current() disowns what is innermost but not running.
     *     CoroutineOverflowTest
     */
    private enum State {
        NEW,
        SUSPENDED,
        RUNNING,
        DONE
    }

    private static final VarHandle OWNER;
    private static final VarHandle STATE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(Coroutine.class, "owner", Thread.class);
            STATE = lookup.findVarHandle(Coroutine.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CoroutineStack stack;
    private final Runnable body;
    private @Nullable Thread owner; // written once, by CAS; read by all
    private State state = State.NEW; // written by the owner, released; read by all
    private boolean unwinding; // owner only
    private @Nullable Throwable failure; // owner only; what the body threw, on its way to resume

    private Coroutine(Runnable body) {
        JdkAccess.ensureOpen();
        this.body = body;
        this.stack = new CoroutineStack(this);
    }

    /**
     * A coroutine that will run {@code body}; it does not start yet.
     *
     * @param body what to run; may call {@link #suspend} at any depth
     * @return the new coroutine
     */
    public static Coroutine of(Runnable body) {
        return new Coroutine(Objects.requireNonNull(body, "body"));
    }

    /**
     * Runs the coroutine to its next {@link #suspend} or to its end. What the body throws leaves here, and the coroutine
     * is then done.
     *
     * @throws WrongThreadException when another thread resumed it first
     * @throws IllegalStateException when it is done, or running already
     * @throws StackOverflowError when the caller's stack has no room for that of the coroutine; it can be resumed from where there is
     */
    public void resume() {
        confine();
        if (state == State.RUNNING) throw new IllegalStateException("resume of a running coroutine: " + this);
        if (state == State.DONE) throw new IllegalStateException("resume of a coroutine that is done: " + this);
        enter();
        if (failure != null) rethrow();
    }

    /**
     * Stops the innermost running coroutine of the calling thread: its {@link #resume} returns, and its next
     * {@code resume} returns from here.
     *
     * @throws IllegalStateException when the calling thread runs no coroutine, or when a native frame on its stack
     *     forbids it; nothing is changed then
     */
    public static void suspend() {
        Coroutine self = current();
        if (self == null) {
            throw new IllegalStateException("suspend outside a coroutine: " + Thread.currentThread()
                    + " runs none; call it from the body given to Coroutine.of, on the thread that called resume");
        }
        if (self.unwinding) throw new Unwind();
        CoroutineStack.leave();
        if (self.unwinding) throw new Unwind();
    }

    /**
     * Whether the coroutine has come to its end, by returning or by throwing.
     *
     * @return true from then on
     */
    public boolean isDone() {
        return (State) STATE.getAcquire(this) == State.DONE;
    }

    /**
     * Whether the calling thread runs a coroutine, so that {@link #suspend} would stop something.
     *
     * @return true inside a coroutine
     */
    public static boolean isInside() {
        return current() != null;
    }

    /** The innermost coroutine that the calling thread runs. */
    static @Nullable Coroutine current() {
        JdkAccess.ensureOpen();
        Coroutine innermost = CoroutineStack.innermost();
        while (innermost != null && innermost.state != State.RUNNING) { // C3
            innermost.stack.disown();
            innermost = innermost.stack.outerCoroutine();
        }
        return innermost != null && innermost.owner == Thread.currentThread() ? innermost : null; // C2
    }

    /** Ends a coroutine that is not running: its pending suspend throws, so that {@code finally} blocks run. */
    void unwind() {
        if (isDone()) return;
        confine();
        switch (state) {
            case DONE -> {}
            case NEW -> STATE.setRelease(this, State.DONE);
            case RUNNING -> throw new IllegalStateException("close from inside the body: " + this);
            case SUSPENDED -> {
                stack.ensureRoom(); // else who resumes it next would unwind it
                unwinding = true;
                enter();
                if (failure != null) rethrow();
            }
        }
    }

    /** Refuses every thread but the owner; the first that asks becomes it. */
    void confine() {
        Thread current = Thread.currentThread();
        if (owner != current) claim(current);
    }

    private void enter() {
        stack.ensureRoom();
        MonitorsBelow.settle();
        try {
            STATE.setRelease(this, State.RUNNING);
            stack.enter();
            STATE.setRelease(this, stack.isDone() ? State.DONE : State.SUSPENDED);
        } catch (Throwable overflow) { // C3
            state = State.DONE;
            stack.disown();
            throw overflow;
        }
    }

    private void runBody() {
        try {
            body.run();
        } catch (Unwind end) {
            if (!unwinding) failure = end;
        } catch (Throwable t) {
            failure = t;
        }
    }

    private void claim(Thread current) {
        Thread first = (Thread) OWNER.compareAndExchange(this, null, current);
        if (first != null) {
            throw new WrongThreadException("a coroutine stays with the thread that first resumed it: " + first
                    + " (caller: " + current + "); resume it there, or make one coroutine per thread");
        }
    }

    private void rethrow() {
        Throwable thrown = failure;
        failure = null;
        throw Rethrow.asIs(Objects.requireNonNull(thrown));
    }

    @Override
    public String toString() {
        Thread thread = owner;
        return "Coroutine[" + STATE.getAcquire(this) + (thread == null ? "" : ", confined to " + thread) + "]";
    }

    /** The stack of one coroutine, and the way from a stack back to it. */
    private static final class CoroutineStack extends Stack {
        private static final Kind KIND = new Kind("coroutine");
        private final Coroutine coroutine;

        CoroutineStack(Coroutine coroutine) {
            super(KIND, coroutine::runBody, false);
            this.coroutine = coroutine;
        }

        static @Nullable Coroutine innermost() {
            return coroutineOf(innermost(KIND));
        }

        @Nullable
        Coroutine outerCoroutine() {
            return coroutineOf(outer());
        }

        private static @Nullable Coroutine coroutineOf(@Nullable Stack stack) {
            return stack == null ? null : ((CoroutineStack) stack).coroutine;
        }

        static void leave() {
            ensureNothingHeld(KIND);
            leave(KIND);
        }
    }
}
