package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.TaskFifo;
import dev.coir.internal.task.Tasks;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Carrier} is made of, and the fibers that only its thread can run: those bound to it, which are queued here and nowhere
 * else, and those that could not begin. A superclass and no object of its own: all of it is looked at between any two slices.
 */
abstract sealed class OwnFibers extends SlotHolder permits SliceRow {
    /*
     * R4. A fiber that begins while the heap is full has been taken out of its queue, and a queue may need memory to take it back. So it
     *     is kept here, linked, and tried again a millisecond later; others that would begin meanwhile join it untried, for each
     *     try is a full collection. Those that have begun go on, and so may give room. Guarded by FullHeapTest.
     */
    static final long FULL_HEAP_NANOS = 1_000_000;

    final Group group;
    final Worker worker;
    final Thread thread;
    private final Mailbox mailbox = new Mailbox(); // fibers of this thread that were woken from elsewhere
    private final TaskFifo bound = new TaskFifo(); // fibers of this thread that may run; this thread only
    int boundLive; // fibers that can run only here, have started and not ended; this thread only
    private @Nullable Task kept; // linked: R4; this thread only
    private long keptNanos; // when there was no memory last; this thread only

    OwnFibers(Group group, int index, LocalQueue local, @Nullable Thread boundThread, @Nullable String name) {
        var self = (Carrier) this;
        this.group = group;
        this.worker = new Worker(group, index, self, local);
        this.thread = boundThread != null
                ? boundThread
                : new CarrierThread(self, group.core.threads, String.valueOf(name), group.core.workerStackSize);
    }

    /**
     * The scheduler it belongs to.
     *
     * @return the scheduler's core
     */
    public SchedulerCore core() {
        return group.core;
    }

    /**
     * The group it belongs to.
     *
     * @return the group
     */
    public Group group() {
        return group;
    }

    /**
     * Its thread.
     *
     * @return a platform thread
     */
    public Thread thread() {
        return thread;
    }

    /**
     * Its number among all carriers of the group that there ever were.
     *
     * @return 0 or more
     */
    public int number() {
        return worker.number;
    }

    /**
     * Whether another thread may run tasks in this one's place.
     *
     * @return false for a bound thread
     */
    public boolean canHandOff() {
        return thread instanceof CarrierThread;
    }

    /** No slice follows by exchange until it is allowed anew. This thread only. */
    abstract void endExchanges();

    // ---- bound to this thread --------------------------------------------------------------------------------------

    /**
     * Queues a fiber that is bound to this thread. This thread only.
     *
     * @param task the fiber
     */
    public void pushBound(Task task) {
        bound.add(task);
        endExchanges();
    }

    @Nullable
    Task takeBound() {
        return bound.poll();
    }

    /** How many {@link #takeBound} would take one after the other. */
    int boundQueued() {
        return bound.size();
    }

    /** What {@link #takeBound} would take. */
    @Nullable
    Task peekBound() {
        return bound.peek();
    }

    /**
     * Queues a fiber that is bound to this thread, from any thread, and sees that this one runs it.
     *
     * @param task the fiber
     */
    public void send(Task task) {
        if (JdkAccess.currentCarrierThread() == thread) {
            pushBound(task);
            return;
        }
        if (mailbox.send(task)) group.wakeForMail(worker);
    }

    void collectMail() {
        if (mailbox.isIdle()) return;
        Task each = mailbox.takeAll();
        while (each != null) {
            Task rest = Tasks.unlink(each);
            pushBound(each);
            each = rest;
        }
        mailbox.tryIdle();
    }

    /** Whether something waits here that no other thread can run. This thread only. */
    boolean hasOwnWork() {
        return !bound.isEmpty() || !mailbox.isIdle() || kept != null;
    }

    /** Counts a fiber that can run on no other thread from now on. This thread only. */
    public void boundStarted() {
        boundLive++;
    }

    /** Counts a bound fiber out. This thread only. */
    public void boundEnded() {
        boundLive--;
    }

    boolean hasBoundFibers() {
        return boundLive > 0 || hasOwnWork();
    }

    // ---- fibers that cannot begin: R4 ------------------------------------------------------------------------------

    /**
     * Whether there was no room in the heap for a stack just now. This thread only.
     *
     * @return true when another should not even be tried
     */
    public boolean isShortOfMemory() {
        return kept != null && System.nanoTime() - keptNanos < FULL_HEAP_NANOS;
    }

    /**
     * Keeps a fiber for whose stack there is no room in the heap, until it is tried again. This thread only.
     *
     * @param fiber in no queue
     */
    public void keep(Task fiber) {
        if (!isShortOfMemory()) keptNanos = System.nanoTime();
        Tasks.append(fiber, kept);
        kept = fiber;
    }

    /** A fiber that was kept and may find room by now; null for none. */
    @Nullable
    Task takeKept() {
        Task retried = kept;
        if (retried == null || isShortOfMemory()) return null;
        kept = Tasks.unlink(retried);
        return retried;
    }

    /** Whether no other thread has sent any, or is about to. This thread only. */
    boolean hasNoMail() {
        return mailbox.isIdle();
    }
}
