package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ThreadContainer;
import org.jspecify.annotations.Nullable;

/**
 * Runs, parks and yields virtual threads as the JDK does, but with the {@linkplain StackSwitch shorter way} onto their stacks
 * and off them, and without the lock of unmounting. States, permits and all that follows are the JDK's; what is not common is left
 * to it as a whole. Only virtual threads that Coir schedules.
 */
public final class ThreadSwitch {
    /*
     * T1. The thread's state decides who runs it, and whether: only who moves it to RUNNING enters its stack. It is the JDK's
     *     rule too, so what is done here and what the JDK does may be mixed.
     * T2. Mounting, entering and unmounting is ThreadRow's, which the JIT takes for a part of the JDK.
     * T4. Who leaves its stack says with PARKING or YIELDING what for; nobody else acts on these two, so they need no fence. PARKED
     *     and the permit form a Dekker pair: who unparks sets the permit and then reads the state. Who finds the thread parked
     *     already, and moves it on by compare-and-set, needs no permit.
     * T5. A method handle prepares itself at its first use, and once more after 127: much code of the JDK, which may wait for a
     *     lock. In the middle of a switch that would spoil the thread's state, and the fiber would be lost. So all of them are
     *     used that often before the first fiber is made.
     * T6. The JDK unmounts under a lock, lest who interrupts the thread interrupt a carrier that it has left. Here a Dekker pair does
     *     it: who interrupts, under that lock, says that the thread is interrupted and then looks for its carrier; who unmounts takes
     *     the carrier away, fences (by the thread's next state, or that of the next to run) and then looks whether it is interrupted.
     *     Only if it is, there may be somebody who saw the carrier: he is waited for, and what he left there is cleared. That the thread
     *     may run elsewhere by then does no harm: it cannot take its interrupt before he has left the lock. Mounting is the same the
     *     other way round. Guarded by ThreadSwitchStress.InterruptAgainstUnmount. Given up for it: who asks for the thread's state while it
     *     leaves may get that of the carrier a moment later.
     * Guarded by ThreadSwitchTest.
     */
    private static final int OFTEN = 150;
    private static final ScopedValue<Boolean> PREPARED = ScopedValue.newInstance(); // for what keeps looked up values
    private static final int STARTED;
    private static final int RUNNING;
    private static final int PARKING;
    private static final int PARKED;
    private static final int UNPARKED;
    private static final int YIELDING;
    private static final int YIELDED;
    private static final int UNBLOCKED;
    private static final int SUSPENDED;
    private static final MethodHandle STATE;
    private static final MethodHandle SET_STATE;
    private static final MethodHandle RELEASE_STATE;
    private static final MethodHandle MOVE_STATE;
    private static final MethodHandle PERMIT;
    private static final MethodHandle RELEASE_PERMIT;
    private static final MethodHandle SWAP_PERMIT;
    private static final MethodHandle TIMEOUT_TASK;
    private static final MethodHandle CANCEL_TIMEOUT;
    private static final MethodHandle RELEASE_BLOCK_PERMIT;
    private static final MethodHandle CONTINUATION;
    private static final MethodHandle SLICE;
    private static final VarHandle CONTAINER;
    private static final MethodHandle SET_INTERRUPT;
    private static final MethodHandle CLEAR_INTERRUPT;
    private static final MethodHandle INTERRUPT_LOCK;
    private static final VarHandle INTERRUPTED;
    private static final MethodHandle TELL_MOUNT;
    private static final MethodHandle TELL_UNMOUNT;
    private static final MethodHandle AFTER_YIELD;
    private static final MethodHandle AFTER_DONE;
    private static final MethodHandle PARK_CARRIER;

