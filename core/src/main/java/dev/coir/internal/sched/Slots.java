package dev.coir.internal.sched;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.coir.internal.Stack;
import dev.coir.internal.task.Task;
import dev.coir.internal.trace.Tracing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who may run a group's tasks. There is a slot per worker; it moves from a carrier that blocks to a spare one, so that as many
 * run as there are slots. One per group.
 */
final class Slots {
    /*
     * A carrier keeps its queues for life; what moves is the slot. Its hold on one:
     *
     * from   to     cause                                            who moves
     * HELD   ASKED  its slice is long and its thread seems blocked   the monitor, by CAS
     * ASKED  HELD   the slice has ended after all                    the carrier, by CAS
     * ASKED  HELD   the slice is another by now                      the monitor, by CAS
     * ASKED  NONE   still the same slice                             the monitor, by CAS, under the lock
     * HELD   NONE   it is about to block, or gives way to another    the carrier, under the lock
     * NONE   HELD   it is given a slot                               whoever gives, under the lock
     *
     * L1. A queue's owner is one thread for life, so nothing that only the owner may touch is ever handed over. What stands
     *     in the queues of a carrier without a slot is stolen, and given up when its slice ends.
     * L2. The monitor never takes a slot whose carrier is between two slices. The carrier counts a slice as ended, and then
     *     reads the hold, without a fence. The monitor writes ASKED, then brings the thread to a safe point (by asking for
     *     its stack), then reads the count: if the count is unchanged, the carrier has not read the hold yet and will see
     *     ASKED. Guarded by HandoffStressTest.
     *     Between two slices that run on top of a wait the count stands still, so there is a mark for that
     *     (StackedWaits.isBetweenSlices).
     * L3. A carrier without a slot that has something to run, which only it can run, stands among the claimants; who holds a
     *     slot gives way to them after some tasks, and before it sleeps. So fibers bound to a carrier are not forgotten.
     *
     * L4. A carrier that is given a slot is in neither list, and holds it until it gives it up or it is taken: also when the
     *     monitor asks before it has begun.
     * L5. A carrier without a slot is at rest only while it stands among the spares: between its slice and that it may have
     *     tasks in hand that stand in no queue. Idleness is judged by it.
     * L6. A virtual thread that calls in here stays on its carrier meanwhile: if it left while it waits for the lock, it would
     *     move the slot of a carrier that is doing something else by now.
     * L7. Who sends a carrier something that only it can run looks for its slot after, and wakes it only if it has none, or sleeps. A slot may be
     *     given to a carrier and taken back before it has noticed either; so it looks for its mail after it has found
     *     itself without one, under the lock. Guarded by SlotsTest.whoseSlotIsTakenBackFindsItsMail.
     *
     * L8. A heap that is full costs no slot and no carrier: what needs memory comes first, and a move that finds none does not
     *     happen. By reading; FullHeapTest tries it.
     *
     * Rejected: handing over the queues as well (Go's way): each push of the owner would have to check that it still is.
     */
    static final int HELD = 0;
    static final int ASKED = 1;
    static final int NONE = 2;
    private static final Worker[] NO_WORKERS = {};

    private final Group group;
    private final long keepAliveNanos;

    @GuardedBy("this")
    private final ArrayDeque<Carrier> spares = new ArrayDeque<>(); // parked, with nothing to run; the last goes first

    @GuardedBy("this")
    private final ArrayDeque<Carrier> claimants = new ArrayDeque<>();

    @GuardedBy("this")
    private final ArrayList<Carrier> carriers = new ArrayList<>(); // the group's own threads that have not ended

    @GuardedBy("this")
    private long moves; // of slots, for the statistics

    @GuardedBy("this")
    private long taken; // of these, by the monitor

    private volatile int claims; // the number of claimants; written under the lock
    private volatile Worker[] others = NO_WORKERS; // of carriers without a slot; replaced under the lock

    Slots(Group group, long keepAliveNanos) {
        this.group = group;
        this.keepAliveNanos = keepAliveNanos;
    }

    /** Enters a carrier that was made with a slot. */
    synchronized void enlist(Carrier carrier) {
        carriers.add(carrier);
    }

    /** The group's own threads, with and without a slot. */
    synchronized List<Carrier> carriers() {
        return List.copyOf(carriers);
    }

