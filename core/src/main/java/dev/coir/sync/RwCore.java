package dev.coir.sync;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import dev.coir.internal.wait.Wakes;
import dev.coir.sync.RwLock.Preference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a {@link RwLock}: who reads, who writes, who waits. */
final class RwCore {
    /*
     * Everything is guarded by one guard, held for a few instructions. What is released is given to those in line under the
     * same guard, so whenever the guard is free:
     *
     * R1. Nobody in line could be let in, as the preference has it.
     * R2. One writes and nobody else reads, or nobody writes.
     * Guarded by RwLockTest and RwLockStress.
     *
     * Who reads is counted per party, for reentrance. One reader is kept in two fields, so that reading alone, and the
     * first of several, touches no map.
     *
     * Rejected: a word for compare-and-set with the readers' number in it. The count per party needs a lookup anyway, and
     * readers who come together fight for the one word as they do for the guard.
     */

    /** A wish to read or to write. */
    static final class Turn extends Waiter {
        final Object who;
        final boolean writes;
        long number; // its place among all who came; guarded by guard

        Turn(Object who, boolean writes) {
            this.who = who;
            this.writes = writes;
        }
    }

    final SpinGuard guard = new SpinGuard();
    final Preference preference;
    // all guarded by guard
    private @Nullable Object writer;
    private int writes; // how often the writer holds it
    private @Nullable Object firstReader;
    private int firstReads;
    private final IdentityHashMap<Object, int[]> otherReads = new IdentityHashMap<>(4);
    private int reads; // how often it is held for reading, by all
    private final WaitQueue<Turn> readers = new WaitQueue<>();
    private final WaitQueue<Turn> writers = new WaitQueue<>();
    private long lastNumber;

    RwCore(Preference preference) {
        this.preference = preference;
    }

    // ---- getting in ------------------------------------------------------------------------------------------------

    /** Waits until the turn's party is in. */
    Waiter.Outcome acquire(Turn turn, String reason, long deadlineNanos, boolean interruptible) {
        StackRoom.ensureMore();
        return acquireInside(turn, reason, deadlineNanos, interruptible);
    }

    /** As acquire, in the midst of something that has the room on the stack for it. */
    Waiter.Outcome acquireInside(Turn turn, String reason, long deadlineNanos, boolean interruptible) {
        guard.acquireInside();
        boolean in;
        try {
            in = mayEnter(turn) && enter(turn);
            if (!in) joinUnderGuard(turn);
        } finally {
            guard.release();
        }
        return in ? Waiter.Outcome.SIGNALLED : stand(turn, reason, deadlineNanos, interruptible);
    }

    /** With a time limit and fair; false when it is up. Refused, by false, to a reader who wants to write. */
    boolean tryAcquire(boolean toWrite, String reason, long nanos) throws InterruptedException {
        StackRoom.ensureMore();
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        var turn = new Turn(me, toWrite);
        guard.acquire();
        boolean in;
        boolean vain;
        try {
            in = mayEnter(turn) && enter(turn);
            vain = nanos <= 0 || (toWrite && holdsOf(me) != 0);
            if (!in && !vain) joinUnderGuard(turn);
        } finally {
            guard.release();
        }
        if (in) return true;
        if (vain) return false;
        return switch (stand(turn, reason, Waiter.deadlineIn(nanos), true)) {
            case SIGNALLED -> true;
            case TIMED_OUT -> false;
            case INTERRUPTED -> throw new InterruptedException();
        };
    }

    boolean tryRead(Object me) {
        StackRoom.ensureMore();
        guard.acquire();
        try {
            return (writer == null || writer == me) && addRead(me);
        } finally {
            guard.release();
        }
    }

    boolean tryWrite(Object me) {
        StackRoom.ensureMore();
        guard.acquire();
        try {
            return canWrite(me) && addWrite(me);
        } finally {
            guard.release();
        }
    }

    private Waiter.Outcome stand(Turn turn, String reason, long deadlineNanos, boolean interruptible) {
        Waiter.Outcome how;
        try {
            how = turn.await(reason, deadlineNanos, interruptible);
        } catch (Throwable noWait) { // it could not even begin
            leave(turn);
            throw noWait;
        }
        if (how != Waiter.Outcome.SIGNALLED) leave(turn);
        return how;
    }

    private void leave(Turn turn) {
        Wakes woken;
        guard.acquire();
        try {
            queueOf(turn).remove(turn);
            woken = letIn(); // readers behind a writer that gave up
        } finally {
            guard.release();
        }
        woken.unparkAll();
    }

    /** Puts a turn at the end of its line. Under guard. */
    void joinUnderGuard(Turn turn) {
        turn.number = ++lastNumber;
        queueOf(turn).addLast(turn);
    }

    private WaitQueue<Turn> queueOf(Turn turn) {
        return turn.writes ? writers : readers;
    }

    /** Whether a newcomer may go in now, before those in line. */
    private boolean mayEnter(Turn turn) {
        Object me = turn.who;
        if (turn.writes) return canWrite(me) && (writer == me || (readers.isEmpty() && writers.isEmpty()));
        if (writer != null) return writer == me;
        return switch (preference) {
            case READERS -> true;
            case FAIR -> (readers.isEmpty() && writers.isEmpty()) || holdsOf(me) != 0;
            case WRITERS -> writers.isEmpty() || holdsOf(me) != 0;
        };
    }

    private boolean canWrite(Object me) {
        return writer == me || (writer == null && reads == 0);
    }

