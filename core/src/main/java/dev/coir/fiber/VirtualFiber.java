package dev.coir.fiber;

import dev.coir.executor.Scheduler;
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
     * V1. The first command that execute gets is this thread's own, for the JDK hands it over in Thread.start, before any
     *     code of the thread could start another. Any other command belongs to a virtual thread that was started inside and
     *     inherited this scheduler; it is queued as a plain task, for as long as that thread lives, also after this fiber.
     * V2. The fiber stands in one queue at a time, for queues link their tasks. So there is one right to queue it, and it is always in
     *     one of three places: in a queue, with the fiber; in the hand of the carrier that took the fiber out; or in "owed", from
     *     where whoever finds that the thread may run takes it, by compare-and-set, and queues the fiber. A carrier keeps it while
     *     it runs a slice, so who yields goes back into the queue without any atomic write. It is put into owed before the
     *     thread's state says that it waits, and before a slice that the JDK runs in its own way.
     *     The JDK calls execute(own) also for a thread that may run already, after somebody has read its stack, for it could not
     *     be run meanwhile. Mostly nothing is owed then. Who could not run it for that reason has put the right into owed, by a
     *     full fence, and then looked at the state once more (in the JDK's code); who has read the stack writes the state and looks
     *     into owed after: one of them finds the other's. Guarded by QueuedFiberDumpTest.
     * V3. A virtual thread cannot carry another. Where a foreign executor runs a slice on one, a worker of the common
     *     scheduler carries it, and the executor's thread waits meanwhile: the slice is still that executor's task, and a
     *     Strand above it still runs one at a time. The executor has taken the slice out of its queue: where there is no room to hand it
     *     over and wait, it goes back by another thread. Guarded by VirtualThreadsUnderneathTest and StackEndTest.
     * V4. The JDK ends a thread whose start threw, whatever that was. So a start that throws leaves the fiber with a new thread,
     *     as if it had never been started; only the one that had the JDK call execute may do so, and not one that came second.
     *     What an executor throws after it has let the fiber begin does not reach the JDK: it would end a thread that lives.
     *     Guarded by BrokenExecutorTest.
     */
    private static final long LENDING_BYTES = 64 << 10; // for handing a slice over, and waiting for it
    private static final Map<VirtualFiber<?>, Thread> REFUSED =
            new ConcurrentHashMap<>(); // whose start found no executor: V4
    private static final VarHandle OWED;
    private static final VarHandle ENDED;
    private static final MethodHandle ROW; // of ThreadSwitch
    private static MethodHandle handOver; // not final, lest the JIT inline it

    static {
        try {
            var lookup = MethodHandles.lookup();
            OWED = lookup.findVarHandle(VirtualFiber.class, "owed", boolean.class);
            ENDED = lookup.findVarHandle(VirtualFiber.class, "ended", boolean.class);
            handOver = lookup.findVirtual(Executor.class, "execute", MethodType.methodType(void.class, Runnable.class));
            lookup.ensureInitialized(Resumption.class);
            ROW = ThreadSwitch.rows(lookup.findStatic(
                    VirtualFiber.class, "next", MethodType.methodType(Thread.class, Thread.class, Object.class)));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Group group; // where it is queued by those who are no workers; null over a foreign executor
    private Thread thread;
    // over a scheduler the only carrier it may run on, if any; over a foreign executor the task that runs a slice there
    private final @Nullable Object homeOrSlice;
    private @Nullable Runnable slice; // the JDK's; set by start
    private volatile boolean owed; // to whoever finds that it may run: he queues it. V2
    private volatile boolean ended; // written by the fiber, at its end
    private boolean atHome; // its home counts it; that thread only
    private volatile boolean lent; // a slice needed a thread of the common scheduler: V3. Set, never cleared
    private byte departures; // the fiber only
    private boolean reserved; // the starter only: room is reserved, the batch will queue it

    VirtualFiber(FiberBuilder made, Object body, boolean isRunnable) {
        super(made.executor(), made.givenName(), body, isRunnable);
        SchedulerCore core = made.core();
        this.group = core == null ? null : core.group(made.groupNumber());
        this.homeOrSlice = core == null ? new Slice(this) : made.isLocal() ? made.home() : null;
        this.thread = newThread(made.givenName());
    }

    private Thread newThread(@Nullable String name) {
        return JdkAccess.newVirtualThread(this, name, this);
    }

    /** The fiber in which a virtual thread, or an ancestor of it, was started. */
    static @Nullable VirtualFiber<?> underneath(Thread thread) {
        return JdkAccess.schedulerOf(thread) instanceof VirtualFiber<?> fiber ? fiber : null;
    }

    @Override
    public Fiber<T> start() {
        if (slice != null) throw startedBefore();
        StackRoom.ensureMore(); // the JDK notes the start before it calls execute
        try {
            if (group != null) group.core().start(thread);
            else thread.start();
        } catch (Throwable refusal) {
            boolean refused = REFUSED.remove(this, Thread.currentThread());
            if (!refused && refusal instanceof IllegalThreadStateException)
                throw startedBefore(); // by who started it at the same time
            makeNew();
            throw refusal;
        }
        return this;
    }

    /** After a start that came to nothing: V4. */
    private void makeNew() {
        owed = false; // an executor that threw may have run a slice that was none
        slice = null;
        VarHandle.releaseFence(); // who sees the new thread, and starts it, sees no slice of the old
        thread = newThread(thread.getName());
    }

    private IllegalStateException startedBefore() {
        return new IllegalStateException("a fiber is started once: " + this);
    }

    /** Starts the thread, whose queueing the caller does itself: it has reserved room. */
    @Override
    void startReserved() {
        reserved = true;
        try {
            start();
        } finally {
            reserved = false;
        }
    }

    @Override
    public void execute(Runnable command) {
        if (command == slice) {
            queue();
        } else if (slice == null) {
            slice = command;
            if (!reserved) spawnFirst();
        } else {
            carry(command);
        }
    }

    /** It may run: V2. */
    private void queue() {
        if (owed && OWED.compareAndSet(this, true, false)) resume();
    }

    private void spawnFirst() {
        try {
            spawn();
        } catch (Throwable refusal) {
            if (!hasBegun()) {
                REFUSED.put(this, Thread.currentThread());
                throw refusal;
            }
            report(refusal); // V4
        }
    }

    private void spawn() {
        if (group == null) executor().execute(sliceAbroad());
        else if (isFree()) group.core().spawn(this, group.number());
        else group.core().spawnOn(home(), this);
    }

    private void resume() {
        if (group == null) resumeAbroad(sliceAbroad());
        else if (isFree()) group.core().resume(this, group);
        else home().send(this);
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
     * A fiber over a foreign executor that has shut down meanwhile, or is broken, goes on elsewhere: it must be able to end, and
     * who woke it has nothing to do with it.
     */
    private void resumeAbroad(Runnable command) {
        try {
            handOver(executor(), command);
        } catch (StackOverflowError tooDeep) { // who wakes it has room for no more than this
            new Resumption(executor(), command).start();
        } catch (Throwable refused) {
            handOver(Scheduler.common(), command);
        }
    }

    /** What an executor asks for is asked for when it is called, and not when those who wake begin: O3 of StackRoom. */
    private static void handOver(Executor to, Runnable command) {
        try {
            handOver.invokeExact(to, command);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** Hands a slice to the executor on a stack of its own. Loaded with the fiber: where it is needed there is no room for that. */
    private static final class Resumption extends Thread {
        private static final long STACK_BYTES = 64 << 20; // it may have to carry a fiber that found no room elsewhere
        private final Executor executor;
        private final Runnable command;

        Resumption(Executor executor, Runnable command) {
            super(null, null, "coir-resume", STACK_BYTES, false);
            this.executor = executor;
            this.command = command;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                executor.execute(command);
            } catch (Throwable refused) { // also one that overflows any stack
                Scheduler.common().execute(command);
            }
        }
    }

    /**
     * Queues a slice of a virtual thread that inherited this scheduler. The executor's own virtual threads may have: its
     * execute would start another for each of them, without end.
     */
    private void carry(Runnable command) {
        if (lent) Scheduler.common().execute(command);
        else if (group == null) resumeAbroad(() -> runOnPlatformThread(command));
        else if (!group.core().tryResume(command, group)) Scheduler.common().execute(command);
    }

    @Override
    protected void runSlice() {
        if (group == null) {
            runSliceAbroad();
            return;
        }
        Carrier here = Objects.requireNonNull(Carrier.current());
        if (here.isOnTop() && !ThreadSwitch.hasRoom(thread)) {
            here.passOn(this, isFree());
            return;
        }
        if (group.core().isCancelling()) cancel(true);
        if (!isFree() && !atHome && !ended) {
            atHome = true;
            home().boundStarted();
        }
        Thread first = begins(here) ? thread : follower(here, here.pickAhead());
        if (first == null) return;
        try {
            ROW.invokeExact(first, JdkAccess.currentCarrierThread(), (Object) here);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** @return whether its thread runs here from now on; else a slice of it has ended already, which was the JDK's */
    private boolean begins(Carrier here) {
        if (ThreadSwitch.tryBegin(thread)) return true;
        owed = true; // before the JDK looks at the state: V2
        Objects.requireNonNull(slice).run();
        leave(here);
        return false;
    }

    /** A thread has left its stack, or ended: what is to be done for its fiber, and which thread follows. For {@link #ROW}. */
    @SuppressWarnings("UnusedMethod")
    private static @Nullable Thread next(Thread left, Object carrier) {
        var here = (Carrier) carrier;
        var fiber = (VirtualFiber<?>) JdkAccess.schedulerOf(left);
        if (!ThreadSwitch.trySettleYield(left)) {
            fiber.settle(left);
        } else if (fiber.isFree() && Registry.knows(fiber) && here.mayExchange()) {
            return followerOf(fiber, here);
        } else {
            fiber.queueAfter(here);
            ThreadSwitch.endInterrupts(left);
        }
        fiber.leave(here);
        return follower(here, here.pickAhead());
    }

    /** The quick way: it has yielded, and mostly another waits in the queue that has yielded as well. */
    private static @Nullable Thread followerOf(VirtualFiber<?> left, Carrier here) {
        Task next = here.exchange(left);
        if (next instanceof VirtualFiber<?> fiber && ThreadSwitch.tryGoOn(fiber.thread)) {
            here.runAhead(fiber);
            ThreadSwitch.endInterruptsAmid(left.thread); // the state was moved by a full fence
            return fiber.thread;
        }
        here.pause();
        VarHandle.fullFence(); // T6 of ThreadSwitch
        ThreadSwitch.endInterrupts(left.thread);
        return follower(here, next);
    }

    /** The thread to run next in the same frame, if what was picked is one: R1 of Carrier. */
    private static @Nullable Thread follower(Carrier here, @Nullable Task picked) {
        Task next = picked;
        while (next instanceof VirtualFiber<?> fiber && fiber.mayFollow(here)) {
            here.runAhead(fiber);
            if (fiber.begins(here)) {
                here.allowExchanges();
                return fiber.thread;
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

    /** Its thread has not yielded, but waits or has ended. */
    private void settle(Thread left) {
        OWED.setOpaque(this, true); // before the state says that it waits: V2
        if (ThreadSwitch.settle(left)) queue();
    }

    /** A slice of it has ended here. */
    private void leave(Carrier here) {
        if (!ended) here.suspended(this); // it may run elsewhere by now
        else leaveHome();
    }

    /** It has yielded here. */
    private void queueAfter(Carrier here) {
        if (isFree()) here.requeue(this);
        else home().send(this);
        VarHandle.fullFence(); // T6 of ThreadSwitch
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
        if (hasBegun() && !ThreadSwitch.hasRoom(thread)) throw goElsewhere();
        Runnable own = slice;
        if (own == null) return; // the executor kept a task that it did not take
        owed = true; // before the JDK looks at the state: V2
        own.run();
    }

    /** The executor runs it where its stack has no room, and has taken it out of its queue already. */
    private StackOverflowError goElsewhere() {
        new Resumption(executor(), sliceAbroad()).start();
        return noRoom();
    }

    private void runOnPlatformThread(Runnable command) {
        if (!Thread.currentThread().isVirtual()) {
            command.run();
        } else if (StackRoom.hasFor(LENDING_BYTES)) {
            lend(command);
        } else {
            new Resumption(Scheduler.common(), command).start();
            throw noRoom();
        }
    }

    /** V3. */
    private void lend(Runnable command) {
        lent = true;
        var ran = new Arrival<Boolean>();
        handOver(Scheduler.common(), () -> {
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
            if (ThreadSwitch.wasNeverLeft(thread)) Registry.leaveConfined(this); // so no carrier can be entering it
            else Registry.leave(this);
        }
    }

    @Override
    void report(Throwable failure) {
        if (group != null) group.core().report(thread, failure);
        else world().uncaught(failure);
    }

    @Override
    protected void parkHere(String reason, long deadlineNanos) {
        StackRoom.ensureToLeave();
        beginWait(reason, deadlineNanos != Long.MAX_VALUE);
        try {
            if (deadlineNanos == Long.MAX_VALUE) park();
            else if (group == null) parkTimedAbroad(deadlineNanos);
            else parkTimed(group.reactor(), deadlineNanos);
        } finally {
            endWait();
        }
    }

    private void park() {
        if (!ThreadSwitch.park(thread, departures++, Errands.RUN_HERE)) LockSupport.park(this);
    }

    /** Lets others run. The fiber only. */
    @SuppressWarnings("ThreadPriorityCheck") // where it cannot be left, or a coroutine lies on top
    void yieldNow() {
        StackRoom.ensureToLeave();
        if (!ThreadSwitch.yield(thread, departures++)) Thread.yield();
    }

    private void parkTimed(Reactor timers, long deadlineNanos) {
        var alarm = new Alarm(this);
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
        if (group != null) Objects.requireNonNull(Carrier.current()).suspended(this); // so that shutdown finds it
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
        if (group == null || !ThreadSwitch.tryUnpark(thread)) LockSupport.unpark(thread);
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
        thread.interrupt();
    }

    @Override
    protected Thread stackThread() {
        return thread;
    }

    @Override
    public Kind kind() {
        return Kind.VIRTUAL;
    }

    @Override
    public Status status() {
        if (ended || isCancelledBeforeStart()) return Status.DONE;
        return switch (thread.getState()) {
            case NEW -> Status.NEW;
            case RUNNABLE ->
                ThreadSwitch.mayRun(thread) ? Status.QUEUED : isInBlockingCall() ? Status.WAITING : Status.RUNNING;
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
        return Optional.of(thread);
    }
}
