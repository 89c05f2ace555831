package dev.coir.internal.sched;

import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Task;
import dev.coir.internal.trace.Tracing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** How a {@link Carrier} goes from one slice to the next where they end, without a detour through its loop. */
abstract sealed class SliceRow extends OwnFibers permits Carrier {
    /*
     * R1. Slices may follow each other in a row: who has run one picks the next task itself, and if that is of its own kind runs it
     *     too, in the same frame. For after a switch the processor foresees no return of the frames around it; so the carrier's loop,
     *     two or three frames further out, costs as many wrong guesses as there are frames. A row is a detour for nobody: it
     *     picks as the loop does, and gives way to the loop whenever that has anything to do between two slices but to pick, and
     *     every ROW slices in any case, so that frames which were entered before the JIT had compiled them are entered anew. Such
     *     a frame keeps the fiber alive that it began with, so the row ends soon after that one. Guarded by RowTest.
     * R2. A VIRTUAL fiber that yields is exchanged for the oldest in the local queue, and one that waits makes room for the one in the
     *     next-slot, which mostly it has woken. Most of what a row looks at between two slices can be changed by this thread alone,
     *     and was looked at when it allowed so many exchanges: who changes it ends them. Timers and the shared queue get their turn as
     *     ever, for their counts are drawn in advance; so does the local queue beside the next-slot (P1 of Worker). What others may
     *     change is looked at each time: the hold, the mailbox and the next-slot. Who claims a slot is patient anyway. Guarded by
     *     RowTest.
     */
    static final int ROW = 256; // slices in a row at most
    private static final int SOON = 16; // slices that may follow when the first of a row has ended
    private static final VarHandle RUNNING;

    static {
        try {
            RUNNING = MethodHandles.lookup().findVarHandle(SliceRow.class, "running", Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // All of these: this thread only, but for running, which others read.

    @Nullable
    Task running; // the innermost task whose slice has not been counted

    @Nullable
    Task ahead; // picked while another was under way, to run next

    @Nullable
    Task rowHead; // what the row began with, which its frames keep alive

    int rowLeft; // slices until the loop gets its turn
    private int exchanges; // slices that may follow by exchange: R2
    int depth; // waits on this stack, one on top of the other; written by its StackedWaits
    private final OnTop onTop = new OnTop((Carrier) this);

    SliceRow(Group group, int index, LocalQueue local, @Nullable Thread boundThread, @Nullable String name) {
        super(group, index, local, boundThread, name);
    }

    /**
     * The task under way, the innermost. Any thread: a hint to others.
     *
     * @return the task, or null when there is none
     */
    public @Nullable Task running() {
        return (Task) RUNNING.getOpaque(this);
    }

    /** Whether a task is under way here. This thread, or any while this one sleeps. */
    boolean isPerforming() {
        return running != null;
    }

    /** Whether the task to be queued is the one whose slice just ends: the JDK queues it from the bare carrier. */
    boolean isLeaving(Task task) {
        return running == task && !Thread.currentThread().isVirtual();
    }

    /**
     * Which fibers it runs on top of others.
     *
     * @return one for life
     */
    public OnTop onTop() {
        return onTop;
    }

    // ---- in a row: R1 ----------------------------------------------------------------------------------------------

    /**
     * Picks the task to run after the one under way, whose slice has just ended. This thread only; {@link #runAhead} or {@link #setAhead}
     * follows.
     *
     * @return null when there is none, or somebody waits on this thread's stack and may have waited enough, or for a slot
     */
    public @Nullable Task pickAhead() {
        if (onTop.isTaken()) return null; // its slice goes on below
        countSlice(); // before the hold is read: L2 of Slots
        if (!mayPickAhead() || --rowLeft <= 0) return null;
        Task earlier = ahead;
        if (earlier == null) return worker.pick();
        ahead = null;
        return earlier;
    }

    /**
     * The task that the row began with. This thread only, in a row.
     *
     * @return null when it is none, or the row {@linkplain #endRowSoon ends soon}
     */
    public @Nullable Task rowHead() {
        return rowHead;
    }

    /** What the row began with has ended: R1. This thread only, in a row. */
    public void endRowSoon() {
        rowHead = null;
        rowLeft = Math.min(rowLeft, SOON);
    }

    /**
     * Leaves what was picked ahead to the loop.
     *
     * @param picked what {@link #pickAhead} gave
     */
    public void setAhead(@Nullable Task picked) {
        if (picked != null) ahead = picked;
    }

    /** Whether a slice may begin here though the loop does not get its turn in between. */
    boolean mayPickAhead() {
        return depth == 0 && hold() == Slots.HELD && !group.slots.isClaimed();
    }

    /**
     * What was picked ahead runs now, in place of the task whose slice has ended. This thread only.
     *
     * @param picked what {@link #pickAhead} gave
     */
    public void runAhead(Task picked) {
        Tracing.sliceEnded(thread);
        Tracing.sliceBegan(thread, picked);
        running = picked;
    }

    /** A slice has ended, and that of another task begins in its place. */
    void turnTo(Task next) {
        runAhead(next);
        worker.countSlice();
    }

    /** The slice under way has ended, if that was not said before. */
    final void countSlice() {
        if (running == null) return;
        worker.countSlice();
        running = null;
    }

    // ---- one for another: R2 ---------------------------------------------------------------------------------------

    /**
     * Lets some of the next slices follow by {@link #exchange} or {@link #takeNext}, if nothing else is to be done between them. This thread only, in a
     * row.
     */
    public void allowExchanges() {
        if (exchanges > 0 || boundQueued() != 0 || !canHandOff()) return;
        exchanges = worker.takeExchanges(rowLeft);
        rowLeft -= exchanges;
    }

    @Override
    final void endExchanges() {
        exchanges = 0;
    }

    /**
     * Whether the task under way, whose slice has just ended, may be {@linkplain #exchange exchanged}. If so its slice has been
     * counted. This thread only, in a row.
     *
     * @return false when the loop has something to do, or may have
     */
    public boolean mayExchange() {
        return exchanges > 0 && worker.mayExchange() && mayTurn();
    }

    /**
     * As {@link #mayExchange}, where the task under way waits and another is woken: whether that may be {@linkplain #takeNext taken}.
     *
     * @return false when the loop has something to do, or may have
     */
    public boolean mayTurnToNext() {
        return exchanges > 0 && worker.mayTakeNext() && mayTurn();
    }

    private boolean mayTurn() {
        if (!hasNoMail()) return false;
        worker.countSlice(); // before the hold is read: L2 of Slots
        if (hold() == Slots.HELD) {
            exchanges--;
            return true;
        }
        running = null;
        return false;
    }

    /**
     * Queues the task under way and picks the next one. Only when it {@linkplain #mayExchange may be}; {@link #runAhead} follows,
     * or {@link #pause}.
     *
     * @param task that task
     * @return null when others have taken all there was
     */
    public @Nullable Task exchange(Task task) {
        return worker.exchange(task);
    }

    /**
     * Takes the task that was woken last, by a full fence. Only when it {@linkplain #mayTurnToNext may be}; {@link #runAhead} follows, or
     * {@link #pause}.
     *
     * @return null when another has taken it
     */
    public @Nullable Task takeNext() {
        return worker.takeNextUnlooked();
    }

    /** The slice of the task under way has been counted, and none has followed by exchange yet. This thread only. */
    public void pause() {
        running = null;
    }

    /** Tells others of what was {@linkplain Carrier#requeue requeued}, if the slot beside it was emptied before. This thread only. */
    public void signalRequeued() {
        worker.signalRequeued();
    }
}
