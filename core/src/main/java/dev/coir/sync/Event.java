package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import dev.coir.internal.wait.Wakes;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A flag that can be waited for. A manual event lets everybody pass from {@link #signal} until {@link #clear}; an automatic
 * one lets one pass per signal, and is then clear again. A signal that finds nobody waiting is kept, one.
 */
public final class Event {
    /*
     * E1. An automatic event that is signalled has nobody waiting: signal passes to the first in line whose wait it can end
     *     (Waiter's A1), and is kept when there is none. Guarded by WaitRoomStress.SignalAgainstTimeout.
     * E2. An event that follows others is known to them by a weak reference, so that one which is dropped costs them nothing. It
     *     keeps those it follows, and they keep it while somebody waits for it. So no signal is lost to a garbage collection.
     *     Guarded by EventTest.
     */
    private static final String REASON = "signal of an Event";

    private static final int SWEEP_AT_LEAST = 16;
    private static final Event[] NONE = {};

    private final boolean automatic;
    private final SpinGuard guard = new SpinGuard();
    private final WaitQueue<Waiter> queue = new WaitQueue<>(); // guarded by guard
    private volatile boolean signalled; // written under guard
    private final List<Follower> followers = new ArrayList<>(0); // guarded by guard
    private int sweepAt = SWEEP_AT_LEAST; // guarded by guard; grows with what is left, so that following stays cheap
    private final Event[] followed; // those it follows
    private final @Nullable Follower self; // as those know it; null when it follows none

    private Event(boolean automatic, Event[] followed) {
        this.automatic = automatic;
        this.followed = followed;
        this.self = followed.length == 0 ? null : new Follower(this);
    }

    /** How an event is known to those it follows. */
    private static final class Follower extends WeakReference<Event> {
        private int waits; // guarded by the event's guard

        @SuppressWarnings("UnusedVariable") // for the garbage collector
        private @Nullable Event awaited; // guarded by the event's guard; not null while somebody waits

        Follower(Event event) {
            super(event);
        }
    }

    /**
     * A clear event that lets one pass per signal.
     *
     * @return a new event
     */
    public static Event auto() {
        return new Event(true, NONE);
    }

    /**
     * A clear event that lets everybody pass from a signal on until it is cleared.
     *
     * @return a new event
     */
    public static Event manual() {
        return new Event(false, NONE);
    }

    /**
     * An automatic event that is signalled whenever one of some events becomes signalled, and at once if one is. It takes
     * nothing from them: who waits for them passes as well.
     *
     * @param events those to follow
     * @return a new event
     */
    public static Event any(Event... events) {
        StackRoom.ensureMore();
        var any = new Event(true, Objects.requireNonNull(events, "events").clone());
        for (Event each : any.followed) Objects.requireNonNull(each, "event");
        for (Event each : any.followed) each.follow(any);
        return any;
    }

    private void follow(Event follower) {
        boolean already;
        guard.acquire();
        try {
            already = signalled;
            if (followers.size() >= sweepAt) {
                followers.removeIf(each -> each.get() == null);
                sweepAt = Math.max(SWEEP_AT_LEAST, 2 * followers.size());
            }
            followers.add(Objects.requireNonNull(follower.self));
        } finally {
            guard.release();
        }
        if (already) follower.raise();
    }

    /** Lets one pass, or everybody, as the event is made. Nothing happens when it is signalled already. */
    public void signal() {
        StackRoom.ensure();
        raise();
    }

    private void raise() {
        List<Event> told = raiseAlone();
        if (!told.isEmpty()) raiseAll(new ArrayDeque<>(told));
    }

    /** Those that follow, and those that follow them: one after the other, however long the chain. */
    private static void raiseAll(Deque<Event> told) {
        for (Event each = told.poll(); each != null; each = told.poll()) told.addAll(each.raiseAlone());
    }

    /** @return those that follow it, which are to be raised next */
    private List<Event> raiseAlone() {
        var woken = new Wakes();
        List<Event> told = List.of();
        guard.acquireInside();
        try {
            if (!signalled) {
                signalled = !automatic || !wakeNext(woken);
                while (!automatic && wakeNext(woken)) {}
                told = liveFollowers();
            }
        } finally {
            guard.release();
        }
        woken.unparkAll();
        return told;
    }

    private boolean wakeNext(Wakes woken) {
        Waiter first;
        while ((first = queue.pollFirst()) != null) {
            if (first.trySignal()) {
                woken.add(first);
                return true;
            }
        }
        return false;
    }

    private List<Event> liveFollowers() {
        if (followers.isEmpty()) return List.of();
        List<Event> live = new ArrayList<>(followers.size());
        for (Follower each : followers) {
            Event follower = each.get();
            if (follower != null) live.add(follower);
        }
        return live;
    }

    /** Takes the signal back. Who waits goes on waiting. */
    public void clear() {
        guard.acquire();
        signalled = false;
        guard.release();
    }

    /**
     * Waits for the signal; takes it, if the event is automatic.
     *
     * @throws InterruptedException when interrupted or cancelled
     */
    public void await() throws InterruptedException {
        await(Long.MAX_VALUE);
    }

    /**
     * Waits for the signal, not for ever; takes it, if the event is automatic.
     *
     * @param timeout how long; zero or less: not at all
     * @return whether it was signalled in time
     * @throws InterruptedException when interrupted or cancelled; no signal was taken
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(Waiter.deadlineIn(Objects.requireNonNull(timeout, "timeout")));
    }

    private boolean await(long deadlineNanos) throws InterruptedException {
        StackRoom.ensureMore();
        var waiter = new Waiter();
        if (waiter.takeInterrupt()) throw new InterruptedException();
        guard.acquire();
        boolean passes = passUnderGuard();
        if (!passes) queue.addLast(waiter);
        guard.release();
        if (passes) return true;
        awaited(1);
        Waiter.Outcome how = Waiter.Outcome.TIMED_OUT; // as good as, where it cannot wait
        try {
            how = waiter.await(REASON, deadlineNanos, true);
        } finally {
            awaited(-1);
            if (how != Waiter.Outcome.SIGNALLED) remove(waiter);
        }
        if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        return how == Waiter.Outcome.SIGNALLED;
    }

    private void remove(Waiter waiter) {
        guard.acquireInside();
        queue.remove(waiter);
        guard.release();
    }

    /** So many more wait for it, or for one that follows it: E2. */
    private void awaited(int more) {
        Follower known = self;
        if (known == null) return;
        guard.acquireInside();
        known.waits += more;
        known.awaited = known.waits == 0 ? null : this;
        guard.release();
        for (Event each : followed) each.awaited(more);
    }

    /**
     * Passes if it is signalled; takes the signal, if the event is automatic. Never waits.
     *
     * @return whether it was signalled
     */
    public boolean tryAwait() {
        guard.acquire();
        boolean passes = passUnderGuard();
        guard.release();
        return passes;
    }

    private boolean passUnderGuard() {
        if (!signalled) return false;
        if (automatic) signalled = false;
        return true;
    }

    /**
     * Whether it is signalled; takes nothing.
     *
     * @return true when whoever waits now would pass
     */
    public boolean isSignalled() {
        return signalled;
    }

    @Override
    public String toString() {
        return "Event[" + (automatic ? "auto" : "manual") + ", " + (signalled ? "signalled" : "clear") + "]";
    }
}
