package dev.coir.sync;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Caller;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens once, whoever asks first and however many ask: the others wait until it has happened, and see all
 * that it wrote.
 *
 * {@snippet :
 * private final Once opened = new Once();
 *
 * void use() {
 *     opened.run(this::open);
 *     ...
 * }
 * }
 */
public final class Once {
    private static final Object DONE = new Object();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Once.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Object state; // null; then who runs it, by CAS; then DONE, or null again when it threw
    private final WaitRoom room = new WaitRoom();

    /** Nothing has happened. */
    public Once() {}

    /**
     * Runs the body if none has run so far; returns when one has. What the body throws leaves here, and then it has not
     * happened: the next caller runs its own. Waiting does not end by an interrupt, which is remembered.
     *
     * @param body what is to happen
     * @throws IllegalStateException when called from inside the body: it would wait for itself
     */
    public void run(Runnable body) {
        Objects.requireNonNull(body, "body");
        if (state == DONE) return;
        StackRoom.ensureMore();
        Object me = Caller.current();
        while (!STATE.compareAndSet(this, null, me)) {
            Object runner = state;
            if (runner == DONE) return;
            if (runner == me) throw new IllegalStateException("run was called inside the body that runs: " + this);
            if (runner != null) room.await(() -> state != runner, "body of a Once", Long.MAX_VALUE, false);
        }
        boolean happened = false;
        try {
            body.run();
            happened = true;
        } finally {
            state = happened ? DONE : null;
            room.tellAll();
        }
    }

    /**
     * Whether it has happened.
     *
     * @return true when a body has run to its end
     */
    public boolean isDone() {
        return state == DONE;
    }

    @Override
    public String toString() {
        Object now = state;
        return "Once[" + (now == null ? "not yet" : now == DONE ? "done" : "run by " + Caller.describe(now)) + "]";
    }
}
