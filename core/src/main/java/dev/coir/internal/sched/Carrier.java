package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.TaskFifo;
import dev.coir.internal.task.Tasks;
import dev.coir.internal.trace.Tracing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs tasks: one of the scheduler's own, or a plain thread that is bound to it and works while it waits.
 * Fibers that are bound to a thread are queued here and nowhere else.
 */
public final class Carrier extends SlotHolder {
    /*
     * R1. Slices may follow each other in a row: who has run one picks the next task itself, and if that is of its own kind runs it
     *     too, in the same frame. For after a switch the processor foresees no return of the frames around it; so the loop below,
     *     two or three frames further out, costs as many wrong guesses as there are frames. A row is a detour for nobody: it
     *     picks as the loop does, and gives way to the loop whenever that has anything to do between two slices but to pick, and
     *     every ROW slices in any case, so that frames which were entered before the JIT had compiled them are entered anew. Such
     *     a frame keeps the fiber alive that it began with, so the row ends soon after that one. Guarded by RowTest.
     * R2. A VIRTUAL fiber that yields is exchanged for the oldest in the local queue. Most of what a row looks at between two slices
     *     can be changed by this thread alone, and was looked at when it allowed so many exchanges: who changes it ends them. Timers
     *     and the shared queue get their turn as ever, for their counts are drawn in advance. What others may change is looked at
     *     each time: the hold, the mailbox and the next-slot. Who claims a slot is patient anyway. Guarded by RowTest.
     * R3. A fiber goes on at the depth of whatever waits on this stack. Where its own stack does not fit on top of that, it must not be
     *     entered, for HotSpot would end the process: another thread runs it, or who waits here gets a StackOverflowError. At the
     *     bottom there is room for all, for workers have stacks of one size. Guarded by BoundStackTest.
     * R4. A fiber that begins while the heap is full has been taken out of its queue, and a queue may need memory to take it back. So it
     *     is kept here, linked, and tried again a millisecond later; others that would begin meanwhile join it untried, for each
     *     try is a full collection. Those that have begun go on, and so may give room. Guarded by FullHeapTest.
     */
    private static final int ROW = 256; // slices in a row at most
    private static final int SOON = 16; // slices that may follow when the first of a row has ended
    private static final long FULL_HEAP_NANOS = 1_000_000;
    private static final int SLOT_PATIENCE = 64; // tasks that a carrier runs before it gives way to one without a slot
    private static final VarHandle RUNNING;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNING = lookup.findVarHandle(Carrier.class, "running", Task.class);
            lookup.ensureInitialized(BoundThreads.class); // not when current() is asked, perhaps amid a switch
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Group group;
    final Worker worker;
    private final Thread thread;
    private final Mailbox mailbox = new Mailbox(); // fibers of this thread that were woken from elsewhere
    private final TaskFifo bound = new TaskFifo(); // fibers of this thread that may run; this thread only
    int boundLive; // fibers that can run only here, have started and not ended; this thread only
    private @Nullable Task running; // the innermost task whose slice has not been counted; written by this thread
    private final IdlePath idle;
    private final BooleanSupplier hasEnough; // at the bottom of the stack: stopped, or without a slot
    private int rowLeft; // slices until the loop gets its turn; this thread only
    private @Nullable Task rowHead; // what the row began with, which its frames keep alive; this thread only
    private int exchanges; // slices that may follow by exchange: R2; this thread only
    private @Nullable StackOverflowError noRoom; // for a task that was to run on top of a wait: R3; this thread only
    private @Nullable Task kept; // linked: R4; this thread only
    private long keptNanos; // when there was no memory last; this thread only
    private @Nullable Task ahead; // picked while another was under way, to run next; this thread only
    int depth; // waits on this stack, one on top of the other; written by its StackedWaits; this thread only
    final StackedWaits waits = new StackedWaits(this);
    private final OnTop onTop = new OnTop(this);
    final Errands errands = new Errands(this::report);
    final Monitor.Watch watch = new Monitor.Watch();
    private volatile OsThread osThread = OsThread.UNKNOWN; // written by this thread when it begins
    private int slotPatience; // tasks left to run though another carrier claims a slot; this thread only
    private final AtomicBoolean giveWay = new AtomicBoolean(); // set by who asks, cleared by who takes
    boolean left; // a bound thread has closed its binding; guarded by core.lock
    final OutsideInterrupts interrupts = new OutsideInterrupts(); // of a bound thread

    private Carrier(Group group, int index, LocalQueue local, @Nullable Thread boundThread, @Nullable String name) {
        this.group = group;
        this.worker = new Worker(group, index, this, local);
        this.idle = new IdlePath(this);
        this.hasEnough = () -> group.core.isStopped() || !keepsSlot();
        this.thread = boundThread != null
                ? boundThread
                : new CarrierThread(this, group.core.threads, String.valueOf(name), group.core.workerStackSize);
    }

    /** A carrier without a slot; its thread is not started. */
    static Carrier spare(Group group, LocalQueue local, String name) {
        Carrier spare = new Carrier(group, Worker.NOWHERE, local, null, name);
        spare.setHold(Slots.NONE);
        return spare;
    }