    /** The queues of those without a slot; empty most of the time. */
    Worker[] others() {
        return others;
    }

    /** How often a slot has changed hands. */
    synchronized long moves() {
        return moves;
    }

    /** How often the monitor has taken one. */
    synchronized long taken() {
        return taken;
    }

    boolean isClaimed() {
        return claims != 0;
    }

    // ---- giving up a slot ------------------------------------------------------------------------------------------

    /** The calling carrier is about to block inside a slice: a spare one gets its slot. @return false when there is none */
    boolean handOff(Carrier from) {
        synchronized (this) {
            if (from.hold() == NONE) return true; // the monitor was faster
            Carrier spare = nextClaimantOrSpare();
            return spare != null && tryMove(from, spare);
        }
    }

    /** The monitor found a carrier blocked, and has asked. @return false when it was not taken: the hold is as before */
    boolean take(Carrier from, long slice) {
        synchronized (this) {
            if (from.slicesEnded() != slice || from.waits.isBetweenSlices() || from.hold() != ASKED) {
                from.casHold(ASKED, HELD);
                return false;
            }
            Carrier spare = nextClaimantOrSpare();
            if (spare != null) {
                if (!from.casHold(ASKED, NONE)) {
                    putBack(spare);
                    return false;
                }
                if (!tryMove(from, spare)) {
                    from.setHold(HELD);
                    return false;
                }
                taken++;
                return true;
            }
            from.casHold(ASKED, HELD);
        }
        group.core.reportExhausted(from);
        return false;
    }

    /** Gives the calling carrier's slot to a claimant; it is between two slices. @return false when nobody claims one */
    boolean giveWay(Carrier from) {
        synchronized (this) {
            Carrier next = pollClaimant();
            return next != null && tryMove(from, next);
        }
    }

    @GuardedBy("this")
    private @Nullable Carrier nextClaimantOrSpare() {
        Carrier claimant = pollClaimant();
        if (claimant != null) return claimant;
        Carrier spare = spares.pollLast();
        return spare != null ? spare : newSpare();
    }

    @GuardedBy("this")
    private @Nullable Carrier newSpare() {
        carriers.ensureCapacity(carriers.size() + 1);
        Worker[] more = Arrays.copyOf(others, others.length + 1);
        Carrier spare = group.tryMakeSpare();
        if (spare == null) return null;
        carriers.add(spare);
        more[others.length] = spare.worker;
        others = more;
        return spare;
    }

    /** Has a task run by a carrier whose stack is empty, when that gets a slot. @return false when there is none to be had */
    boolean trySendToSpare(Task task) {
        synchronized (this) {
            if (!group.hasThreads()) return false;
            Carrier spare = spares.peekLast();
            if (spare == null) spare = newSpare();
            if (spare == null) return false;
            spare.send(task); // it has no slot, so it claims one; and it cannot retire before: L3
            return true;
        }
    }

    @GuardedBy("this")
    private @Nullable Carrier pollClaimant() {
        Carrier claimant = claimants.poll();
        if (claimant != null) claims = claimants.size();
        return claimant;
    }

    @GuardedBy("this")
    private void keepAsSpare(Carrier carrier) {
        if (claimants.contains(carrier) || spares.contains(carrier)) return;
        carrier.atRest = true;
        carrier.claiming = false;
        spares.add(carrier);
    }

    /** Who was to get a slot, and does not, stands where it stood. */
    @GuardedBy("this")
    private void putBack(Carrier carrier) {
        if (carrier.claiming) {
            claim(carrier);
            LockSupport.unpark(carrier.thread()); // it tells the holders: who looked meanwhile saw no claim
        } else {
            keepAsSpare(carrier);
        }
    }

    /** For one that was taken out of its list. @return false when there is no memory: then it stands there again */
    @GuardedBy("this")
    private boolean tryMove(Carrier from, Carrier to) {
        if (tryMoveBack(from, to)) return true;
        putBack(to);
        return false;
    }