    static {
        try {
            var lookup = JdkAccess.lookupInVirtualThread();
            STARTED = constant(lookup, "STARTED");
            RUNNING = constant(lookup, "RUNNING");
            PARKING = constant(lookup, "PARKING");
            PARKED = constant(lookup, "PARKED");
            UNPARKED = constant(lookup, "UNPARKED");
            YIELDING = constant(lookup, "YIELDING");
            YIELDED = constant(lookup, "YIELDED");
            UNBLOCKED = constant(lookup, "UNBLOCKED");
            SUSPENDED = constant(lookup, "SUSPENDED");
            STATE = method(lookup, "state", int.class);
            SET_STATE = method(lookup, "setState", void.class, int.class);
            RELEASE_STATE = setter(lookup, "state", int.class, VarHandle.AccessMode.SET_RELEASE);
            MOVE_STATE = method(lookup, "compareAndSetState", boolean.class, int.class, int.class);
            PERMIT = field(lookup, "parkPermit", boolean.class);
            RELEASE_PERMIT = setter(lookup, "parkPermit", boolean.class, VarHandle.AccessMode.SET_RELEASE);
            SWAP_PERMIT = method(lookup, "getAndSetParkPermit", boolean.class, boolean.class);
            TIMEOUT_TASK = field(lookup, "timeoutTask", Future.class);
            CANCEL_TIMEOUT = method(lookup, "cancelTimeoutTask", void.class);
            RELEASE_BLOCK_PERMIT = setter(lookup, "blockPermit", boolean.class, VarHandle.AccessMode.SET_RELEASE);
            CONTINUATION = field(lookup, "cont", Continuation.class);
            SLICE = field(lookup, "runContinuation", Runnable.class);
            var inThread = JdkAccess.lookupInThread();
            CONTAINER = inThread.findVarHandle(Thread.class, "container", ThreadContainer.class);
            SET_INTERRUPT = method(inThread, "setInterrupt", void.class);
            CLEAR_INTERRUPT = method(inThread, "clearInterrupt", void.class);
            INTERRUPT_LOCK = field(inThread, "interruptLock", Object.class);
            INTERRUPTED = inThread.findVarHandle(Thread.class, "interrupted", boolean.class);
            TELL_MOUNT = method(lookup, "notifyJvmtiMount", void.class, boolean.class);
            TELL_UNMOUNT = method(lookup, "notifyJvmtiUnmount", void.class, boolean.class);
            AFTER_YIELD = method(lookup, "afterYield", void.class);
            AFTER_DONE = method(lookup, "afterDone", void.class);
            PARK_CARRIER = method(lookup, "parkOnCarrierThread", void.class, boolean.class, long.class);
        } catch (Throwable e) {
            throw JdkAccess.otherJdk(e);
        }
    }

    private ThreadSwitch() {}

