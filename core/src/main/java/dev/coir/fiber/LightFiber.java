package dev.coir.fiber;

import dev.coir.executor.ManualExecutor;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.OwnFrame;
import dev.coir.internal.Rethrow;
import dev.coir.internal.Stack;
import dev.coir.internal.StackRoom;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.Group;
import dev.coir.internal.sched.Handoff;
import dev.coir.internal.sched.OnTop;
import dev.coir.internal.sched.OutsideInterrupts;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.task.FiberStack;
import dev.coir.internal.task.Registry;
import dev.coir.internal.task.Slice;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.World;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A fiber whose stack is a bare continuation. From its first run on it belongs to the thread that ran it. */
final class LightFiber<T extends @Nullable Object> extends Fiber<T> {
    /*
     * from      to        cause                                   who moves
     * NEW       QUEUED    start                                   starter, by CAS
     * QUEUED    RUNNING   taken from a queue                      its thread
     * QUEUED    DONE      cancelled before the first run          whoever took it
     * RUNNING   QUEUED    yield                                   its thread, stack saved
     * RUNNING   PARKING   park without a permit                   the fiber, which then leaves its stack
     * PARKING   PARKED    stack saved                             its thread
     * PARKED    QUEUED    a permit came                           whoever gave it or found it, by CAS; queues the fiber
     * RUNNING   BELOW     park, and another can run on top        the fiber, which stays where it is (N4)
     * BELOW     QUEUED    woken on its own thread                 whoever runs on top; no queue has it, it goes on after that
     * BELOW, QUEUED  RUNNING   woken, or a permit came            the fiber, when the other has left
     * BELOW, QUEUED  PARKING   not woken, or its slot is claimed  the fiber, likewise
     * PARKING   PINNED    the stack cannot be saved               the fiber; the thread itself blocks
     * PINNED    RUNNING   a permit came                           the fiber
     * RUNNING   DONE      the body has ended                      its thread
     *
     * N1. The permit and the state form a Dekker pair: unpark sets the permit, then reads the state; its thread sets PARKED,
     *     then reads the permit. Both are volatile. So a parked fiber with a permit is queued, and by the CAS once. Its own thread
     *     does these things one after the other, whatever fiber runs on it: there it is enough to move the state of one that waits.
     *     Guarded by LightFiberStress.ParkAgainstUnpark.
     * N2. A stack is entered by the slice of one fiber and may be left by another: fibers that run straight through follow
     *     each other on it, so that a fiber costs a stack only when it suspends. The stack says whose it is; each stack is
     *     that of one fiber at a time, and each suspended fiber has one of its own.
     * N3. What a stack's frames hold is saved with each suspended fiber. So what follows the end of a body, which needs many
     *     places, is called in a way that the JIT cannot inline: the frame around every body stays small.
     * N4. A fiber that waits need not be saved if the next one of its thread can run on top of it (OnTop). It then looks at its permit
     *     when that one has left, so who gives the permit has nothing else to do. Only one that waits in a park is put on
     *     top: there it finds out where it lies before any other code goes on.
     * N5. Where the heap is full a stack cannot be made; nor, as long as what does it runs for the first time, be entered or left. The
     *     fiber has been taken out of its queue by then, and goes back there, or is kept by its carrier (R4 of OwnFibers). FullHeapTest tries it.
     */
    private static final byte NEW = 0;
    private static final byte QUEUED = 1;
    private static final byte RUNNING = 2;
    private static final byte PARKING = 3;
    private static final byte PARKED = 4;
    private static final byte PINNED = 5;
    private static final byte DONE = 6;
    private static final byte BELOW = 7;
    private static final VarHandle STATE;
    private static final VarHandle PERMIT;
    private static final MethodHandle FOLLOW; // N3

