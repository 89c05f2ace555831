package dev.coir.internal.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from many senders to one reader, and the knowledge whether a reader is under way. Sending is lock-free and
 * allocates nothing; the reader takes all that is there with one exchange.
 */
public final class Mailbox {
    /*
     * The state is one reference, the newest task, linked to older ones:
     *
     *   null                    idle: empty, and no reader
     *   READING                 empty, and a reader is under way
     *   task -> ... -> null     the oldest task found the box idle: its sender must bring a reader
     *   task -> ... -> READING  a reader is under way and will come back for these
     *
     * M1. Between two idle states exactly one send returns true. So exactly one reader is brought, and the box is never
     *     left with tasks and no reader. Guarded by MailboxStress.OneReader.
     * M2. What a sender wrote before send, the reader sees after takeAll: the exchange and the compare-and-sets are full
     *     fences. Guarded by MailboxStress.Publication.
     * M3. Tasks of one sender come out in the order sent: the list is last-in-first-out and is turned over once.
     *
     * Rejected: JCTools' MPSC queues (a node or an array slot per task, and no idle state: a second word would be needed
     * and M1 would span both); a linked queue with exchanged tail (the reader waits for a sender stopped in between).
     */
    private static final VarHandle NEWEST;
    private static final Task READING = new Task() {
        @Override
        public void runSlice() {
            throw new AssertionError("the READING mark is not a task");
        }
    };

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(Mailbox.class, "newest", Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Task newest;

    /** An idle mailbox. */
    public Mailbox() {}

    /**
     * Sends a task. Any thread.
     *
     * @param task not in any queue
     * @return whether the box was idle: the caller must now bring a reader
     */
    public boolean send(Task task) {
        Task seen = newest;
        while (true) {
            task.next = seen;
            Task found = (Task) NEWEST.compareAndExchange(this, seen, task);
            if (found == seen) return seen == null;
            seen = found;
        }
    }

    /**
     * Takes all tasks, oldest first. Reader only; the box counts as being read until {@link #tryIdle}.
     *
     * @return the oldest task, linked to the newer ones, or null when there are none
     */
    public @Nullable Task takeAll() {
        Task each = (Task) NEWEST.getAndSet(this, READING);
        Task oldest = null;
        while (each != null && each != READING) {
            Task older = each.next;
            each.next = oldest;
            oldest = each;
            each = older;
        }
        return oldest;
    }

    /**
     * Ends the reading if nothing came since {@link #takeAll}. Reader only.
     *
     * @return false when there are tasks: take them
     */
    public boolean tryIdle() {
        return newest == READING && NEWEST.compareAndSet(this, READING, null);
    }

    /**
     * Whether nothing is sent and no reader is under way. Any thread; a hint.
     *
     * @return true when idle
     */
    public boolean isIdle() {
        return newest == null;
    }
}
