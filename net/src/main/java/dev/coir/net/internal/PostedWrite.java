package dev.coir.net.internal;

import dev.coir.internal.sched.Errand;
import dev.coir.internal.wait.Waiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A write that its party has left to the carrier, to wait for the answer already. One per socket. The party is inside both directions
 * when it leaves it, and whoever has written everything leaves WRITE: others may write from then on.
 */
final class PostedWrite extends Errand {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketHandle handle;
    private ByteBuffer from = NOTHING;
    private boolean isTimed;
    private long sentAt; // as of System.nanoTime, if isTimed
    private @Nullable IOException failure;

    PostedWrite(SocketHandle handle) {
        this.handle = handle;
    }

    /** Leaves it to the carrier. @return false when it has to be written by the party; else {@link #takeBack} follows */
    boolean leave(ByteBuffer buffer, boolean timed) {
        from = buffer;
        isTimed = timed;
        failure = null;
        return leave();
    }

    /** When everything was written. The party only, after {@link #takeBack} has said so. */
    long sentAt() {
        return sentAt;
    }

    /** Throws what came of an attempt in the party's place, if it failed. The party only, after {@link #takeBack}. */
    void rethrow(Waiter.Outcome how) throws IOException {
        from = NOTHING;
        IOException failed = failure;
        if (failed == null) return;
        if (how == Waiter.Outcome.INTERRUPTED) Interrupts.giveBack(); // the failure was first
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
        handle.leave(Gate.WRITE);
        return true;
    }

    @Override
    protected void remind() {
        handle.ready(Gate.READ); // the party waits there
    }
}