    /**
     * Makes a runner of virtual threads, to be kept in a constant. It takes the thread to begin with, which has
     * {@linkplain #tryBegin begun}, the calling carrier, and whatever {@code next} is to know, and runs until there is none to follow.
     *
     * @param next called when a thread has left its stack or ended: from that thread, for which it calls {@link #trySettleYield},
     *     {@link #beginPark} or {@link #end}, and what it is to know, to the thread that follows, which has begun as well, or null
     * @return of type (Thread, Thread, Object)void; for null as the last, it runs one thread and leaves the rest to the caller
     */
    public static MethodHandle rows(MethodHandle next) {
        MethodHandle row;
        try {
            Lookup own = MethodHandles.lookup();
            Object[] given = {
                next,
                own.findStatic(
                        ThreadSwitch.class,
                        "beginInterrupts",
                        MethodType.methodType(void.class, Thread.class, Thread.class)),
                own.findStatic(ThreadSwitch.class, "end", MethodType.methodType(void.class, Thread.class)),
                JdkAccess.lookupInVirtualThread(),
                JdkAccess.lookupInThread(),
                JdkAccess.lookupInClosed(Continuation.class.getName())
            };
            Lookup inRow = InsideJdk.define(ThreadRow.class, given);
            row = inRow.findStatic(
                    inRow.lookupClass(),
                    "run",
                    MethodType.methodType(void.class, Thread.class, Thread.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw JdkAccess.otherJdk(e);
        }
        prepare(row);
        return row;
    }

    private static void prepare(MethodHandle row) {
        if (!Thread.currentThread().isVirtual() && JdkAccess.innermostContinuation() == null) {
            boolean wasInterrupted = Thread.interrupted(); // it is a carrier for a while
            useOften(row);
            if (wasInterrupted) Thread.currentThread().interrupt();
            return;
        }
        Thread able = Thread.ofPlatform().daemon().name("coir-prepare").start(() -> useOften(row));
        boolean interrupted = false;
        while (able.isAlive()) {
            try {
                able.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** Runs a virtual thread by hand that does nothing but yield and park: T5. */
    private static void useOften(MethodHandle row) {
        for (int i = 0; i < OFTEN; i++) {
            Thread unused = JdkAccess.newVirtualThread(Runnable::run, null, false, () -> {});
            startUnseen(unused, null);
            if (tryBeginUnseen(unused)) sliceOf(unused);
            forgetWait(unused, UNPARKED);
            forgetWait(unused, UNBLOCKED);
        }
        var slice = new Runnable[1];
        Thread thread = JdkAccess.newVirtualThread(
                command -> slice[0] = command,
                "coir-prepare",
                false,
                () -> ScopedValue.where(PREPARED, true).run(ThreadSwitch::yieldOften));
        thread.start();
        thread.interrupt(); // until it has been run that often
        try {
            for (int i = 0; i < OFTEN; i++) {
                if (i == 0 ? tryBegin(thread) : tryGoOn(thread)) {
                    row.invokeExact(thread, JdkAccess.currentCarrierThread(), (Object) null);
                    end(thread);
                }
            }
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
        while (thread.isAlive()) {
            Thread.currentThread().interrupt(); // which is not the thread's
            if (!run(row, thread, slice[0])) LockSupport.unpark(thread);
        }
        Thread.interrupted();
    }

    private static void yieldOften() {
        Thread self = Thread.currentThread();
        for (int i = 0; i < 3 * OFTEN && PREPARED.get(); i++) {
            if (i == OFTEN) Thread.interrupted();
            ThreadSwitch.yield(self, i < 2 * OFTEN ? (byte) 0 : StackSwitch.IN_OWN_FRAME);
        }
        for (int i = 0; i < OFTEN; i++) park(self, (byte) 0, () -> {});
    }

    private static int constant(Lookup lookup, String name) throws Throwable {
        return (int)
                lookup.findStaticGetter(lookup.lookupClass(), name, int.class).invokeExact();
    }

    private static MethodHandle method(Lookup lookup, String name, Class<?> result, Class<?>... taken)
            throws ReflectiveOperationException {
        MethodHandle found = lookup.findVirtual(lookup.lookupClass(), name, MethodType.methodType(result, taken));
        return found.asType(found.type().changeParameterType(0, Thread.class));
    }

    private static MethodHandle field(Lookup lookup, String name, Class<?> type) throws ReflectiveOperationException {
        return lookup.findGetter(lookup.lookupClass(), name, type).asType(MethodType.methodType(type, Thread.class));
    }

    private static MethodHandle setter(Lookup lookup, String field, Class<?> type, VarHandle.AccessMode mode)
            throws ReflectiveOperationException {
        MethodHandle found =
                lookup.findVarHandle(lookup.lookupClass(), field, type).toMethodHandle(mode);
        return found.asType(found.type().changeParameterType(0, Thread.class));
    }

    // ---- its carrier -----------------------------------------------------------------------------------------------

    /**
     * Runs a thread alone until it is left or has ended; does nothing if it cannot run now, or somebody else runs it. To be called
     * on a platform thread.
     *
     * @param row what {@link #rows} made
     * @param thread a virtual thread
     * @param slice what the JDK gave to its scheduler
     * @return whether it was left and may run again already
     */
    static boolean run(MethodHandle row, Thread thread, Runnable slice) {
        if (!tryBegin(thread)) {
            slice.run();
            return false;
        }
        try {
            row.invokeExact(thread, JdkAccess.currentCarrierThread(), (Object) null);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
        boolean mayRun = trySettleYield(thread);
        if (mayRun || isParking(thread)) {
            if (!mayRun) beginPark(thread);
            VarHandle.fullFence();
            mayRun = mayRun || endPark(thread);
            endInterrupts(thread);
        } else {
            end(thread);
        }
        return mayRun;
    }

    /**
     * Starts a thread as the JDK does, but for calling its scheduler. Only who made it, before anybody else sees it.
     *
     * @param made a virtual thread
     * @param shownBy who shows it in dumps: a {@link ShownThreads}
     */
    public static void startUnseen(Thread made, @Nullable Object shownBy) {
        CONTAINER.set(made, (ThreadContainer) shownBy);
        setUnseen(made, STARTED);
    }

    /**
     * Takes the right to run a thread. As {@link #startUnseen}, which came first; so nobody can be before the caller.
     *
     * @param made a virtual thread
     * @return false if this is for the JDK to do
     */
    public static boolean tryBeginUnseen(Thread made) {
        if (JdkAccess.innermostContinuation() != null) return false;
        setUnseen(made, RUNNING);
        return true;
    }

    private static void setUnseen(Thread made, int state) {
        try {
            RELEASE_STATE.invokeExact(made, state);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Ends a thread that was {@linkplain #startUnseen started} and that nobody will ever run.
     *
     * @param started a virtual thread
     */
    public static void endUnrun(Thread started) {
        try {
            AFTER_DONE.invokeExact(started);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * What the JDK gives to the thread's scheduler whenever the thread may run.
     *
     * @param thread a virtual thread
     * @return runs a slice of it; always the same
     */
    public static Runnable sliceOf(Thread thread) {
        try {
            return (Runnable) SLICE.invokeExact(thread);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Takes the right to run a thread that has been left in one of the common ways: T1.
     *
     * @param thread a virtual thread
     * @return false if this is for the JDK to do, or nobody is to do it
     */
    public static boolean tryBegin(Thread thread) {
        try {
            int seen = (int) STATE.invokeExact(thread);
            if (!isCommon(thread, seen) || !(boolean) MOVE_STATE.invokeExact(thread, seen, RUNNING)) return false;
            if (seen == UNPARKED && (boolean) PERMIT.invokeExact(thread))
                RELEASE_PERMIT.invokeExact(thread, false); // mounting fences
            return true;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** What came of a try to begin where the stack may not fit. */
    public enum Beginning {
        /** The caller runs the thread. */
        BEGUN,
        /** It may run, but not at this depth. */
        NO_ROOM,
        /** It waits for something, runs elsewhere, or somebody reads its stack. */
        MAY_NOT_RUN
    }

    /**
     * As {@link #tryBegin}, whatever the thread has waited for, but only if there is room for its stack at the caller's depth. Only
     * who has the right to run it knows how large its stack is. Where no continuation lies underneath.
     *
     * @param thread a virtual thread
     * @return what came of it; nothing has changed unless the thread has begun
     */
    public static Beginning tryBeginWithin(Thread thread) {
        try {
            int seen = (int) STATE.invokeExact(thread);
            if (!isRunnable(seen) || !(boolean) MOVE_STATE.invokeExact(thread, seen, RUNNING))
                return Beginning.MAY_NOT_RUN;
            boolean fits = false;
            try {
                fits = hasRoom(thread);
            } finally {
                if (!fits) SET_STATE.invokeExact(thread, seen);
            }
            if (fits) forgetWait(thread, seen);
            return fits ? Beginning.BEGUN : Beginning.NO_ROOM;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** As the JDK does for a thread that goes on, whose state was {@code before}. */
    private static void forgetWait(Thread thread, int before) {
        try {
            if (before != UNPARKED && before != UNBLOCKED) return;
            CANCEL_TIMEOUT.invokeExact(thread);
            if (before == UNPARKED) RELEASE_PERMIT.invokeExact(thread, false); // mounting fences
            else RELEASE_BLOCK_PERMIT.invokeExact(thread, false);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * As {@link #tryBegin}, in a row, and only for a thread that has yielded. If it succeeds it is a full fence.
     *
     * @param thread a virtual thread
     * @return false if it has not yielded, or this is for the JDK to do
     */
    public static boolean tryGoOn(Thread thread) {
        try {
            return (int) STATE.invokeExact(thread) == YIELDED
                    && (boolean) MOVE_STATE.invokeExact(thread, YIELDED, RUNNING);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Whether the thread waits for nothing but to be run. Any thread.
     *
     * @param thread a virtual thread
     * @return false also while it runs
     */
    public static boolean mayRun(Thread thread) {
        return isRunnable(state(thread) & ~SUSPENDED);
    }

    /**
     * Whether the thread can be run at this moment. Any thread.
     *
     * @param thread a virtual thread
     * @return false also while somebody reads its stack, who has it queued after that
     */
    public static boolean mayRunNow(Thread thread) {
        return isRunnable(state(thread));
    }

    private static boolean isRunnable(int state) {
        return state == STARTED || state == YIELDED || state == UNPARKED || state == UNBLOCKED;
    }

    private static int state(Thread thread) {
        try {
            return (int) STATE.invokeExact(thread);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Whether the thread can be run at the caller's depth. To be asked first, where that varies.
     *
     * @param thread a virtual thread
     * @return false when there is no room for its stack
     */
    public static boolean hasRoom(Thread thread) {
        try {
            return StackSwitch.hasRoom((Continuation) CONTINUATION.invokeExact(thread));
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static boolean isCommon(Thread thread, int state) throws Throwable {
        return (state == YIELDED || state == STARTED || (state == UNPARKED && timeoutTask(thread) == null))
                && JdkAccess.innermostContinuation() == null;
    }

    private static @Nullable Future<?> timeoutTask(Thread thread) throws Throwable {
        return (Future<?>) TIMEOUT_TASK.invokeExact(thread);
    }

    /**
     * Says of a thread that has been unmounted that it may run again, if it has yielded. Its carrier only.
     *
     * @param thread a virtual thread that was left or has ended
     * @return whether it has yielded: the caller queues it, then fences, and calls {@link #endInterrupts} after that
     */
    public static boolean trySettleYield(Thread thread) {
        try {
            if ((int) STATE.invokeExact(thread) != YIELDING) return false;
            RELEASE_STATE.invokeExact(thread, YIELDED);
            return true;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Whether a thread that has been unmounted is about to wait for a permit. Its carrier only.
     *
     * @param thread a virtual thread that was left or has ended
     * @return if true, the caller calls {@link #beginPark}, fences, and calls {@link #endPark} and {@link #endInterrupts} after that
     */
    public static boolean isParking(Thread thread) {
        try {
            return (int) STATE.invokeExact(thread) == PARKING;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Says of a thread that {@linkplain #isParking is parking} that it waits.
     *
     * @param thread that thread
     */
    public static void beginPark(Thread thread) {
        try {
            RELEASE_STATE.invokeExact(thread, PARKED);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Looks whether a thread that waits since a moment ago has its permit already: T4.
     *
     * @param thread that thread, which may run elsewhere by now
     * @return whether it may run again; then the caller queues it, if it is owed
     */
    public static boolean endPark(Thread thread) {
        try {
            return (boolean) PERMIT.invokeExact(thread) && (boolean) MOVE_STATE.invokeExact(thread, PARKED, UNPARKED);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Says of a thread that has been unmounted, and has neither yielded nor parks for ever, what it waits for, if it has not ended. By
     * the JDK. Its carrier only.
     *
     * @param thread a virtual thread that was left or has ended
     */
    public static void end(Thread thread) {
        try {
            var continuation = (Continuation) CONTINUATION.invokeExact(thread);
            if (continuation.isDone()) {
                AFTER_DONE.invokeExact(thread); // begins with a full fence: the last state
                endInterrupts(thread);
            } else {
                VarHandle.fullFence();
                endInterrupts(thread);
                AFTER_YIELD.invokeExact(thread);
            }
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Whether the calling thread has run without a break since it began.
     *
     * @param thread the calling thread, a virtual one
     * @return false when it was left, once at least
     */
    public static boolean wasNeverLeft(Thread thread) {
        try {
            return StackSwitch.wasNeverLeft((Continuation) CONTINUATION.invokeExact(thread));
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static boolean isInterrupted(Thread thread) {
        return (boolean) INTERRUPTED.getVolatile(thread);
    }

    /** The carrier is interrupted from now on if the thread is, and not for anybody else's sake. */
    @SuppressWarnings("UnusedMethod") // ThreadRow's
    private static void beginInterrupts(Thread thread, Thread carrier) throws Throwable {
        Object lock = INTERRUPT_LOCK.invokeExact(thread);
        synchronized (lock) {
            if (isInterrupted(thread)) SET_INTERRUPT.invokeExact(carrier);
            else CLEAR_INTERRUPT.invokeExact(carrier);
        }
    }

    /**
     * The thread has been unmounted: who interrupts it does not reach this carrier any more. Its carrier only, after a full fence: T6.
     *
     * @param thread that thread, which may run elsewhere by now
     */
    public static void endInterrupts(Thread thread) {
        endInterruptsAmid(thread);
        Thread carrier = JdkAccess.currentCarrierThread();
        if (isInterrupted(carrier)) clearInterrupt(carrier);
    }

    /**
     * As {@link #endInterrupts}, where another thread is mounted next: that clears what was left on the carrier.
     *
     * @param thread that thread, which may run elsewhere by now
     */
    public static void endInterruptsAmid(Thread thread) {
        if (isInterrupted(thread)) awaitInterrupter(thread);
    }

    private static void clearInterrupt(Thread carrier) {
        try {
            CLEAR_INTERRUPT.invokeExact(carrier);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static void awaitInterrupter(Thread thread) {
        Object lock;
        try {
            lock = INTERRUPT_LOCK.invokeExact(thread);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
        synchronized (lock) { // whoever saw the carrier there has left
        }
    }

    // ---- the thread itself -----------------------------------------------------------------------------------------

    /**
     * Waits for a permit, as {@link java.util.concurrent.locks.LockSupport#park()} does.
     *
     * @param thread the calling thread
     * @param times for {@link StackSwitch#leave}
     * @param beforeBlocking called when it cannot leave its carrier, and waits there
     * @return false if this is for the JDK to do; nothing was done then
     */
    public static boolean park(Thread thread, byte times, Runnable beforeBlocking) {
        try {
            if (!isInnermost(thread)) return false;
            if ((boolean) SWAP_PERMIT.invokeExact(thread, false) || thread.isInterrupted()) return true;
            if (leaveOrStay(thread, times)) return true;
            beforeBlocking.run();
            PARK_CARRIER.invokeExact(thread, false, 0L);
            return true;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Unparks a thread that has parked without a deadline, but for queueing it. Any thread.
     *
     * @param thread a virtual thread
     * @return whether it may run now, and the caller queues it; if false, nothing was done, and LockSupport must do it
     */
    public static boolean tryUnpark(Thread thread) {
        try {
            return (int) STATE.invokeExact(thread) == PARKED
                    && (boolean) MOVE_STATE.invokeExact(thread, PARKED, UNPARKED);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static boolean leaveOrStay(Thread thread, byte times) throws Throwable {
        try {
            return leave(thread, PARKING, times);
        } catch (OutOfMemoryError e) { // as in the JDK: it can wait on its carrier
            return false;
        }
    }

    /**
     * Lets others run, as {@link Thread#yield} does.
     *
     * @param thread the calling thread
     * @param times for {@link StackSwitch#leave}
     * @return false if this is for the JDK to do; nothing was done then
     */
    public static boolean yield(Thread thread, byte times) {
        try {
            return isInnermost(thread) && leave(thread, YIELDING, times);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** Whether nothing lies on its stack that would have to be left before, such as a coroutine. */
    private static boolean isInnermost(Thread thread) throws Throwable {
        return (Continuation) CONTINUATION.invokeExact(thread) == JdkAccess.innermostContinuation();
    }

    private static boolean leave(Thread thread, int state, byte times) throws Throwable {
        boolean left = false;
        RELEASE_STATE.invokeExact(thread, state); // T4
        try {
            TELL_UNMOUNT.invokeExact(thread, true);
            try {
                left = StackSwitch.leave(times) == null;
            } finally {
                TELL_MOUNT.invokeExact(thread, false);
            }
        } finally {
            if (!left) SET_STATE.invokeExact(thread, RUNNING);
        }
        return left;
    }
}
