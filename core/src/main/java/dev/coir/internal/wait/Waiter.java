package dev.coir.internal.wait;

import dev.coir.internal.sched.Carrier;
import dev.coir.internal.task.FiberStack;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.World;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * One wait of one party, whoever it is: a fiber of either kind, a thread, or a thread that works for a scheduler while it
 * waits. Made by the party, seen by the one who ends the wait. Primitives extend it by what they hand over.
 */
public class Waiter extends WaitQueue.Link {
    /*
     * from      to          cause                          who moves
     * WAITING   SIGNALLED   what was waited for has come   anybody, by CAS
     * WAITING   ABANDONED   time-out, interrupt            the waiting party, by CAS
     *
     * A1. Exactly one of the two happens: a signal that comes too late returns false, and a party whose time runs out just
     *     when it is signalled counts as signalled.
     *     One that cannot wait, for want of stack or memory, gives up in the same way before it throws.
     * A2. The signaller moves first and unparks after; the party checks the state before each park, and parking keeps a
     *     permit. So no wake-up is lost. Guarded by WaiterStress.
     */

    /** How a wait ended. */
    public enum Outcome {
        /** What was waited for has come. */
        SIGNALLED,
        /** The time was up first. */
        TIMED_OUT,
        /** An interrupt came first; the party has taken it. */
        INTERRUPTED
    }

