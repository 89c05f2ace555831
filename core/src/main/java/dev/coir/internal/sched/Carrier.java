package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.Stack;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.TaskFifo;
import dev.coir.internal.task.Tasks;
import dev.coir.internal.trace.Tracing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs tasks: one of the scheduler's own, or a plain thread that is bound to it and works while it waits.
 * Fibers that are bound to a thread are queued here and nowhere else.
 */
public final class Carrier extends dev.coir.internal.Padded {
    private static final int MAX_WAITS = 100; // on one stack
    private static final int ROOM = 1_000; // calls that must fit on a stack before a task is run on top of it
    private static final ConcurrentHashMap<Thread, Carrier> BOUND_THREADS = new ConcurrentHashMap<>();
    private static final int SLOT_PATIENCE = 64; // tasks that a carrier runs before it gives way to one without a slot
    private static final VarHandle RUNNING;
    private static final VarHandle HOLD;
    private static volatile boolean everBound;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNING = lookup.findVarHandle(Carrier.class, "running", Task.class);
            HOLD = lookup.findVarHandle(Carrier.class, "hold", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Group group;
    final Worker worker;
    private final Thread thread;
    private final Mailbox mailbox = new Mailbox(); // fibers of this thread that were woken from elsewhere
    private final TaskFifo bound = new TaskFifo(); // fibers of this thread that may run; this thread only
    private int boundLive; // fibers that can run only here, have started and not ended; this thread only
    private @Nullable Task running; // the innermost task under way; written by this thread
    private final IdlePath idle;
    private @Nullable Task ahead; // picked while another was under way, to run next; this thread only
    private @Nullable Task aside; // plain tasks that wait until this stack is less deep, newest first; this thread only
    private volatile long declaredIn =
            -1; // the slice in which a blocking call was declared last; written by this thread
    final Monitor.Watch watch = new Monitor.Watch();
    private volatile OsThread osThread = OsThread.UNKNOWN; // written by this thread when it begins
    private volatile int hold; // on a slot: see Slots
    private int slotPatience; // tasks left to run though another carrier claims a slot; this thread only
    private volatile boolean betweenInside; // between two slices on top of a wait; written by this thread: L2 of Slots
    volatile boolean atRest; // stands among the spares; written under the lock of group.slots
    boolean claiming; // stood among the claimants last, not the spares; guarded by group.slots
    boolean begun; // has used the slot it holds; guarded by group.slots
    boolean retired; // its thread ends; guarded by group.slots
    boolean anchored; // must not retire; guarded by group.slots

    @Nullable
    Carrier standIn; // who got the slot that this one gave up last; guarded by group.slots

    private final AtomicBoolean giveWay = new AtomicBoolean(); // set by who asks, cleared by who takes
    private boolean left; // a bound thread has closed its binding; guarded by core.lock
    private final OutsideInterrupts interrupts = new OutsideInterrupts(); // of a bound thread
    private int
            waits; // tasks or callers of this thread that wait in workUntil, one on top of the other; this thread only

    private Carrier(Group group, int index, LocalQueue local, @Nullable Thread boundThread, @Nullable String name) {
        this.group = group;
        this.worker = new Worker(group, index, this, local);
        this.idle = new IdlePath(this);
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
        return everBound ? BOUND_THREADS.get(below) : null;
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

    /** The slice that runs here was long, and is about to end. This thread only. */
    public void sliceWasLong() {
        worker.sliceWasLong();
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
     * The task under way, the innermost. Any thread: a hint to others.
     *
     * @return the task, or null when there is none
     */
    public @Nullable Task running() {
        return (Task) RUNNING.getOpaque(this);
    }

    /**
     * Its thread.
     *
     * @return a platform thread
     */
    public Thread thread() {
        return thread;
    }

    // ---- fibers bound to this thread -------------------------------------------------------------------------------

    /**
     * Queues a fiber that is bound to this thread. This thread only.
     *
     * @param task the fiber
     */
    public void pushBound(Task task) {
        bound.add(task);
    }

    @Nullable
    Task takeBound() {
        return bound.poll();
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

    /** Counts a fiber that can run on no other thread from now on. This thread only. */
    public void boundStarted() {
        boundLive++;
    }

    /** Counts a bound fiber out. This thread only. */
    public void boundEnded() {
        boundLive--;
    }

    // ---- running ---------------------------------------------------------------------------------------------------

    void runUntilStopped() {
        osThread = OsThread.current();
        SchedulerCore core = group.core;
        while (group.slots.await(this)) {
            core.pin(this);
            slotPatience = SLOT_PATIENCE;
            run(() -> core.isStopped() || !keepsSlot());
            if (core.isStopped()) break;
            worker.abandonQueues();
        }
        if (retired) return; // what others queue meanwhile is not for a thread that ends
        while (true) { // what threads that are no fibers queued while we stopped, in the shared queue or from here
            Task task = next();
            if (task != null) perform(task);
            else if (group.shared.size() == 0) break;
        }
    }

    // ---- its slot --------------------------------------------------------------------------------------------------

    OsThread osThread() {
        return osThread;
    }

    int hold() {
        return hold;
    }

    void setHold(int to) {
        hold = to;
    }

    boolean casHold(int from, int to) {
        return HOLD.compareAndSet(this, from, to);
    }

    /** Whether this thread, which is between two slices, may run another. This thread only. */
    boolean keepsSlot() {
        int seen = hold; // after the slice was counted: L2 of Slots
        return seen == Slots.HELD || (seen == Slots.ASKED && (casHold(Slots.ASKED, Slots.HELD) || hold == Slots.HELD));
    }

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
        return hold != Slots.NONE;
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

    /**
     * Its number among all carriers of the group that there ever were.
     *
     * @return 0 or more
     */
    public int number() {
        return worker.number;
    }

    /** Whether the slice with this number has said that it may block. Any thread. */
    boolean isDeclaredBlocking(long slice) {
        return declaredIn == slice;
    }

    /**
     * The calling task is about to block its thread: another runs the tasks meanwhile, if there may be one.
     *
     * @return false when nothing was done: it runs on no thread of a scheduler's own, or too many are blocked already
     */
    public static boolean beginBlocking() {
        return onThisCarrier(Carrier::handOff);
    }

    /**
     * Whether the calling task's thread has, or gets back at once, the right to run tasks.
     *
     * @return false when the task must give the thread up, or {@link #awaitSlot}
     */
    public static boolean tryEndBlocking() {
        return onThisCarrier(Carrier::tryKeepOrTakeBack);
    }

    /**
     * Does something with the carrier underneath. A virtual thread stays on it meanwhile: else it might go on with the slot
     * of another.
     */
    private static boolean onThisCarrier(Predicate<Carrier> action) {
        boolean pinned = Stack.stay();
        try {
            Carrier here = current();
            return here != null && action.test(here);
        } finally {
            Stack.mayLeave(pinned);
        }
    }

    private boolean handOff() {
        if (!canHandOff()) return false;
        declaredIn = slicesEnded();
        if (group.slots.handOff(this)) return true;
        group.core.reportExhausted(this);
        return false;
    }

    private boolean tryKeepOrTakeBack() {
        return hold != Slots.NONE || group.slots.tryTakeBack(this);
    }

    /** Waits until this thread may run tasks again. Inside a task that cannot be suspended; this thread only. */
    public void awaitSlot() {
        if (!tryKeepOrTakeBack()) group.slots.awaitInside(this);
    }

    /** Whether something waits here that no other thread can run. This thread only. */
    boolean hasOwnWork() {
        return !bound.isEmpty() || !mailbox.isIdle();
    }

    /** Guarded by group.slots. */
    boolean mayRetire() {
        return !anchored && boundLive == 0 && !hasOwnWork();
    }

    // ---- the loop --------------------------------------------------------------------------------------------------

    /** Runs tasks, and sleeps between them, until {@code enough} says so. */
    void run(BooleanSupplier enough) {
        while (ahead != null || !enough.getAsBoolean()) {
            if (waits == 0) {
                if (gaveWay()) continue; // and so has enough
            } else if (canHandOff() && (!keepsSlot() || gaveWay())) {
                regainSlot();
            }
            Task task = next();
            if (task == null) task = idle.findOrSleep(enough);
            if (task == null) continue;
            if (waits > MAX_WAITS && Tasks.isPlain(task)) setAside(task);
            else perform(task);
        }
        idle.endSearch();
    }

    /** Another has the slot, and this thread is between two slices on top of a wait. */
    private void regainSlot() {
        idle.endSearch();
        group.slots.awaitInside(this);
        slotPatience = SLOT_PATIENCE;
    }

    /** Whether this thread waits inside a task and runs no other on top of it: it may sleep. Any thread. */
    boolean isBetweenInside() {
        return betweenInside;
    }

    private @Nullable Task next() {
        Task picked = ahead;
        if (picked == null) return worker.pick();
        ahead = null;
        return picked;
    }

    /**
     * Picks the task to run after the one under way, which has just ended on a stack that another may follow on. This thread
     * only.
     *
     * @return the task, which will be run later unless {@link #runAhead} follows; null when there is none, or somebody waits
     *     on this thread's stack and may have waited enough, or for a slot
     */
    public @Nullable Task pickAhead() {
        if (waits != 0 || hold != Slots.HELD || group.slots.isClaimed()) return null;
        ahead = worker.pick();
        return ahead;
    }

    /** What was picked ahead runs now, in place of the task that has ended. This thread only. */
    public void runAhead() {
        Task next = Objects.requireNonNull(ahead);
        Tracing.sliceEnded(thread);
        Tracing.sliceBegan(thread, next);
        running = next;
        ahead = null;
        worker.countSlice();
    }

    /** Keeps a plain task until fewer wait on this stack: if it waited as well, the stack would grow for ever. */
    private void setAside(Task task) {
        Tasks.append(task, aside);
        aside = task;
    }

    private void takeUpAside() {
        Task oldest = null;
        while (aside != null) {
            Task newest = aside;
            aside = Tasks.unlink(newest);
            Tasks.append(newest, oldest);
            oldest = newest;
        }
        while (oldest != null) {
            Task rest = Tasks.unlink(oldest);
            group.submit(oldest);
            oldest = rest;
        }
    }

    private void perform(Task task) {
        idle.endSearch();
        Task outer = running;
        running = task;
        if (waits != 0) betweenInside = false;
        Tracing.sliceBegan(thread, task);
        try {
            if (canHandOff() || Tasks.isPlain(task)) Tasks.perform(task);
            else performListening(task);
        } catch (Throwable failure) {
            group.core.report(thread, failure);
        }
        Tracing.sliceEnded(thread);
        running = outer;
        worker.countSlice();
        if (waits != 0) betweenInside = true;
        // Else the next task would get it, and parking would not park. While a task waits below, it may be meant for
        // that.
        if (waits == 0) Thread.interrupted();
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

    /** Whether fibers are queued for this thread alone. Exact only while it sleeps, or is bound and does not work. */
    boolean hasMail() {
        return !bound.isEmpty() || aside != null || !mailbox.isIdle();
    }

    void unblock() {
        LockSupport.unpark(thread);
    }

    // ---- bound threads ---------------------------------------------------------------------------------------------

    /** Runs a fiber so that an interrupt of this thread reaches this thread. */
    private void performListening(Task task) {
        interrupts.listen();
        try {
            Tasks.perform(task);
        } finally {
            interrupts.giveBack();
        }
    }

    /** From now on an interrupt of this thread is meant for the fiber that runs on it. This thread only. */
    public void lendInterrupts() {
        if (!canHandOff()) interrupts.stopListening();
    }

    /** The opposite of {@link #lendInterrupts}. This thread only. */
    public void endLending() {
        if (!canHandOff()) interrupts.listen();
    }

    /**
     * Takes the thread's interrupt for the fiber that runs on it, unless it is meant for the thread itself.
     *
     * @return whether the fiber has it
     */
    public boolean takeInterruptForFiber() {
        return Thread.interrupted() && (canHandOff() || interrupts.wasOfFiber());
    }

    /** Makes the calling thread findable as this carrier. */
    void enroll() {
        everBound = true;
        BOUND_THREADS.put(thread, this);
    }

    /** The thread leaves. Under core.lock. */
    void dismiss() {
        BOUND_THREADS.remove(thread, this);
        left = true;
    }

    /** Whether the bound thread has left. Under core.lock. */
    boolean hasLeft() {
        return left;
    }

    /** Whether tasks run on top of a wait of this thread. This thread only. */
    boolean isWorking() {
        return waits > 0;
    }

    /**
     * Works until {@code done}: what a thread of the scheduler, or bound to it, does instead of blocking. Whoever makes
     * {@code done} true must call {@link #nudge} afterwards. This thread only.
     *
     * @param done when to return
     */
    public void workUntil(BooleanSupplier done) {
        beginWork();
        try {
            run(done);
        } finally {
            endWork();
        }
    }

    private void beginWork() {
        reach(ROOM);
        if (waits++ == 0) group.enterWork(worker);
        betweenInside = true;
    }

    /**
     * Throws StackOverflowError where the stack is about to end, before anything was changed. If it ended while a fiber is put
     * on top of it or taken off, this thread would go on believing that it runs that fiber.
     */
    private static int reach(int levels) {
        return levels == 0 ? 0 : reach(levels - 1) + 1;
    }

    private void endWork() {
        betweenInside = false;
        if (waits-- > MAX_WAITS) takeUpAside();
        if (waits == 0) group.leaveWork(worker);
        worker.signalRequeued();
    }

    /**
     * Waits, inside a plain task or a bound thread, until {@code done} or a deadline. One of the scheduler's own threads
     * blocks, and another takes its place, unless fibers are bound to it; a bound thread, and one with such fibers, works. Whoever makes {@code done} true must call {@link #nudge}
     * afterwards. This thread only.
     *
     * @param done when to return
     * @param deadlineNanos as of System.nanoTime; Long.MAX_VALUE for never
     */
    public void waitUntil(BooleanSupplier done, long deadlineNanos) {
        // It may wait for a fiber that only this thread can run, now or when it is woken.
        if (boundLive != 0 || !handOff()) {
            workUntil(done, deadlineNanos);
            return;
        }
        while (!done.getAsBoolean() && !hasOwnWork()) { // after the slot is gone: pairs with wakeForMail
            if (deadlineNanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) break;
                LockSupport.parkNanos(this, left);
            }
        }
        awaitSlot();
        if (!done.getAsBoolean()) workUntil(done, deadlineNanos);
    }

    /**
     * As {@link #workUntil(BooleanSupplier)}, and not past a deadline. This thread only.
     *
     * @param done when to return
     * @param deadlineNanos as of System.nanoTime; Long.MAX_VALUE for never
     */
    public void workUntil(BooleanSupplier done, long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            workUntil(done);
            return;
        }
        Timer alarm = new Timer() {
            @Override
            protected void fire() {
                nudge();
            }
        };
        group.reactor.setTimerAt(alarm, deadlineNanos);
        try {
            workUntil(() -> done.getAsBoolean() || deadlineNanos - System.nanoTime() <= 0);
        } finally {
            group.reactor.endTimer(alarm);
        }
    }

    /**
     * Runs one task on top of the caller, which is no fiber, if one is ready that can run only here: a thread that asks again
     * and again whether something has happened would else keep it from running. Where nobody but bound threads works that is
     * any task. This thread only.
     *
     * @return false when there was nothing to run
     */
    public boolean workOnce() {
        boolean alone = !group.hasThreads();
        if (waits > MAX_WAITS || !(alone ? group.hasWaiting(this) : hasOwnWork())) return false;
        beginWork();
        try {
            if (canHandOff() && !keepsSlot()) regainSlot();
            Task task = alone ? worker.pick() : takeOwn();
            if (task != null) perform(task);
            return task != null;
        } finally {
            endWork();
        }
    }

    private @Nullable Task takeOwn() {
        collectMail();
        return takeBound();
    }

    /** Makes this thread look again whether it should still work. Any thread. */
    public void nudge() {
        if (!group.wakeIfAsleep(worker)) LockSupport.unpark(thread);
    }

    boolean hasBoundFibers() {
        return boundLive > 0 || !bound.isEmpty() || !mailbox.isIdle();
    }

    @Override
    public String toString() {
        return "Carrier[" + thread.getName() + "]";
    }
}