    private boolean enter(Turn turn) {
        return turn.writes ? addWrite(turn.who) : addRead(turn.who);
    }

    private boolean addWrite(Object me) {
        if (writes == Integer.MAX_VALUE) throw new Error("Maximum lock count exceeded");
        writer = me;
        writes++;
        return true;
    }

    private boolean addRead(Object me) {
        if (reads == Integer.MAX_VALUE) throw new Error("Maximum lock count exceeded");
        if (firstReader == null && !otherReads.containsKey(me)) firstReader = me;
        if (firstReader == me) firstReads++;
        else otherReads.computeIfAbsent(me, _ -> new int[1])[0]++;
        reads++;
        return true;
    }

    private int holdsOf(Object me) {
        if (firstReader == me) return firstReads;
        if (otherReads.isEmpty()) return 0;
        int[] count = otherReads.get(me);
        return count == null ? 0 : count[0];
    }

    // ---- getting out -----------------------------------------------------------------------------------------------

    void unlockRead(Object me) {
        Wakes woken = null;
        boolean held;
        guard.acquire();
        try {
            held = removeRead(me);
            if (held) woken = letIn();
        } finally {
            guard.release();
        }
        if (!held) throw notHeld("read", me);
        if (woken != null) woken.unparkAll();
    }

    private boolean removeRead(Object me) {
        if (firstReader == me) {
            if (--firstReads == 0) firstReader = null;
        } else {
            int[] count = otherReads.get(me);
            if (count == null) return false;
            if (--count[0] == 0) otherReads.remove(me);
        }
        reads--;
        return true;
    }

    void unlockWrite(Object me) {
        Wakes woken = null;
        guard.acquire();
        boolean held = writer == me;
        if (held && --writes == 0) {
            writer = null;
            woken = letIn();
        }
        guard.release();
        if (!held) throw notHeld("write", me);
        if (woken != null) woken.unparkAll();
    }

    int releaseWriteFully(Object me) {
        guard.acquire();
        int beyondOnce = writer == me ? writes - 1 : 0;
        if (writer == me) writes = 1;
        guard.release();
        unlockWrite(me);
        return beyondOnce;
    }

    /** The writer again holds it as often as it did before it slept. */
    void restoreWrites(int beyondOnce) {
        guard.acquire();
        writes += beyondOnce;
        guard.release();
    }

    // ---- letting in ------------------------------------------------------------------------------------------------

    /** Lets in whom the preference allows. Under guard; returns whom to unpark after. */
    private Wakes letIn() {
        var woken = new Wakes();
        while (writer == null) {
            Turn next = next();
            if (next == null || (next.writes && reads != 0)) break;
            queueOf(next).remove(next);
            if (!next.trySignal()) continue;
            enter(next);
            woken.add(next);
        }
        return woken;
    }

    private @Nullable Turn next() {
        Turn reader = readers.first();
        Turn wanting = writers.first();
        if (reader == null || wanting == null) return reader == null ? wanting : reader;
        return switch (preference) {
            case FAIR -> reader.number < wanting.number ? reader : wanting;
            case READERS -> reader;
            case WRITERS -> wanting;
        };
    }

    // ---- refusing --------------------------------------------------------------------------------------------------

    private static IllegalMonitorStateException notHeld(String which, Object me) {
        return new IllegalMonitorStateException(
                "the " + which + " lock is not held by " + Caller.describe(me) + "; who locked it must do this");
    }

    Object ensureWriter(Object me) {
        if (!isWriter(me)) throw notHeld("write", me);
        return me;
    }

    /** A reader that is not the writer would wait for itself. */
    void ensureNoReader(Object me) {
        guard.acquire();
        boolean vain = writer != me && holdsOf(me) != 0;
        guard.release();
        if (vain) {
            throw new IllegalStateException(Caller.describe(me)
                    + " reads and wants to write: it would wait for itself; give the read lock back first");
        }
    }

    /** A writer that reads as well could not get the write lock back. */
    void ensureNoReaderEvenIfWriter(Object me) {
        if (readHolds(me) != 0) {
            throw new IllegalStateException(Caller.describe(me)
                    + " waits for a condition and holds the read lock as well: it could not get the write lock back;"
                    + " give the read lock back first");
        }
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    boolean isWriter(Object me) {
        return writer() == me;
    }

    @Nullable
    Object writer() {
        guard.acquire();
        Object now = writer;
        guard.release();
        return now;
    }

    int writeHolds(Object me) {
        guard.acquire();
        int now = writer == me ? writes : 0;
        guard.release();
        return now;
    }

    int readHolds(Object me) {
        guard.acquire();
        int now = holdsOf(me);
        guard.release();
        return now;
    }

    int readHolds() {
        guard.acquire();
        int now = reads;
        guard.release();
        return now;
    }

    int queueLength() {
        guard.acquire();
        int now = readers.size() + writers.size();
        guard.release();
        return now;
    }

    List<Object> inLine(boolean reading, boolean writing) {
        List<Object> all = new ArrayList<>();
        guard.acquire();
        try {
            if (reading) for (Turn each : readers) all.add(each.who);
            if (writing) for (Turn each : writers) all.add(each.who);
        } finally {
            guard.release();
        }
        return all;
    }

    String describe() {
        guard.acquire();
        int writing = writes;
        int reading = reads;
        guard.release();
        return "[Write locks = " + writing + ", Read locks = " + reading + "]";
    }
}
