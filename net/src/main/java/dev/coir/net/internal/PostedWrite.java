package dev.coir.net.internal;

import static dev.coir.net.internal.Gate.READ;
import static dev.coir.net.internal.Gate.WRITE;
import static dev.coir.net.internal.SocketHandle.AGAIN;

import dev.coir.internal.sched.Errand;
import dev.coir.internal.wait.Waiter.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A write that its party leaves to the carrier, to wait for the answer already. */
final class PostedWrite extends Errand {
    /*
     * The party is inside both directions when it leaves the write, and stays inside READ until it has the answer. Whoever has written
     * everything leaves WRITE: others may write from then on. If something is left to write, the party has WRITE, and leaves READ
     * while it waits for room: what it waits for may wait for others to read. Guarded by StreamContract and ExchangeTest.
     */
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketHandle handle;
    private ByteBuffer from = NOTHING;
    private boolean isTimed;
    private long sentAt; // as of System.nanoTime, if isTimed
    private @Nullable IOException failure;

    PostedWrite(SocketHandle handle) {
        this.handle = handle;
    }

    /**
     * Writes everything, and then reads.
     *
     * @return how many bytes were read, -1 at the end; AGAIN when it was no use: what is left to write, and the read, are to be done in the
     *     ordinary way
     */
    int tryExchange(ByteBuffer out, ByteBuffer in, long writeNanos, long readNanos) throws IOException {
        int start = out.position();
        String reason = handle.readReason();
        boolean reading = handle.tryEnter(READ);
        boolean writing = false;
        try {
            if (!reading || handle.isWorthReading() || !handle.tryEnter(WRITE)) return AGAIN;
            writing = true;
            if (!leave(out, readNanos != 0)) return AGAIN;
            Outcome how;
            try {
                how = handle.awaitUntil(READ, reason, Handle.deadlineIn(readNanos));
            } finally {
                writing = takeBack();
            }
            if (writing) {
                if (how == Outcome.SIGNALLED) handle.ready(READ); // for whoever reads next: the wait has taken it
                handle.leave(READ);
                reading = false;
                rethrow(how);
                if (how == Outcome.INTERRUPTED) throw interrupted(handle.writeReason(), out.position() - start);
                handle.writeInside(out, start, writeNanos);
                return AGAIN;
            }
            if (how == Outcome.TIMED_OUT) how = handle.awaitUntil(READ, reason, deadline(readNanos));
            if (how == Outcome.INTERRUPTED) throw interrupted(reason, out.position() - start);
            if (how == Outcome.TIMED_OUT) throw Handle.timedOut(reason, readNanos);
            return handle.readInside(in, true, deadline(readNanos), readNanos);
        } finally {
            if (writing) handle.leave(WRITE);
            if (reading) handle.leave(READ);
        }
    }

    /** The time for the answer begins with the write. */
    private long deadline(long readNanos) {
        return isTimed && readNanos <= Long.MAX_VALUE / 2 ? sentAt + readNanos : Long.MAX_VALUE;
    }

    private static InterruptedIOException interrupted(String reason, int written) {
        var failure = new InterruptedIOException("interrupted while " + reason);
        failure.bytesTransferred = written;
        return failure;
    }

    private boolean leave(ByteBuffer buffer, boolean timed) {
        from = buffer;
        isTimed = timed;
        failure = null;
        return leave();
    }

    /** Throws what came of an attempt in the party's place, if it failed. */
    private void rethrow(Outcome how) throws IOException {
        from = NOTHING;
        IOException failed = failure;
        if (failed == null) return;
        if (how == Outcome.INTERRUPTED) Interrupts.giveBack(); // the failure was first
        failed.fillInStackTrace(); // the party asked for the write, and does not know who made it
        throw failed;
    }

    /** What is not the system's answer is for the party to find out by an attempt of its own: its buffer may be for its thread alone. */
    @Override
    protected boolean run() {
        try {
            handle.tryWrite(from);
        } catch (IOException e) {
            failure = e;
            return false;
        } catch (Throwable notSent) {
            return false;
        }
        if (from.hasRemaining()) return false;
        from = NOTHING;
        if (isTimed) sentAt = System.nanoTime();
        return true;
    }

    @Override
    protected void ended(boolean all) {
        if (all) handle.leave(WRITE);
        else handle.ready(READ); // the party waits there
    }
}
