package dev.coir.fiber;

import dev.coir.executor.Scheduler;
import dev.coir.internal.Apart;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.Rethrow;
import dev.coir.internal.Stack;
import dev.coir.internal.StackRoom;
import dev.coir.internal.ThreadSwitch;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.Errands;
import dev.coir.internal.sched.Group;
import dev.coir.internal.sched.Handoff;
import dev.coir.internal.sched.Reactor;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.task.Registry;
import dev.coir.internal.task.Slice;
import dev.coir.internal.task.Task;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fiber whose stack is a virtual thread. It is that thread's scheduler as well: the JDK calls {@link #execute} whenever the
 * thread may run, and the fiber queues itself. So queues hold fibers, and a switch allocates nothing of ours.
 */
final class VirtualFiber<T extends @Nullable Object> extends Fiber<T> implements Executor, Runnable {
    /*
     * V1. The JDK gives one command to execute for as long as this thread lives, its own. Any other belongs to a virtual thread that
     *     was started inside and inherited this scheduler; it is queued as a plain task, for as long as that thread lives, also
     *     after this fiber.
     * V2. There is a right to queue the fiber, and it is always in one of three places: in a queue, with the fiber; in the hand of the
     *     carrier that took the fiber out; or in "owed", from where whoever finds that the thread may run takes it, and queues the
     *     fiber. A carrier keeps it while it runs a slice, so who yields goes back into the queue without any atomic write. It is
     *     put into owed before the thread's state says that it waits, and before a slice that the JDK runs in its own way.
     *     The JDK calls execute(own) also for a thread that may run already, after somebody has read its stack, for it could not
     *     be run meanwhile. Mostly nothing is owed then. Who could not run it for that reason has put the right into owed, by a
     *     full fence, and then looked at the state once more (in the JDK's code); who has read the stack writes the state and looks
     *     into owed after: one of them finds the other's. Guarded by QueuedFiberDumpTest.
     *     Of a fiber that is bound to a carrier there is one such right, for queues link those: it is taken by compare-and-set. So it is
     *     over a foreign executor. Queues do not link those that any carrier may run, and there it is taken by a plain write: who
     *     wakes it and who has read its stack may both take it, in the same instant, and then it stands in two queues. Who takes it
     *     out while its thread may not run puts a right into owed, and two there are one again; till then it may have two turns where
     *     others have one. None is ever missing: who takes it queues the fiber after, and so whoever runs that, or cannot, writes
     *     into owed later than he did. Guarded by VirtualFiberStress.WakeAgainstRead.
     * V3. A virtual thread cannot carry another. Where a foreign executor runs a slice on one, a worker of the common
     *     scheduler carries it, and the executor's thread waits meanwhile: the slice is still that executor's task, and a
     *     Strand above it still runs one at a time. The executor has taken the slice out of its queue: where there is no room to hand it
     *     over and wait, it goes back by another thread. Guarded by VirtualThreadsUnderneathTest and StackEndTest.
     * V4. The JDK ends a thread whose start threw, whatever that was. So a start that throws leaves the fiber with a new thread,
     *     as if it had never been started; only the one that had the JDK call execute may do so, and not one that came second.
     *     What an executor throws after it has let the fiber begin does not reach the JDK: it would end a thread that lives.
     *     Guarded by BrokenExecutorTest.
     * V5. The thread is three times as large as the fiber, so it is made where it runs: most fibers are spawned on one worker and run
     *     on another, and all that has to move between the two is the fiber. Where there is something to inherit from who makes the
     *     fiber, and over a foreign executor, the thread is made with it; and for who asks for it, at once.
     *
     *     thread     to         cause                               who moves, by CAS
     *     null       QUEUED     start                               starter, who then queues the fiber
     *     null       new        somebody asks for it                he; from here on the JDK starts it
     *     QUEUED     started    somebody asks for it                he; what he gets lives, as the fiber does
     *     QUEUED     running    the first slice                     its carrier
     *     QUEUED     null       no room for the fiber               starter
     *     started    null       no room, but somebody has asked     starter, who ends what they got
     *
     *     What is put there is as it shall be before anybody sees it, so the JDK's start need not be raced. Guarded by
     *     VirtualThreadLaterTest and VirtualFiberStress.AskAgainstBegin.
     */
    private static final long LENDING_BYTES = 64 << 10; // for handing a slice over, and waiting for it
    private static final Thread QUEUED =
            JdkAccess.newVirtualThread(Runnable::run, null, false, () -> {}); // never started: V5
    private static final Map<VirtualFiber<?>, Thread> REFUSED =
            new ConcurrentHashMap<>(); // whose executor threw what the JDK throws for a second start
    private static final VarHandle THREAD;
    private static final VarHandle OWED;
    private static final VarHandle ENDED;
    private static final MethodHandle ROW; // of ThreadSwitch