    private static final Duration LONG = Duration.ofNanos(Long.MAX_VALUE);
    private static final int WAITING = 0;
    private static final int SIGNALLED = 1;
    private static final int ABANDONED = 2;
    private static final Object NOBODY = new Object();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Waiter.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        new Waiter(NOBODY).hasGivenUp(); // so that it is linked: who needs it first may have no stack for that
    }

    private final Object party; // a Live, a Carrier whose thread is in a plain task, or bound, or a Thread
    private volatile int state; // WAITING; not written at first, for that would be a fence

    /** A new wait of the calling party. */
    public Waiter() {
        this(caller());
    }

    /**
     * A wait of somebody.
     *
     * @param party a Live, a Carrier or a Thread; anything else must override how it parks and is unparked
     */
    protected Waiter(Object party) {
        this.party = party;
    }

    /**
     * One more wait of the same party.
     *
     * @param earlier a wait of that party
     */
    protected Waiter(Waiter earlier) {
        this(earlier.party);
    }

    /**
     * The party of a wait of the caller, who knows already who that is.
     *
     * @param caller from {@link Caller#current}
     * @return what a wait takes
     */
    protected static Object partyOf(Object caller) {
        return caller instanceof Live light ? suspending(light) : caller();
    }

    private static Live suspending(Live fiber) {
        FiberStack.ensureNothingHeld(); // here, for nobody has been told of this wait yet
        return fiber;
    }

    private static Object caller() {
        Live fiber = Party.current();
        if (fiber != null) return suspending(fiber);
        Thread thread = Thread.currentThread();
        Carrier carrier = thread.isVirtual() ? null : Carrier.current();
        return carrier != null ? carrier : thread;
    }

    /**
     * Ends the wait. Any thread.
     *
     * @return false when the party has given up
     */
    public final boolean signal() {
        if (!trySignal()) return false;
        unpark();
        return true;
    }

    /**
     * Decides that the wait ends; the caller must {@link #unpark} the party later, when it holds no lock.
     *
     * @return false when the party has given up
     */
    public final boolean trySignal() {
        return state == WAITING && STATE.compareAndSet(this, WAITING, SIGNALLED);
    }

    /**
     * Whether neither side has decided yet.
     *
     * @return true while it waits
     */
    public final boolean isWaiting() {
        return state == WAITING;
    }

    /**
     * Waits for the signal. The calling party only.
     *
     * @param reason what for; dumps show it
     * @param deadlineNanos when to give up, in the party's time; Long.MAX_VALUE for never
     * @param interruptible whether an interrupt ends it; else it is remembered
     * @return how it ended
     */
    public final Outcome await(String reason, long deadlineNanos, boolean interruptible) {
        try {
            return interruptible && deadlineNanos == Long.MAX_VALUE
                    ? awaitForEver(reason)
                    : awaitUntil(reason, deadlineNanos, interruptible);
        } catch (Throwable noWait) {
            if (giveUp()) throw noWait;
            return Outcome.SIGNALLED; // A1
        }
    }

    /**
     * The common case by itself: what it must remember while it waits is saved with the fiber's stack. Mostly it parks once; a loop the
     * JIT would write out twice, and find too large to be inlined.
     */
    private Outcome awaitForEver(String reason) {
        if (state != WAITING) return Outcome.SIGNALLED;
        if (takeInterrupt()) {
            if (giveUp()) return Outcome.INTERRUPTED;
            restoreInterrupt();
            return Outcome.SIGNALLED;
        }
        park(reason, Long.MAX_VALUE);
        return state == WAITING ? awaitUntil(reason, Long.MAX_VALUE, true) : Outcome.SIGNALLED;
    }

    private Outcome awaitUntil(String reason, long deadlineNanos, boolean interruptible) {
        boolean interrupted = false;
        try {
            while (state == WAITING) {
                if (deadlineNanos != Long.MAX_VALUE && deadlineNanos - now() <= 0)
                    return giveUp() ? Outcome.TIMED_OUT : Outcome.SIGNALLED;
                if (takeInterrupt()) {
                    if (interruptible && giveUp()) return Outcome.INTERRUPTED;
                    interrupted = true;
                    if (interruptible) break; // it has been signalled
                }
                park(reason, deadlineNanos);
            }
            return Outcome.SIGNALLED;
        } finally {
            if (interrupted) restoreInterrupt();
        }
    }

    /**
     * For a party whose {@link #await} threw, perhaps before it had begun: gives up, if it still can.
     *
     * @return false when it has been signalled
     */
    public final boolean hasGivenUp() {
        return giveUp() || state == ABANDONED;
    }

    private boolean giveUp() {
        return STATE.compareAndSet(this, WAITING, ABANDONED);
    }

    /**
     * Waits until unparked, interrupted, past the deadline, or for no reason.
     *
     * @param reason what for
     * @param deadlineNanos in the party's time; Long.MAX_VALUE for never
     */
    protected void park(String reason, long deadlineNanos) {
        if (party instanceof Live fiber) {
            Party.park(fiber, reason, deadlineNanos);
        } else if (party instanceof Carrier carrier) {
            carrier.waits()
                    .waitUntil(() -> !isWaiting() || Thread.currentThread().isInterrupted(), deadlineNanos);
        } else if (deadlineNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    /**
     * The time as its party has it.
     *
     * @return nanoseconds as of the party's world
     */
    public final long now() {
        return party instanceof Live fiber ? Party.worldOf(fiber).nanoTime() : System.nanoTime();
    }

    /**
     * Shows that a party which sleeps on waits for something else now. Any thread.
     *
     * @param earlier what it awaited so far, that very object
     * @param reason what for now; dumps show it
     */
    public final void nowWaitsFor(String earlier, String reason) {
        if (party instanceof Live fiber) Party.nowWaitsFor(fiber, earlier, reason);
    }

    /** Makes the party look again. Any thread. */
    public void unpark() {
        if (party instanceof Live fiber) Party.unpark(fiber);
        else if (party instanceof Carrier carrier) carrier.nudge();
        else LockSupport.unpark((Thread) party);
    }

    /**
     * Takes the party's interrupt, if there is one. The party only.
     *
     * @return whether it was interrupted
     */
    public boolean takeInterrupt() {
        return party instanceof Live fiber ? Party.takeInterrupt(fiber) : Thread.interrupted();
    }

    /** Gives a taken interrupt back. The party only. */
    protected void restoreInterrupt() {
        if (party instanceof Live fiber) Party.interrupt(fiber);
        else Thread.currentThread().interrupt();
    }

    /**
     * A moment in the future, in the caller's time.
     *
     * @param nanos how long from now; centuries mean never, zero or less: now
     * @return the moment, or Long.MAX_VALUE for never
     */
    public static long deadlineIn(long nanos) {
        // a moment centuries ago would be one of the future once the clock has gone on: the difference overflows
        return nanos > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : World.current().nanoTime() + Math.max(0, nanos);
    }

    /**
     * A moment in the future, in the caller's time.
     *
     * @param duration how long from now; centuries mean never, zero or less: now
     * @return the moment, or Long.MAX_VALUE for never
     */
    public static long deadlineIn(Duration duration) {
        if (duration.isNegative()) return World.current().nanoTime();
        return deadlineIn(duration.compareTo(LONG) > 0 ? Long.MAX_VALUE : duration.toNanos());
    }
}