    static Carrier withThread(Group group, int index, LocalQueue local, String name) {
        return new Carrier(group, index, local, null, name);
    }

    static Carrier boundTo(Thread thread, Group group, int index, LocalQueue local) {
        return new Carrier(group, index, local, thread, null);
    }

    /**
     * The carrier that the calling code runs on, also from inside a virtual thread.
     *
     * @return the carrier, or null when the thread underneath is none
     */
    public static @Nullable Carrier current() {
        Thread below = JdkAccess.currentCarrierThread();
        if (below instanceof CarrierThread own) return own.carrier;
        return BoundThreads.carrierOf(below);
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
     * How its thread waits.
     *
     * @return one for life
     */
    public StackedWaits waits() {
        return waits;
    }

    /**
     * Which fibers it runs on top of others.
     *
     * @return one for life
     */
    public OnTop onTop() {
        return onTop;
    }

    // ---- what it is doing ------------------------------------------------------------------------------------------

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
     * How many slices have ended here. Any thread.
     *
     * @return a number that tells one slice from the next
     */
    public long slicesEnded() {
        return worker.ranNow();
    }

    /**
     * Whether another thread may run tasks in this one's place.
     *
     * @return false for a bound thread
     */
    public boolean canHandOff() {
        return thread instanceof CarrierThread;
    }

    /**
     * How long what runs here has run at least: since the monitor first saw it. Any thread.
     *
     * @return nanoseconds; 0 when the monitor has not seen it
     */
    public long ranForNanos() {
        return watch.lastedNanos(slicesEnded());
    }

    /**
     * Whether it has the right to run tasks; not while another runs them in its place. Any thread.
     *
     * @return false when its thread blocks inside a task, or rests
     */
    public boolean hasSlot() {
        return hold() != Slots.NONE;
    }

    /**
     * Whether its thread sleeps for want of work. Any thread; a hint.
     *
     * @return true when it sleeps
     */
    public boolean isAsleep() {
        int slot = worker.index;
        return slot == Worker.NOWHERE ? atRest : group.wake.isAsleep(slot);
    }

    OsThread osThread() {
        return osThread;
    }

    @Override
    public String toString() {
        return "Carrier[" + thread.getName() + "]";
    }

    // ---- fibers bound to this thread -------------------------------------------------------------------------------

    /**
     * Queues a fiber that is bound to this thread. This thread only.
     *
     * @param task the fiber
     */
    public void pushBound(Task task) {
        bound.add(task);
        exchanges = 0;
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

    /** Whether fibers are queued for this thread alone. Exact only while it sleeps, or is bound and does not work. */
    boolean hasMail() {
        return !bound.isEmpty() || waits.hasAside() || !mailbox.isIdle() || kept != null;
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

    // ---- its slot --------------------------------------------------------------------------------------------------

    /** Gives its slot to a carrier that claims one, when it has had its turn. Awake, between two slices; this thread only. */
    private boolean gaveWay() {
        return group.slots.isClaimed()
                && ahead == null
                && canHandOff()
                && --slotPatience <= 0
                && group.slots.giveWay(this);
    }

    /** Whether a carrier claims a slot: then this one does not sleep, but gives its own away next. This thread only. */
    boolean mustGiveWay() {
        if (!canHandOff() || !group.slots.isClaimed()) return false;
        slotPatience = 0;
        return true;
    }

    /** Another has the slot, and this thread is between two slices on top of a wait. */
    void regainSlot() {
        errands.runAll();
        idle.endSearch();
        group.slots.awaitInside(this);
        slotPatience = SLOT_PATIENCE;
    }

    /** Guarded by group.slots. */
    boolean mayRetire() {
        return !anchored && boundLive == 0 && !hasOwnWork();
    }

    // ---- the loop --------------------------------------------------------------------------------------------------

    void runUntilStopped() {
        osThread = OsThread.current();
        onTop.begin();
        boolean ended = false;
        while (!ended) {
            try {
                runWhileNeeded();
                ended = true;
            } catch (OutOfMemoryError full) { // in the loop itself, and not in a task: L8 of Slots
                LockSupport.parkNanos(this, FULL_HEAP_NANOS);
            }
        }
    }

    private void runWhileNeeded() {
        while (!retired && group.slots.await(this)) {
            group.core.pin(this);
            slotPatience = SLOT_PATIENCE;
            run(hasEnough);
            if (group.core.isStopped()) break;
            worker.abandonQueues();
        }
        if (retired) return; // what others queue meanwhile is not for a thread that ends
        while (true) { // what threads that are no fibers queued while we stopped, in the shared queue or from here
            Task task = next();
            if (task != null) perform(task);
            else if (group.shared.size() == 0) break;
        }
    }

    /** Runs tasks, and sleeps between them, until {@code enough} says so. */
    void run(BooleanSupplier enough) {
        while (ahead != null || !enough.getAsBoolean()) {
            if (depth == 0) {
                if (gaveWay()) continue; // and so has enough
            } else if (canHandOff() && (!keepsSlot() || gaveWay())) {
                regainSlot();
            }
            Task task = next();
            if (task == null) task = idle.findOrSleep(enough);
            if (task == null) continue;
            if (depth > StackedWaits.MAX && Tasks.isPlain(task)) waits.setAside(task);
            else perform(task);
        }
        errands.runAll();
        idle.endSearch();
    }

    private @Nullable Task next() {
        Task picked = ahead;
        if (picked == null) picked = takeKept();
        else ahead = null;
        return picked != null ? picked : worker.pick();
    }

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
    private void countSlice() {
        if (running == null) return;
        worker.countSlice();
        running = null;
    }

    // ---- one for another: R2 ---------------------------------------------------------------------------------------

    /**
     * Lets some of the next slices follow by {@link #exchange}, if nothing else is to be done between them. This thread only, in a
     * row.
     */
    public void allowExchanges() {
        if (exchanges > 0 || !bound.isEmpty() || !canHandOff()) return;
        exchanges = worker.takeExchanges(rowLeft);
        rowLeft -= exchanges;
    }

    /** No slice follows by exchange until it is allowed anew. This thread only. */
    void endExchanges() {
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
        if (!mailbox.isIdle()) return false;
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

    /** The slice of the task that was exchanged has been counted, and none follows by exchange. This thread only. */
    public void pause() {
        running = null;
    }

    // ---- a slice from the loop -------------------------------------------------------------------------------------

    void perform(Task task) {
        try {
            idle.endSearch();
        } catch (OutOfMemoryError full) { // somebody else searches before long, and the task is in nobody else's hand
        }
        rowLeft = ROW;
        Task outerHead = rowHead;
        rowHead = task;
        Task outer = running;
        running = task;
        if (depth != 0) waits.beginSlice();
        Tracing.sliceBegan(thread, task);
        try {
            if (canHandOff() || Tasks.isPlain(task)) Tasks.perform(task);
            else interrupts.perform(task);
        } catch (Throwable failure) {
            report(failure);
        }
        Tracing.sliceEnded(thread);
        rowHead = outerHead;
        countSlice();
        running = outer;
        if (depth != 0) waits.endSlice();
        // Else the next task would get it, and parking would not park. While a task waits below, it may be meant for
        // that.
        if (depth == 0) Thread.interrupted();
        if (noRoom != null) refuse(noRoom);
    }

    // ---- on top of a wait: R3 --------------------------------------------------------------------------------------

    /**
     * Whether tasks run on top of somebody who waits, at any depth of the stack. This thread only.
     *
     * @return false at the bottom of a worker's stack
     */
    public boolean isOnTop() {
        return depth != 0;
    }

    /**
     * Finds another place for a fiber whose stack does not fit here. This thread only, in a slice of that fiber, which ends then.
     *
     * @param task that fiber
     * @param movable whether any carrier may run it; else it stays queued, and who waits here gets an error
     */
    public void passOn(Task task, boolean movable) {
        if (movable && trySendToSpare(task)) return;
        if (movable) group.submit(task);
        else pushBound(task);
        noRoom = new StackOverflowError(
                "a thread that waits runs the scheduler's tasks meanwhile, and the stack of one does not"
                        + " fit on its own (" + thread.getName()
                        + "); the task stays queued: wait less deep, or on a larger stack");
    }

    private boolean trySendToSpare(Task task) {
        try {
            return group.slots.trySendToSpare(new Passed(task));
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    private void refuse(StackOverflowError error) {
        noRoom = null;
        errands.runAll();
        throw error;
    }

    private void report(Throwable failure) {
        group.core.report(thread, failure);
    }

    /**
     * Queues the task that is {@link #running()} here, and has left the thread. This thread only.
     *
     * @param task that task
     */
    public void requeue(Task task) {
        worker.requeue(task);
    }

    /**
     * Remembers a fiber that has suspended for the first time, or is about to block its thread, so that dumps and shutdown
     * find it.
     *
     * @param task the fiber, which has run here
     */
    public void suspended(Live task) {
        boolean now = worker.registry.enter(task);
        if (now && group.core.isCancelling())
            Tasks.cancel(task); // shutdownNow says it first and copies the registry after
    }

    /** The slice that runs here was long, and is about to end. This thread only. */
    public void sliceWasLong() {
        worker.sliceWasLong();
        exchanges = 0;
    }

    // ---- asked from elsewhere --------------------------------------------------------------------------------------

    /**
     * Asks what runs here to let others run. Any thread; through Preemption, which raises the flag.
     *
     * @return false when it was asked before and has not answered
     */
    public boolean askToGiveWay() {
        return giveWay.compareAndSet(false, true);
    }

    /**
     * Takes the request. Any thread; who gets true lowers the flag.
     *
     * @return whether there was one
     */
    public boolean takeGiveWay() {
        return giveWay.get() && giveWay.compareAndSet(true, false);
    }

    /** Makes this thread look again whether it should still work. Any thread. */
    public void nudge() {
        if (!group.wakeIfAsleep(worker)) LockSupport.unpark(thread);
    }

    void unblock() {
        LockSupport.unpark(thread);
    }
}