    static {
        try {
            var lookup = MethodHandles.lookup();
            THREAD = lookup.findVarHandle(VirtualFiber.class, "thread", Thread.class);
            OWED = lookup.findVarHandle(VirtualFiber.class, "owed", boolean.class);
            ENDED = lookup.findVarHandle(VirtualFiber.class, "ended", boolean.class);
            lookup.ensureInitialized(Abroad.class); // where it is needed there may be no room for that
            ROW = ThreadSwitch.rows(lookup.findStatic(
                    VirtualFiber.class, "next", MethodType.methodType(Thread.class, Thread.class, Object.class)));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Thread thread; // V5
    // over a scheduler the only carrier it may run on, if any; over a foreign executor the task that runs a slice there
    private final @Nullable Object homeOrSlice;
    private volatile boolean owed; // to whoever finds that it may run: he queues it. V2
    private volatile boolean ended; // written by the fiber, at its end
    private boolean atHome; // its home counts it; that thread only
    private volatile boolean lent; // a slice needed a thread of the common scheduler: V3. Set, never cleared
    private byte departures; // the fiber only
    private boolean queuedOnce; // or about to be; the starter only, and whoever comes after him

    VirtualFiber(Object runsOn, @Nullable Carrier home, @Nullable String name, Object body, boolean isRunnable) {
        super(runsOn, name, body, isRunnable);
        boolean abroad = group() == null;
        this.homeOrSlice = abroad ? new Slice(this) : home;
        if (abroad || !JdkAccess.hasNothingToInherit()) THREAD.set(this, newThread(true));
    }

    private Thread newThread(boolean inherits) {
        return JdkAccess.newVirtualThread(this, givenName(), inherits, this);
    }

    /** Its thread, which is made if there is none yet: V5. Any thread. */
    private Thread stack() {
        while (true) {
            Thread seen = thread;
            if (seen != null && seen != QUEUED) return seen;
            Thread made = newThread(false);
            if (seen == QUEUED) core().startUnseen(made);
            if (THREAD.compareAndSet(this, seen, made)) return made;
        }
    }

    private SchedulerCore core() {
        return Objects.requireNonNull(group()).core();
    }

    /** The fiber in which a virtual thread, or an ancestor of it, was started. */
    static @Nullable VirtualFiber<?> underneath(Thread thread) {
        return JdkAccess.schedulerOf(thread) instanceof VirtualFiber<?> fiber ? fiber : null;
    }

    @Override
    public Fiber<T> start() {
        StackRoom.ensureMore(); // the JDK notes the start before it calls execute
        if (THREAD.compareAndSet(this, null, QUEUED)) spawnWithoutThread();
        else startThread();
        return this;
    }

    private void spawnWithoutThread() {
        queuedOnce = true;
        try {
            spawn();
        } catch (Throwable refusal) {
            queuedOnce = false;
            if (!THREAD.compareAndSet(this, QUEUED, null)) endUnrun();
            throw refusal;
        }
    }

    /** Its start was refused, and somebody has asked for its thread meanwhile: V5. */
    private void endUnrun() {
        Thread asked = Objects.requireNonNull(thread);
        thread = null;
        ThreadSwitch.endUnrun(asked);
    }

    /** Where the thread is there before the fiber is started: by the JDK, which calls execute. */
    private void startThread() {
        Thread made = stackThread();
        if (made == null) throw startedBefore();
        try {
            if (group() != null) core().start(made);
            else made.start();
        } catch (IllegalThreadStateException e) { // the JDK's, or the executor's own
            if (!REFUSED.remove(this, Thread.currentThread())) throw startedBefore();
            throw e;
        }
    }

    private IllegalStateException startedBefore() {
        return new IllegalStateException("a fiber is started once: " + this);
    }

    /** Its queueing the caller does himself: he has reserved room. Only he knows it. */
    @Override
    void startReserved() {
        queuedOnce = true;
        if (thread == null) THREAD.set(this, QUEUED);
        else startThread();
    }

    @Override
    public void execute(Runnable command) {
        Thread own = thread;
        if (own == null || command != ThreadSwitch.sliceOf(own)) {
            carry(command);
        } else if (queuedOnce) {
            queue();
        } else {
            queuedOnce = true;
            spawnFirst(own);
        }
    }

    /** It may run. */
    private void queue() {
        if (takeOwed()) resume();
    }

    /** Takes the right to queue it: V2. */
    private boolean takeOwed() {
        if (!owed) return false;
        if (!isFree()) return OWED.compareAndSet(this, true, false);
        OWED.setOpaque(this, false);
        return true;
    }

    private void spawnFirst(Thread own) {
        try {
            spawn();
        } catch (Throwable refusal) {
            if (!hasBegun()) {
                makeNew(own);
                if (refusal instanceof IllegalThreadStateException) REFUSED.put(this, Thread.currentThread());
                throw refusal;
            }
            report(refusal); // V4
        }
    }

    /** After a start that came to nothing: V4. */
    private void makeNew(Thread refused) {
        owed = false; // an executor that threw may have run a slice that was none
        queuedOnce = false;
        thread = JdkAccess.newVirtualThread(this, refused.getName(), true, this);
    }

    private void spawn() {
        Group group = group();
        if (group == null) Apart.execute(executor(), sliceAbroad());
        else if (isFree()) group.core().spawn(this, group.number());
        else group.core().spawnOn(home(), this);
    }

    private void resume() {
        Group group = group();
        if (group == null) Abroad.resume(executor(), sliceAbroad());
        else if (isFree()) group.core().resume(this, group);
        else home().send(this);
    }

    /** Its thread, or what stands for it. Once it is started. */
    private Thread own() {
        return Objects.requireNonNull(thread);
    }

    /** Whether any carrier may run it. Only over a scheduler. */
    private boolean isFree() {
        return homeOrSlice == null;
    }

    private Carrier home() {
        return (Carrier) Objects.requireNonNull(homeOrSlice);
    }

    private Runnable sliceAbroad() {
        return (Runnable) Objects.requireNonNull(homeOrSlice);
    }

    /**
     * Queues a slice of a virtual thread that inherited this scheduler. The executor's own virtual threads may have: its
     * execute would start another for each of them, without end.
     */
    private void carry(Runnable command) {
        Group group = group();
        if (lent) Abroad.resumeOnCommon(command);
        else if (group == null) Abroad.resume(executor(), () -> runOnPlatformThread(command));
        else if (!group.core().tryResume(command, group)) Abroad.resumeOnCommon(command);
    }

    @Override
    protected void runSlice() {
        if (group() == null) {
            runSliceAbroad();
            return;
        }
        Carrier here = Objects.requireNonNull(Carrier.current());
        if (here.core().isCancelling()) cancelInside(true);
        if (!isFree() && !atHome && !ended) {
            atHome = true;
            home().boundStarted();
        }
        Thread first = here.isOnTop() ? beginsOnTop(here) : begins(here);
        if (first == null) first = follower(here, here.pickAhead());
        if (first == null) return;
        try {
            ROW.invokeExact(first, JdkAccess.currentCarrierThread(), (Object) here);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * As {@link #begins}, on top of a wait, where there may be no room for its stack: R3 of Carrier. How large that is stays so only while
     * nobody else can run it, and two may have a right to: V2. So it is looked at by who runs it; but for what
     * goes on inside a coroutine of the one that waits, which is the JDK's. Guarded by BoundStackTest and BeginWithinTest.
     */
    private @Nullable Thread beginsOnTop(Carrier here) {
        Thread own = own();
        if (own == QUEUED || JdkAccess.innermostContinuation() != null) {
            if (ThreadSwitch.hasRoom(own)) return begins(here);
            here.passOn(this, isFree());
            return null;
        }
        do {
            switch (ThreadSwitch.tryBeginWithin(own)) {
                case BEGUN -> {
                    return own;
                }
                case NO_ROOM -> {
                    here.passOn(this, isFree());
                    return null;
                }
                case MAY_NOT_RUN -> owed = true; // before the state is looked at once more: V2
            }
        } while (ThreadSwitch.mayRunNow(own) && takeOwed());
        leave(here);
        return null;
    }

    /** @return its thread, which runs here from now on; null when a slice of it has ended already, which was the JDK's, or it cannot begin yet */
    private @Nullable Thread begins(Carrier here) {
        Thread own = own();
        if (own == QUEUED) {
            Thread made = newThread(here);
            if (made == null) return null;
            boolean begun = ThreadSwitch.tryBeginUnseen(made);
            if (THREAD.compareAndSet(this, QUEUED, made) && begun) return made;
            own = own();
        }
        if (ThreadSwitch.tryBegin(own)) return own;
        owed = true; // before the JDK looks at the state: V2
        ThreadSwitch.sliceOf(own).run();
        leave(here);
        return null;
    }

    /** @return null when there is no memory for one: then the carrier keeps the fiber */
    private @Nullable Thread newThread(Carrier here) {
        if (!here.isShortOfMemory()) {
            try {
                Thread made = newThread(false);
                here.core().startUnseen(made);
                return made;
            } catch (OutOfMemoryError full) { // R4 of OwnFibers
            }
        }
        here.keep(this);
        return null;
    }

    /** A thread has left its stack, or ended: what is to be done for its fiber, and which thread follows. For {@link #ROW}. */
    @SuppressWarnings("UnusedMethod")
    private static @Nullable Thread next(Thread left, Object carrier) {
        var here = (Carrier) carrier;
        var fiber = (VirtualFiber<?>) JdkAccess.schedulerOf(left);
        if (ThreadSwitch.trySettleYield(left)) {
            if (fiber.isFree() && Registry.knows(fiber) && here.mayExchange()) return followerOf(fiber, here);
            fiber.queueAfter(here);
            ThreadSwitch.endInterrupts(left);
        } else if (ThreadSwitch.isParking(left)) {
            OWED.setOpaque(fiber, true); // before the state says that it waits: V2
            if (Registry.knows(fiber) && here.mayTurnToNext()) return partnerOf(fiber, here);
            ThreadSwitch.beginPark(left);
            VarHandle.fullFence();
            fiber.endPark(left, here);
            ThreadSwitch.endInterrupts(left);
        } else {
            OWED.setOpaque(fiber, true); // likewise
            ThreadSwitch.end(left);
        }
        fiber.leave(here);
        return follower(here, here.pickAhead());
    }

    /** The quick way: it has yielded, and mostly another waits in the queue that has yielded as well. */
    private static @Nullable Thread followerOf(VirtualFiber<?> left, Carrier here) {
        Task next = here.exchange(left);
        if (next instanceof VirtualFiber<?> fiber && ThreadSwitch.tryGoOn(fiber.own())) {
            here.runAhead(fiber);
            ThreadSwitch.endInterruptsAmid(left.own()); // the state was moved by a full fence
            return fiber.own();
        }
        here.pause();
        VarHandle.fullFence(); // T6 of ThreadSwitch
        ThreadSwitch.endInterrupts(left.own());
        return follower(here, next);
    }

    /** The quick way: it waits, and mostly for the one that it has woken. */
    private static @Nullable Thread partnerOf(VirtualFiber<?> left, Carrier here) {
        Thread waiting = left.own();
        ThreadSwitch.beginPark(waiting);
        Task next = here.takeNext(); // a full fence
        if (left.endPark(waiting, here)) {
            here.pause();
            here.setAhead(next); // nothing is in hand when others are told, for that may fail
            ThreadSwitch.endInterrupts(waiting);
            here.signalRequeued(); // after the next-slot was emptied: P2 of Worker
            return null;
        }
        if (next instanceof VirtualFiber<?> fiber && fiber.isFree() && ThreadSwitch.tryBegin(fiber.own())) {
            here.runAhead(fiber);
            ThreadSwitch.endInterruptsAmid(waiting);
            return fiber.own();
        }
        here.pause();
        ThreadSwitch.endInterrupts(waiting);
        return follower(here, next);
    }

    /** The thread to run next in the same frame, if what was picked is one: R1 of SliceRow. */
    private static @Nullable Thread follower(Carrier here, @Nullable Task picked) {
        Task next = picked;
        while (next instanceof VirtualFiber<?> fiber && fiber.mayFollow(here)) {
            here.runAhead(fiber);
            Thread begun = fiber.begins(here);
            if (begun != null) {
                here.allowExchanges();
                return begun;
            }
            next = here.pickAhead();
        }
        here.setAhead(next);
        return null;
    }

    /** Whether the row goes on, and there is no more to do for a slice of this fiber than to switch to it. */
    private boolean mayFollow(Carrier here) {
        if (!isFree() || here.core().isCancelling()) return false;
        if (here.rowHead() instanceof VirtualFiber<?> head && head.ended) here.endRowSoon();
        return true;
    }

    /** It waits, and a full fence has followed: if it was woken before, it is queued. @return whether it was */
    private boolean endPark(Thread left, Carrier here) {
        if (!ThreadSwitch.endPark(left) || !takeOwed()) return false;
        requeue(here);
        return true;
    }

    /** A slice of it has ended here. */
    private void leave(Carrier here) {
        if (!ended) here.suspended(this); // it may run elsewhere by now
        else leaveHome();
    }

    /** It has yielded here. */
    private void queueAfter(Carrier here) {
        requeue(here);
        VarHandle.fullFence(); // T6 of ThreadSwitch
    }

    private void requeue(Carrier here) {
        if (isFree()) here.requeue(this);
        else home().send(this);
    }

    private void leaveHome() {
        if (!atHome) return;
        atHome = false;
        home().boundEnded();
    }

    private void runSliceAbroad() {
        if (!Thread.currentThread().isVirtual()) {
            runSliceHere();
        } else if (StackRoom.hasFor(LENDING_BYTES)) {
            lend(this::runSliceHere); // and stays queued until that begins
        } else {
            throw goElsewhere();
        }
    }

    private void runSliceHere() {
        if (hasBegun() && !ThreadSwitch.hasRoom(own())) throw goElsewhere();
        if (!queuedOnce) return; // the executor kept a task that it did not take
        owed = true; // before the JDK looks at the state: V2
        ThreadSwitch.sliceOf(own()).run();
    }

    /** The executor runs it where its stack has no room, and has taken it out of its queue already. */
    private StackOverflowError goElsewhere() {
        Abroad.resumeApart(executor(), sliceAbroad());
        return noRoom();
    }

    private void runOnPlatformThread(Runnable command) {
        if (!Thread.currentThread().isVirtual()) {
            command.run();
        } else if (StackRoom.hasFor(LENDING_BYTES)) {
            lend(command);
        } else {
            Abroad.resumeApart(Scheduler.common(), command);
            throw noRoom();
        }
    }

    /** V3. */
    private void lend(Runnable command) {
        lent = true;
        var ran = new Arrival<Boolean>();
        Apart.execute(Scheduler.common(), () -> {
            try {
                command.run();
            } finally {
                ran.succeed(true);
            }
        });
        ran.awaitWhateverHappens("a slice that another thread carries");
    }

    /** What the virtual thread runs. The thread itself only; it is a method of the fiber so that no object is made for it. */
    @Override
    public void run() {
        if (Thread.currentThread() != thread) throw new WrongThreadException("only its own thread runs " + this);
        try {
            runBody();
        } finally {
            ENDED.setRelease(this, true);
            if (ThreadSwitch.wasNeverLeft(own())) Registry.leaveConfined(this); // so no carrier can be entering it
            else Registry.leave(this);
        }
    }

    @Override
    void report(Throwable failure) {
        if (group() != null) core().report(own(), failure);
        else world().uncaught(failure);
    }

    @Override
    protected void parkHere(String reason, long deadlineNanos) {
        StackRoom.ensureToLeave();
        beginWait(reason, deadlineNanos != Long.MAX_VALUE);
        try {
            if (deadlineNanos == Long.MAX_VALUE) park();
            else parkTimed(deadlineNanos);
        } finally {
            endWait();
        }
    }

    private void park() {
        if (!ThreadSwitch.park(own(), departures++, Errands.RUN_HERE)) LockSupport.park(this);
    }

    /** Lets others run. The fiber only. */
    @SuppressWarnings("ThreadPriorityCheck") // where it cannot be left, or a coroutine lies on top
    void yieldNow() {
        StackRoom.ensureToLeave();
        if (!ThreadSwitch.yield(own(), departures++)) Thread.yield();
    }

    private void parkTimed(long deadlineNanos) {
        Group group = group();
        if (group == null) {
            parkTimedAbroad(deadlineNanos);
            return;
        }
        var alarm = new Alarm(this);
        Reactor timers = group.reactor();
        timers.setTimerAt(alarm, deadlineNanos);
        try {
            park();
        } finally {
            timers.endTimer(alarm);
        }
    }

    private void parkTimedAbroad(long deadlineNanos) {
        Runnable alarm = world().at(deadlineNanos, this::unparkIt);
        try {
            park();
        } finally {
            alarm.run();
        }
    }

    @Override
    void beginBlocking() {
        beginWait(BLOCKING_CALL, false);
        if (group() != null) Objects.requireNonNull(Carrier.current()).suspended(this); // so that shutdown finds it
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // the yield queues it where a worker finds it
    void endBlocking() {
        endWait();
        if (!Handoff.tryEndBlocking())
            Thread.yield(); // on another carrier, perhaps: the call may have let go of its thread
    }

    @Override
    protected void unparkIt() {
        if (group() == null || !ThreadSwitch.tryUnpark(own())) LockSupport.unpark(own());
        else queueStaying();
    }

    /** As the JDK calls {@link #execute}: a virtual thread that wakes another stays on its carrier meanwhile. */
    private void queueStaying() {
        boolean pinned = Stack.stay();
        try {
            queue();
        } finally {
            Stack.mayLeave(pinned);
        }
    }

    @Override
    protected boolean takeInterruptHere() {
        return Thread.interrupted();
    }

    @Override
    protected void interruptIt() {
        if (stackThread() == null && isDone())
            return; // who puts a thread there looks at this afterwards, and runs no body
        stack().interrupt();
    }

    @Override
    protected @Nullable Thread stackThread() {
        Thread seen = thread;
        return seen == QUEUED ? null : seen;
    }

    @Override
    public Kind kind() {
        return Kind.VIRTUAL;
    }

    @Override
    public Status status() {
        if (ended || isCancelledBeforeStart()) return Status.DONE;
        Thread own = thread;
        if (own == null) return Status.NEW;
        if (own == QUEUED) return Status.QUEUED;
        return switch (own.getState()) {
            case NEW -> Status.NEW;
            case RUNNABLE ->
                ThreadSwitch.mayRun(own) ? Status.QUEUED : isInBlockingCall() ? Status.WAITING : Status.RUNNING;
            // in a wait of ours it is its carrier that is blocked, by who asks the JDK for this state; it is about to
            // park
            case BLOCKED -> isInWait() && !isInBlockingCall() ? Status.RUNNING : Status.WAITING;
            case WAITING -> isWaitTimed() ? Status.TIMED_WAITING : Status.WAITING;
            case TIMED_WAITING -> Status.TIMED_WAITING;
            case TERMINATED -> Status.DONE;
        };
    }

    @Override
    public Optional<Thread> thread() {
        return Optional.of(stack());
    }
}
