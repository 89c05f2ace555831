package dev.coir.net.internal;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.internal.wait.Waiter;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Who is inside something that can be closed at any time: at most one party that reads, one that writes, and any number that
 * make some short other call. What is guarded is released when it has been closed and the last one has left, and not before:
 * else the number of a descriptor could mean another one in the middle of a call.
 */
abstract class Gate {
    /*
     * state    CLOSED | READING | WRITING | READERS_QUEUE | WRITERS_QUEUE | n * USER
     *
     * from                   to                       cause                        who moves
     * no CLOSED, no READING  + READING                a party begins to read       that party, by CAS
     * READING                - READING                it ends, nobody in line      that party, by CAS
     * READING                READING                  it ends, somebody in line    that party hands its right over
     * no CLOSED              + CLOSED + USER          close                        who closes, by CAS, once
     * + n * USER             - USER                   the short call has ended     who made it
     * (the same for writing)
     *
     * G1. Nobody comes in after CLOSED is set, so the state becomes CLOSED and nothing else exactly once: whoever makes it so
     *     releases. Guarded by GateTest.
     * G2. A second reader stands in line and gets the right from the one before it, first come first served; the same for
     *     writers. The queue bit is set while a party may be in line; it is set and cleared under the guard only, and who
     *     joins sets it by CAS from a state in which somebody is inside. So that one sees the bit when it leaves.
     * G3. Who leaves a closed gate hands its right over as well; the next one sees that it is closed, and leaves at once.
     */
    static final int READ = 0;
    static final int WRITE = 1;
    private static final int CLOSED = 1;
    private static final int READING = 2; // shifted left by the direction
    private static final int QUEUED = 8; // likewise
    private static final int USER = 32;
    private static final VarHandle STATE;
    private static final VarHandle TURNS;

    static {
        try {
            var lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Gate.class, "state", int.class);
            TURNS = lookup.findVarHandle(Gate.class, "turns", Turns.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Those in line, in both directions; made when there is one. */
    private static final class Turns {
        final SpinGuard guard = new SpinGuard();
        final WaitQueue<Waiter> readers = new WaitQueue<>(); // guarded by guard
        final WaitQueue<Waiter> writers = new WaitQueue<>(); // guarded by guard

        WaitQueue<Waiter> of(int direction) {
            return direction == READ ? readers : writers;
        }
    }

    private volatile int state;
    private volatile @Nullable Turns turns; // set once

    /** Frees what is guarded. Called once, by the last to leave. */
    abstract void release();

    /** It has been closed while parties are inside: make them leave. Called once. */
    abstract void expel();

    /** It has been closed: no more events are wanted. Called once, before {@link #release} and {@link #expel}. */
    abstract void closing();

    /** What to call the wait for one's turn. */
    abstract String turnReason(int direction);

    final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /** Whether somebody is inside. A hint. */
    final boolean isBusy() {
        return state >= READING;
    }

    // ---- one at a time ----------------------------------------------------------------------------------------------

    /** Comes in, when it is this party's turn. */
    final void enter(int direction, long timeoutNanos) throws ClosedChannelException, InterruptedIOException {
        StackRoom.ensureMore(); // who is inside must be able to leave; who stands in line may get its turn
        int busy = READING << direction;
        while (true) {
            int seen = state;
            if ((seen & CLOSED) != 0) throw new ClosedChannelException();
            if ((seen & busy) != 0) {
                standInLine(direction, timeoutNanos);
                return;
            }
            if (STATE.compareAndSet(this, seen, seen | busy)) return;
        }
    }

    /** Comes in, if nobody is inside and it is open. */
    final boolean tryEnter(int direction) {
        int busy = READING << direction;
        while (true) {
            int seen = state;
            if ((seen & (CLOSED | busy)) != 0) return false;
            if (STATE.compareAndSet(this, seen, seen | busy)) return true;
        }
    }

    /** Leaves what was entered. */
    final void leave(int direction) {
        int busy = READING << direction;
        while (true) {
            int seen = state;
            if ((seen & (QUEUED << direction)) != 0) {
                if (handOver(direction)) return;
            } else if (STATE.compareAndSet(this, seen, seen & ~busy)) {
                if ((seen & ~busy) == CLOSED) release();
                return;
            }
        }
    }

    private void standInLine(int direction, long timeoutNanos) throws ClosedChannelException, InterruptedIOException {
        var turn = new Waiter();
        if (!join(turns(), turn, direction)) return;
        String reason = turnReason(direction);
        long deadline = timeoutNanos == 0 ? Long.MAX_VALUE : Waiter.deadlineIn(timeoutNanos);
        Waiter.Outcome how = turn.await(reason, deadline, true);
        if (how == Waiter.Outcome.SIGNALLED) return;
        Turns line = turns();
        line.guard.acquire();
        line.of(direction).remove(turn);
        line.guard.release();
        if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedIOException("interrupted in " + reason);
        throw new SocketTimeoutException("timed out in " + reason);
    }

    /** Stands in line. @return false when that is not necessary: the caller is inside */
    private boolean join(Turns line, Waiter turn, int direction) throws ClosedChannelException {
        int busy = READING << direction;
        line.guard.acquire();
        try {
            while (true) {
                int seen = state;
                if ((seen & CLOSED) != 0) throw new ClosedChannelException();
                if ((seen & busy) == 0) {
                    if (STATE.compareAndSet(this, seen, seen | busy)) return false;
                } else if (STATE.compareAndSet(this, seen, seen | (QUEUED << direction))) { // G2
                    line.of(direction).addLast(turn);
                    return true;
                }
            }
        } finally {
            line.guard.release();
        }
    }

    /** Gives the right to the first in line. @return false when nobody was */
    private boolean handOver(int direction) {
        Turns line = turns();
        WaitQueue<Waiter> queue = line.of(direction);
        line.guard.acquire();
        Waiter next = queue.pollFirst();
        while (next != null && !next.trySignal()) next = queue.pollFirst();
        if (queue.isEmpty()) clear(QUEUED << direction);
        line.guard.release();
        if (next != null) next.unpark();
        return next != null;
    }

    private void clear(int bit) {
        int seen;
        do {
            seen = state;
        } while (!STATE.compareAndSet(this, seen, seen & ~bit));
    }

    private Turns turns() {
        Turns seen = turns;
        if (seen != null) return seen;
        var made = new Turns();
        var first = (Turns) TURNS.compareAndExchange(this, null, made);
        return first != null ? first : made;
    }

    // ---- short calls ------------------------------------------------------------------------------------------------

    /** Comes in for a short call. @return false when it is closed */
    final boolean tryUse() {
        while (true) {
            int seen = state;
            if ((seen & CLOSED) != 0) return false;
            if (STATE.compareAndSet(this, seen, seen + USER)) return true;
        }
    }

    final void use() throws ClosedChannelException {
        if (!tryUse()) throw new ClosedChannelException();
    }

    final void endUse() {
        int before = (int) STATE.getAndAdd(this, -USER);
        if (before - USER == CLOSED) release();
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** Closes it: those inside are expelled, and the last of them releases it. */
    final void close() {
        int seen;
        do {
            seen = state;
            if ((seen & CLOSED) != 0) return;
        } while (!STATE.compareAndSet(this, seen, (seen | CLOSED) + USER));
        try {
            closing();
            if (seen != 0) expel();
        } finally {
            endUse(); // G1: nobody else can have released it before
        }
    }
}
