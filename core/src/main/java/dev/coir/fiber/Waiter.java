package dev.coir.fiber;

import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.Group;
import dev.coir.internal.sched.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One wait of one party, whoever it is: a fiber of either kind, a thread, or a thread that works for a scheduler while it
 * waits. Made by the party, seen by the one who ends the wait.
 */
abstract class Waiter {
    /*
     * from      to          cause                          who moves
     * WAITING   SIGNALLED   what was waited for has come   anybody, by CAS
     * WAITING   ABANDONED   time-out, interrupt            the waiting party, by CAS
     *
     * A1. Exactly one of the two happens: a signal that comes too late returns false, and a party whose time runs out just
     *     when it is signalled counts as signalled.
     * A2. The signaller moves first and unparks after; the party checks the state before each park, and parking keeps a
     *     permit. So no wake-up is lost. Guarded by WaiterStress.
     */
    enum Outcome {
        SIGNALLED,
        TIMED_OUT,
        INTERRUPTED
    }

    private static final int WAITING = 0;
    private static final int SIGNALLED = 1;
    private static final int ABANDONED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Waiter.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state = WAITING;

    @Nullable
    Waiter next; // owned by the queue this waiter stands in

    /** A new wait of the calling party. */
    static Waiter ofCaller() {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) {
            return Fiber.current() instanceof VirtualFiber<?> fiber
                    ? new VirtualWaiter(fiber)
                    : new ThreadWaiter(thread);
        }
        LightFiber<?> light = LightFiber.currentLight();
        if (light != null) return new LightWaiter(light);
        Carrier carrier = Carrier.current();
        return carrier != null ? new WorkingWaiter(carrier) : new ThreadWaiter(thread);
    }

    /** Ends the wait. @return false when the party has given up */
    final boolean signal() {
        if (!STATE.compareAndSet(this, WAITING, SIGNALLED)) return false;
        unpark();
        return true;
    }

    final boolean isWaiting() {
        return state == WAITING;
    }

    /**
     * Waits for the signal. The calling party only.
     *
     * @param reason what for; dumps show it
     * @param deadlineNanos when to give up, as of System.nanoTime; Long.MAX_VALUE for never
     * @param interruptible whether an interrupt ends it; else it is remembered
     */
    final Outcome await(String reason, long deadlineNanos, boolean interruptible) {
        boolean interrupted = false;
        Outcome outcome = Outcome.SIGNALLED;
        while (state == WAITING) {
            if (deadlineNanos != Long.MAX_VALUE && deadlineNanos - System.nanoTime() <= 0) {
                if (giveUp()) outcome = Outcome.TIMED_OUT;
                break;
            }
            if (takeInterrupt()) {
                if (!interruptible) {
                    interrupted = true;
                } else if (giveUp()) {
                    outcome = Outcome.INTERRUPTED;
                    break;
                } else {
                    interrupted = true;
                    break;
                }
            }
            park(reason, deadlineNanos);
        }
        if (interrupted) restoreInterrupt();
        return outcome;
    }

    private boolean giveUp() {
        return STATE.compareAndSet(this, WAITING, ABANDONED);
    }

    /** Waits until unparked, interrupted, past the deadline, or for no reason. */
    abstract void park(String reason, long deadlineNanos);

    abstract void unpark();

    boolean takeInterrupt() {
        return Thread.interrupted();
    }

    void restoreInterrupt() {
        Thread.currentThread().interrupt();
    }

    /** A plain thread, or a virtual one of the JDK's. */
    private static final class ThreadWaiter extends Waiter {
        private final Thread thread;

        ThreadWaiter(Thread thread) {
            this.thread = thread;
        }

        @Override
        void park(String reason, long deadlineNanos) {
            if (deadlineNanos == Long.MAX_VALUE) LockSupport.park(this);
            else LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }

        @Override
        void unpark() {
            LockSupport.unpark(thread);
        }
    }

    /** A virtual fiber; over a scheduler it uses that one's timers. */
    private static final class VirtualWaiter extends Waiter {
        private final VirtualFiber<?> fiber;

        VirtualWaiter(VirtualFiber<?> fiber) {
            this.fiber = fiber;
        }

        @Override
        void park(String reason, long deadlineNanos) {
            Group group = fiber.group();
            fiber.beginWait(reason, deadlineNanos != Long.MAX_VALUE);
            try {
                if (deadlineNanos == Long.MAX_VALUE) LockSupport.park(this);
                else if (group == null) LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
                else parkTimed(group, deadlineNanos);
            } finally {
                fiber.endWait();
            }
        }

        private void parkTimed(Group group, long deadlineNanos) {
            var alarm = new Alarm(this);
            group.setTimer(alarm, deadlineNanos - System.nanoTime());
            try {
                LockSupport.park(this);
            } finally {
                group.cancelTimer(alarm);
            }
        }

        @Override
        void unpark() {
            LockSupport.unpark(fiber.virtualThread());
        }
    }

    /** A light fiber. */
    private static final class LightWaiter extends Waiter {
        private final LightFiber<?> fiber;

        LightWaiter(LightFiber<?> fiber) {
            this.fiber = fiber;
        }

        @Override
        void park(String reason, long deadlineNanos) {
            if (deadlineNanos == Long.MAX_VALUE) fiber.park(reason, false);
            else fiber.parkUntil(reason, deadlineNanos, this);
        }

        @Override
        void unpark() {
            fiber.unpark();
        }

        @Override
        boolean takeInterrupt() {
            return fiber.takeInterrupt();
        }

        @Override
        void restoreInterrupt() {
            fiber.interrupt();
        }
    }

    /** A thread that runs a scheduler's tasks while it waits: a bound one, or a worker inside a plain task. */
    private static final class WorkingWaiter extends Waiter {
        private final Carrier carrier;

        WorkingWaiter(Carrier carrier) {
            this.carrier = carrier;
        }

        @Override
        void park(String reason, long deadlineNanos) {
            if (deadlineNanos == Long.MAX_VALUE) {
                carrier.workUntil(() -> !isWaiting() || Thread.currentThread().isInterrupted());
                return;
            }
            Alarm alarm = new Alarm(this);
            carrier.group().setTimer(alarm, deadlineNanos - System.nanoTime());
            try {
                carrier.workUntil(() -> !isWaiting()
                        || deadlineNanos - System.nanoTime() <= 0
                        || Thread.currentThread().isInterrupted());
            } finally {
                carrier.group().cancelTimer(alarm);
            }
        }

        @Override
        void unpark() {
            carrier.nudge();
        }
    }

    /** Wakes a waiter so that it looks at the clock. */
    static final class Alarm extends Timer {
        private final Waiter waiter;

        Alarm(Waiter waiter) {
            this.waiter = waiter;
        }

        @Override
        protected void fire() {
            waiter.unpark();
        }
    }
}