    /** For one that stands in no list. @return false when there is no memory: then nothing has changed */
    @GuardedBy("this")
    private boolean tryMoveBack(Carrier from, Carrier to) {
        try {
            move(from, to);
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    @GuardedBy("this")
    private void move(Carrier from, Carrier to) {
        Tracing.handedOff(from.thread(), to.thread());
        int slot = from.worker.index;
        synchronized (group.core.lock) {
            @Nullable Worker[] holders = group.workers().clone();
            Worker[] more = Arrays.copyOf(others, others.length + 1);
            Worker[] rest = without(to.worker, more); // the last that needs memory: L8
            holders[slot] = to.worker;
            more[others.length] = from.worker;
            rest[rest.length - 1] = from.worker;
            moves++;
            from.setHold(NONE);
            from.worker.index = Worker.NOWHERE;
            from.standIn = to;
            to.begun = false;
            to.atRest = false;
            to.worker.index = slot;
            others = more;
            group.replaceWorkers(holders);
            others = rest; // last: who looks through the holders and then the others misses nobody who leaves
        }
        to.setHold(HELD);
        LockSupport.unpark(to.thread());
    }

    private static Worker[] without(Worker worker, Worker[] all) {
        int at = 0;
        while (all[at] != worker) at++;
        Worker[] rest = Arrays.copyOf(all, all.length - 1);
        System.arraycopy(all, at + 1, rest, at, rest.length - at);
        return rest;
    }

    // ---- getting one -----------------------------------------------------------------------------------------------

    /** Takes back the slot that the calling carrier gave up, if its stand-in has not begun to use it. */
    boolean tryTakeBack(Carrier carrier) {
        synchronized (this) {
            if (carrier.hold() != NONE) return true; // given one meanwhile
            Carrier standIn = carrier.standIn;
            if (standIn == null || standIn.begun || standIn.hold() != HELD || !tryMoveBack(standIn, carrier))
                return false;
            standIn.standIn = null;
            putBack(standIn); // now, not when it has woken: else a row of short calls would make a thread each
            carrier.begun = true;
            return true;
        }
    }

    /** Waits, inside a task that cannot be suspended, until the calling carrier has a slot, or none is needed any more. */
    void awaitInside(Carrier carrier) {
        boolean interrupted = false;
        while (!tryBegin(carrier, true) && !group.core.isStopped()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // else it would not park again
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /**
     * Waits, outside any task, until the calling carrier has a slot.
     *
     * @return false when its thread is to end
     */
    boolean await(Carrier carrier) {
        while (!tryBegin(carrier, false)) {
            if (group.core.isStopped()) return false;
            group.core.noteSleep(); // it is at rest now: L5
            long before = System.nanoTime();
            LockSupport.parkNanos(this, keepAliveNanos);
            Thread.interrupted(); // meant for nobody
            if (System.nanoTime() - before >= keepAliveNanos && tryRetire(carrier)) return false;
            carrier.collectMail();
        }
        return true;
    }

    private boolean tryBegin(Carrier carrier, boolean inside) {
        boolean claiming;
        synchronized (this) {
            if (carrier.hold() != NONE) { // also when asked for: L4
                carrier.begun = true;
                return true;
            }
            claiming = inside || carrier.hasOwnWork(); // after the hold: L7
            if (claiming) claim(carrier);
            else keepAsSpare(carrier);
        }
        if (claiming) group.wakeHolders();
        return false;
    }

    @GuardedBy("this")
    private void claim(Carrier carrier) {
        if (claimants.contains(carrier)) return;
        spares.remove(carrier);
        carrier.atRest = false;
        carrier.claiming = true;
        claimants.add(carrier);
        claims = claimants.size();
    }

    private boolean tryRetire(Carrier carrier) {
        synchronized (this) {
            if (!carrier.mayRetire() || !spares.contains(carrier)) return false;
            Worker[] rest = without(carrier.worker, others); // before anything is changed: L8
            spares.remove(carrier);
            carrier.retired = true;
            carriers.remove(carrier);
            others = rest;
        }
        group.core.spares.decrementAndGet();
        return true;
    }

    /** Keeps a carrier from retiring for good, because something will be sent to it. @return false when it has retired */
    boolean tryAnchor(Carrier carrier) {
        boolean pinned = Stack.stay();
        try {
            synchronized (this) {
                if (carrier.retired) return false;
                carrier.anchored = true;
                return true;
            }
        } finally {
            Stack.mayLeave(pinned);
        }
    }
}