    static {
        try {
            var lookup = MethodHandles.lookup();
            FOLLOW = OwnFrame.around(
                    lookup.findVirtual(LightFiber.class, "follow", MethodType.methodType(LightFiber.class)));
            STATE = lookup.findVarHandle(LightFiber.class, "state", byte.class);
            PERMIT = lookup.findVarHandle(LightFiber.class, "permit", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Carrier carrier; // set before the first run ends; null over a manual executor
    private @Nullable FiberStack stack; // its thread only
    private volatile byte state; // NEW; not written at first, for that would be a fence
    private volatile boolean permit;
    private volatile boolean interruptPending;
    private boolean hasThread; // its thread makes a blocking call for it, and is interrupted with it; guarded by this
    private short calls; // blocking calls under way, one inside the other; its thread only

    LightFiber(Object runsOn, @Nullable Carrier home, @Nullable String name, Object body, boolean isRunnable) {
        super(runsOn, name, body, isRunnable);
        if (home != null) carrier = home;
        else if (group() == null) rare(); // has its thread
    }

    @Override
    public Fiber<T> start() {
        StackRoom.ensureMore();
        startReserved();
        return spawn();
    }

    @Override
    Fiber<T> startUnseen() {
        StackRoom.ensureMore();
        STATE.set(this, QUEUED);
        return spawn();
    }

    private Fiber<T> spawn() {
        Group group = group();
        try {
            if (group == null) executor().execute(new Slice(this));
            else if (carrier == null) group.core().spawn(this, group.number());
            else group.core().spawnOn(carrier, this);
        } catch (Throwable refusal) { // whatever the executor throws: it can be started again
            state = NEW;
            throw refusal;
        }
        return this;
    }

    /** Marks it queued; the caller has reserved room and queues it. */
    @Override
    void startReserved() {
        if (!STATE.compareAndSet(this, NEW, QUEUED))
            throw new IllegalStateException("a fiber is started once: " + this);
    }

    // ---- its thread ------------------------------------------------------------------------------------------------

    @Override
    protected void runSlice() {
        if (stack == null) {
            Carrier on = group() == null ? null : Carrier.current();
            FiberStack made = newStack(on);
            if (made == null || !begin(on)) return;
            stack = made;
        } else if (stack.isDone()) {
            endWithoutBody();
            return;
        } else if (carrier == null) {
            ensureOwnThread();
            ensureRoom(stack);
        } else if (carrier.isOnTop() && !stack.hasRoom()) {
            carrier.passOn(this, false);
            return;
        } else if (carrier.core().isCancelling() && !isCancelled()) {
            cancelInside(true);
        }
        if (calls != 0) takeThread(); // it suspended inside a blocking call
        switchTo();
        Carrier on = carrier;
        if (on == null) return;
        Task next = on.pickAhead(); // R1 of SliceRow
        while (state != DONE && next instanceof LightFiber<?> follower && follower.mayFollow()) {
            on.runAhead(follower);
            follower.switchTo();
            next = on.pickAhead();
        }
        on.setAhead(next);
    }

    /** Whether all that is to be done for a slice of it is to switch to it. */
    private boolean mayFollow() {
        return stack != null
                && !stack.isDone()
                && carrier != null
                && calls == 0
                && !carrier.core().isCancelling();
    }

    private void switchTo() {
        FiberStack entered = stack();
        STATE.setOpaque(this, RUNNING);
        try {
            entered.enter();
            settle(entered);
        } catch (OutOfMemoryError full) {
            recover(entered);
        }
    }

    /** A slice has ended on a stack: whose it was last is queued, or waits. */
    private static void settle(FiberStack left) {
        if (left.fiber() instanceof LightFiber<?> suspended) suspended.leave();
    }

    /** N5. */
    private static void recover(FiberStack entered) {
        if (entered.fiber() instanceof LightFiber<?> last) last.requeueIfLost();
    }

    /** It was neither queued nor left waiting: it goes on, and if it has waited, for no reason. Without handles, which may need memory. */
    private void requeueIfLost() {
        if (state != RUNNING && state != PARKING) return;
        state = QUEUED;
        requeue();
    }

    /** What runs before its body, or after it, has failed, and its stack is gone: N5. */
    private void endWithoutBody() {
        try {
            failForWantOfMemory();
            stack().become(null);
            end();
        } catch (OutOfMemoryError full) {
            requeue();
        }
    }

    /** @return null when there is no memory for one: then the carrier keeps the fiber (N5) */
    private @Nullable FiberStack newStack(@Nullable Carrier on) {
        if (on == null || !on.isShortOfMemory()) {
            try {
                return new FiberStack(this, LightFiber::runInnermost);
            } catch (OutOfMemoryError full) {
                if (on == null) {
                    requeue();
                    throw full;
                }
            }
        }
        on.keep(this);
        return null;
    }

    /** Makes the calling thread its own. @return false when it was cancelled before it could begin */
    private boolean begin(@Nullable Carrier on) {
        if (on != null && on.core().isCancelling()) cancelInside(true);
        if (isCancelledBeforeStart()) {
            state = DONE;
            return false;
        }
        carrier = on;
        if (on != null) on.boundStarted();
        else rare().thread = platformThread();
        return true;
    }

    /**
     * The entry of every stack: the same object for all, so that none is made for it. Runs the body of the stack's fiber, and then the
     * bodies of those that come next and have not begun (N2). One that suspends takes the stack with it, so nothing here keeps one that
     * has ended.
     */
    private static void runInnermost() {
        LightFiber<?> each = (LightFiber<?>) FiberStack.innermost();
        while (each != null) {
            each.runBody();
            each = following(each);
        }
    }

    private static @Nullable LightFiber<?> following(LightFiber<?> ended) {
        try {
            Object next = (Object) FOLLOW.invokeExact((Object) ended);
            return (LightFiber<?>) next;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** Its body has ended. @return whose body runs next on this stack; null when it is left */
    @SuppressWarnings("UnusedMethod") // N3
    private @Nullable LightFiber<?> follow() {
        FiberStack ground = stack();
        end();
        ground.vacate();
        return carrier == null ? null : successor(carrier, ground);
    }

    private @Nullable LightFiber<?> successor(Carrier on, FiberStack ground) {
        Task next = on.pickAhead();
        while (next instanceof LightFiber<?> follower && follower.stack == null && follower.isOf(on.core())) {
            on.runAhead(follower);
            if (follower.begin(on)) {
                follower.stack = ground;
                ground.become(follower);
                STATE.setOpaque(follower, RUNNING);
                return follower;
            }
            next = on.pickAhead();
        }
        on.setAhead(next);
        return null;
    }

    private boolean isOf(SchedulerCore core) {
        Group group = group();
        return group != null && group.core() == core;
    }

    private Thread platformThread() {
        Thread caller = Thread.currentThread();
        if (!caller.isVirtual()) return caller;
        requeue();
        throw new WrongThreadException("a LIGHT fiber runs on a platform thread (caller: " + caller
                + "); run the executor's tasks there: " + this);
    }

    private void ensureOwnThread() {
        if (Thread.currentThread() == bareThread()) return;
        requeue();
        throw new WrongThreadException("a LIGHT fiber stays with the thread that first ran it: " + bareThread()
                + " (caller: " + Thread.currentThread() + "); run the executor's tasks there: " + this);
    }

    /** Whoever drives a manual executor may stand anywhere on its stack, and has taken this out of the queue already. */
    private void ensureRoom(FiberStack left) {
        if (left.hasRoom()) return;
        requeue();
        throw noRoom();
    }

    /** It has suspended. */
    private void leave() {
        if (calls != 0) leaveThread();
        else if (takeThreadsInterrupt()) interruptPending = true;
        if (carrier != null) carrier.suspended(this);
        if (state == RUNNING) {
            STATE.setOpaque(this, QUEUED);
            requeue();
        } else {
            state = PARKED; // before reading the permit: N1
            if (permit && STATE.compareAndSet(this, PARKED, QUEUED)) requeue();
        }
    }

    private void requeue() {
        if (carrier != null) carrier.pushBound(this);
        else executor().execute(new Slice(this));
    }

    private void end() {
        Thread.interrupted(); // nobody else's
        STATE.setRelease(this, DONE);
        stack = null;
        if (carrier != null) {
            carrier.boundEnded();
            Registry.leaveConfined(this);
        }
    }

    // ---- the fiber itself ------------------------------------------------------------------------------------------

    private FiberStack stack() {
        return Objects.requireNonNull(stack);
    }

    @SuppressWarnings("ThreadPriorityCheck") // what is left when the stack cannot be
    void yieldNow() {
        StackRoom.ensureToLeave();
        FiberStack.ensureNothingHeld();
        if (!stack().tryLeave()) Thread.yield();
    }

    /** Waits for a permit, and uses it up. May return without one. */
    void park(String reason, boolean timed) {
        if (!permit) {
            beginWait(reason, timed);
            try {
                if (!stayedBelow()) {
                    boolean left = false;
                    STATE.setOpaque(this, PARKING);
                    stack().mayLieOnTop = true;
                    try {
                        left = stack().tryLeave();
                    } catch (OutOfMemoryError full) { // its thread can wait for it
                    }
                    stack().mayLieOnTop = false;
                    if (!left) parkPinned();
                }
            } catch (Throwable overflow) {
                stack().mayLieOnTop = false;
                state = RUNNING; // else its next yield would be taken for this park
                throw overflow;
            } finally {
                endWait();
            }
        }
        if (permit) PERMIT.getAndSet(this, false);
        if (carrier != null && carrier.onTop().isTooDeep()) stack().tryLeave(); // N4: to go on further up
    }

    /** Waits while another fiber of its thread runs on top of it, if that may be: N4. @return whether a permit came */
    private boolean stayedBelow() {
        Carrier on = carrier;
        return on != null
                && calls == 0
                && Registry.knows(this)
                && on.onTop().isWorthTrying()
                && stayBelow(on); // Q7 of OnTop
    }

    private boolean stayBelow(Carrier on) {
        OnTop top = on.onTop();
        if (!(top.candidate() instanceof LightFiber<?> next && next.mayLieOnTop())) return permit;
        if (!stack().mayBearAnother()) return false;
        if (takeThreadsInterrupt()) interruptPending = true;
        STATE.setOpaque(this, BELOW);
        boolean goesOn;
        try {
            if (top.begin(next)) next.runOnTopOf(stack());
        } finally {
            goesOn = top.end(this, permit || state == QUEUED);
        }
        if (goesOn) STATE.setOpaque(this, RUNNING);
        else if (state == QUEUED) PERMIT.setOpaque(this, true); // it is saved, and queued at once
        return goesOn;
    }

    private boolean mayLieOnTop() {
        return stack != null && stack.mayLieOnTop && calls == 0 && stack.isLittle();
    }

    /** Runs a slice on top of another fiber that waits. Whoever reads a stack trace: what is below this line is not who called. */
    private void runOnTopOf(FiberStack waiting) {
        FiberStack entered = stack();
        STATE.setOpaque(this, RUNNING);
        try {
            entered.enterOnTopOf(waiting);
        } catch (StackOverflowError noRoom) {
            if (!mayLieOnTop()) throw noRoom;
            STATE.setOpaque(this, QUEUED); // it was not put back: its stack is as it was
            requeue();
            return;
        } catch (OutOfMemoryError full) {
            recover(entered);
            return;
        }
        try {
            settle(entered);
        } catch (OutOfMemoryError full) {
            recover(entered);
        }
    }

    private void parkPinned() {
        state = PINNED; // before reading the permit: N1
        if (carrier != null) carrier.suspended(this); // so that shutdown finds it
        boolean handedOff = !permit && carrier != null && Handoff.beginBlocking();
        while (!permit) LockSupport.park(this);
        state = RUNNING;
        if (handedOff) Handoff.awaitSlot(Objects.requireNonNull(carrier));
    }

    @Override
    void beginBlocking() {
        beginWait(BLOCKING_CALL, false);
        calls++;
        takeThread();
        if (carrier != null) carrier.suspended(this); // so that shutdown finds it
    }

    /** Who interrupts the fiber interrupts its thread from now on. */
    private synchronized void takeThread() {
        if (carrier != null) OutsideInterrupts.lend(carrier);
        hasThread = true;
        if (!interruptPending) return;
        interruptPending = false; // one interrupt, seen once
        Thread.currentThread().interrupt();
    }

    /** The thread is not interrupted for the fiber any more: what it has is the fiber's, and not the next one's. */
    private synchronized void leaveThread() {
        hasThread = false;
        if (Thread.interrupted()) interruptPending = true;
        if (carrier != null) OutsideInterrupts.endLending(carrier);
    }

    @Override
    void endBlocking() {
        if (--calls == 0) leaveThread();
        endWait();
        if (Handoff.tryEndBlocking()) return;
        Carrier here = carrier != null ? carrier : Carrier.current(); // a manual executor may run on a carrier
        if (here != null && (carrier == null || !stack().tryLeave())) Handoff.awaitSlot(here);
    }

    @Override
    protected void parkHere(String reason, long deadlineNanos) {
        StackRoom.ensureToLeave();
        if (deadlineNanos == Long.MAX_VALUE) {
            park(reason, false);
        } else if (carrier == null) {
            Runnable alarm = world().at(deadlineNanos, this::unparkIt);
            park(reason, true);
            alarm.run();
        } else {
            var alarm = new Alarm(this);
            var timers = carrier.group().reactor();
            timers.setTimerAt(alarm, deadlineNanos);
            park(reason, true);
            timers.endTimer(alarm);
        }
    }

    @Override
    protected boolean takeInterruptHere() {
        boolean ofThread = takeThreadsInterrupt(); // the body restored it there
        if (!ofThread && !interruptPending) return false;
        interruptPending = false;
        return true;
    }

    private boolean takeThreadsInterrupt() {
        return carrier != null ? OutsideInterrupts.takeForFiber(carrier) : Thread.interrupted();
    }

    // ---- anybody ---------------------------------------------------------------------------------------------------

    /** Gives the permit: the fiber's current or next park returns. */
    @Override
    protected void unparkIt() {
        Carrier on = carrier;
        if (on != null && JdkAccess.currentCarrierThread() == on.thread() && unparkedHere(on)) return;
        if ((boolean) PERMIT.getAndSet(this, true)) return; // before reading the state: N1
        int seen = state;
        if (seen == PARKED && STATE.compareAndSet(this, PARKED, QUEUED)) {
            if (carrier != null) carrier.send(this);
            else executor().execute(new Slice(this));
        } else if (seen == PINNED) {
            LockSupport.unpark(bareThread());
        }
    }

    /** As unparkIt, on its own thread, which is not in the middle of saving it: it needs no permit then, see N1. */
    private boolean unparkedHere(Carrier here) {
        switch (state) {
            case BELOW -> STATE.setOpaque(this, QUEUED);
            case PARKED -> {
                if (STATE.compareAndSet(this, PARKED, QUEUED)) here.pushBound(this);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    protected void interruptIt() {
        boolean pinned = Stack.stay();
        try {
            synchronized (this) {
                if (hasThread) Objects.requireNonNull(bareThread()).interrupt();
                else interruptPending = true;
            }
        } finally {
            Stack.mayLeave(pinned);
        }
        unparkIt();
    }

    @Override
    void report(Throwable failure) {
        Group group = group();
        if (group != null) group.core().report(Thread.currentThread(), failure);
        else world().uncaught(failure);
    }

    @Override
    public Fiber.Kind kind() {
        return Fiber.Kind.LIGHT;
    }

    @Override
    public Status status() {
        if (isCancelledBeforeStart()) return Status.DONE;
        return switch (state) {
            case NEW -> Status.NEW;
            case QUEUED -> Status.QUEUED;
            case RUNNING, PARKING -> isInBlockingCall() ? Status.WAITING : Status.RUNNING;
            case DONE -> Status.DONE;
            default -> isWaitTimed() ? Status.TIMED_WAITING : Status.WAITING;
        };
    }

    @Override
    protected @Nullable Thread stackThread() {
        return null;
    }

    @Override
    protected @Nullable Thread bareThread() {
        Carrier on = carrier;
        return on != null ? on.thread() : group() == null ? rare().thread : null;
    }

    @Override
    protected @Nullable FiberStack bareStack() {
        return stack;
    }

    @Override
    public Optional<Thread> thread() {
        return Optional.empty();
    }

    /** The executors that promise one thread. */
    static boolean canRunOn(java.util.concurrent.Executor executor) {
        return executor instanceof ManualExecutor || executor instanceof World || SchedulerCore.of(executor) != null;
    }
}
