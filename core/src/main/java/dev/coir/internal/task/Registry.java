package dev.coir.internal.task;

import dev.coir.internal.SpinGuard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that suspended, or blocked, on one worker for the first time and have not ended. What does neither is never
 * entered, so a fiber that runs straight through pays one exchange, or nothing.
 */
public final class Registry {
    /*
     * enter   1. place: null -> this registry, by CAS   2. under the guard: link, unless already unlinked
     * leave   1. place: exchange for ENDED              2. if there was a registry, under its guard: unlink, linked or not
     *
     * G1. A virtual fiber may end on one worker while the worker that ran its first slice still enters it. Whichever order
     *     the two take, it is not linked afterwards. Guarded by RegistryStress.EnterAgainstLeave.
     */
    private final SpinGuard guard = new SpinGuard();
    private @Nullable Live first; // guarded by guard
    private volatile int size; // written under guard

    /** An empty registry. */
    public Registry() {}

    /**
     * Enters a task that has suspended or is about to block, unless it is entered or has ended.
     *
     * @param task any task; it may meanwhile run elsewhere
     * @return whether it was entered now
     */
    public boolean enter(Live task) {
        if (task.place != null || !Live.PLACE.compareAndSet(task, null, this)) return false;
        guard.acquireInside(); // its place is taken already
        try {
            if (task.unlinked) return false;
            task.linked = true;
            task.after = first;
            if (first != null) first.before = task;
            first = task;
            setSize(size + 1);
            return true;
        } finally {
            guard.release();
        }
    }

    /**
     * Whether a task is in a registry, or was.
     *
     * @param task the task
     * @return false when it has never suspended
     */
    public static boolean knows(Live task) {
        return task.place != null;
    }

    /**
     * Removes a task that has ended from the registry it is in, if any.
     *
     * @param task the task, in its last slice
     */
    public static void leave(Live task) {
        if (end(task) instanceof Registry entered) entered.unlink(task);
    }

    private static @Nullable Object end(Live task) {
        try {
            return Live.PLACE.getAndSet(task, Live.ENDED);
        } catch (
                OutOfMemoryError
                        full) { // a handle needs memory at its first use; a task that stayed would keep its scheduler
            // open
            return Live.PLACE_AT_ONCE.getAndSet(task, Live.ENDED);
        }
    }

    /**
     * As {@link #leave}, for a task that is entered and removed by one thread alone: if it was never entered it pays nothing.
     *
     * @param task the task, in its last slice
     */
    public static void leaveConfined(Live task) {
        if (task.place != null) leave(task);
    }

    private void unlink(Live task) {
        guard.acquire();
        try {
            task.unlinked = true;
            if (!task.linked) return;
            if (task.before != null) task.before.after = task.after;
            else first = task.after;
            if (task.after != null) task.after.before = task.before;
            task.before = null;
            task.after = null;
            setSize(size - 1);
        } finally {
            guard.release();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under guard
    private void setSize(int n) {
        size = n;
    }

    /**
     * Copies the tasks that are entered.
     *
     * @param into where they are added
     */
    public void copyTo(List<? super Live> into) {
        guard.acquire();
        try {
            for (Live each = first; each != null; each = each.after) into.add(each);
        } finally {
            guard.release();
        }
    }

    /**
     * How many tasks are entered.
     *
     * @return the number of tasks
     */
    public int size() {
        return size;
    }
}
