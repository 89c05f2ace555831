package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.internal.trace.Tracing;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs tasks: one of the scheduler's own, or a plain thread that is bound to it and works while it waits.
 * Fibers that are bound to a thread are queued here and nowhere else.
 */
public final class Carrier extends SliceRow {
    /*
     * R3. A fiber goes on at the depth of whatever waits on this stack. Where its own stack does not fit on top of that, it must not be
     *     entered, for HotSpot would end the process: another thread runs it, or who waits here gets a StackOverflowError. At the
     *     bottom there is room for all, for workers have stacks of one size. Guarded by BoundStackTest.
     */
    private static final int SLOT_PATIENCE = 64; // tasks that a carrier runs before it gives way to one without a slot

    static {
        try {
            MethodHandles.lookup()
                    .ensureInitialized(BoundThreads.class); // not when current() is asked, perhaps amid a switch
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final IdlePath idle;
    private final BooleanSupplier hasEnough; // at the bottom of the stack: stopped, or without a slot
    private @Nullable StackOverflowError noRoom; // for a task that was to run on top of a wait: R3; this thread only
    final StackedWaits waits = new StackedWaits(this);
    final Errands errands = new Errands(this::report);
    final Monitor.Watch watch = new Monitor.Watch();
    private volatile OsThread osThread = OsThread.UNKNOWN; // written by this thread when it begins
    private int slotPatience; // tasks left to run though another carrier claims a slot; this thread only
    private final AtomicBoolean giveWay = new AtomicBoolean(); // set by who asks, cleared by who takes
    boolean left; // a bound thread has closed its binding; guarded by core.lock
    final OutsideInterrupts interrupts = new OutsideInterrupts(); // of a bound thread

    private Carrier(Group group, int index, LocalQueue local, @Nullable Thread boundThread, @Nullable String name) {
        super(group, index, local, boundThread, name);
        this.idle = new IdlePath(this);
        this.hasEnough = () -> group.core.isStopped() || !keepsSlot();
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
     * How its thread waits.
     *
     * @return one for life
     */
    public StackedWaits waits() {
        return waits;
    }

    // ---- what it is doing ------------------------------------------------------------------------------------------

    /**
     * How many slices have ended here. Any thread.
     *
     * @return a number that tells one slice from the next
     */
    public long slicesEnded() {
        return worker.ranNow();
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

    /** Whether fibers are queued for this thread alone. Exact only while it sleeps, or is bound and does not work. */
    boolean hasMail() {
        return hasOwnWork() || waits.hasAside();
    }

    /** Guarded by group.slots. */
    boolean mayRetire() {
        return !anchored && boundLive == 0 && !hasOwnWork();
    }

    // ---- the loop --------------------------------------------------------------------------------------------------

    void runUntilStopped() {
        osThread = OsThread.current();
        onTop().begin();
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
        endExchanges();
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
