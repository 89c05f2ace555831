package dev.coir.net.internal;

import dev.coir.internal.sched.Errand;
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
    private @Nullable Throwable failure;

    PostedWrite(SocketHandle handle) {
        this.handle = handle;
    }

    /** Leaves it to the carrier, if there is one; {@link #takeBack} follows. */
    boolean leave(ByteBuffer buffer) {
        from = buffer;
        return leave();
    }

    /** Throws what an attempt in the party's place came to, if it failed. The party only, after {@link #takeBack}. */
    void rethrow() throws IOException {
        from = NOTHING;
        Throwable failed = failure;
        if (failed == null) return;
        failure = null;
        failed.fillInStackTrace(); // the party asked for the write, and does not know who made it
        switch (failed) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(failed); // there is no other that an attempt could throw
        }
    }

    @Override
    protected boolean run() {
        try {
            handle.tryWrite(from);
        } catch (Throwable e) {
            failure = e;
            return false;
        }
        if (from.hasRemaining()) return false;
        from = NOTHING;
        handle.leave(Gate.WRITE);
        return true;
    }

    @Override
    protected void remind() {
        handle.ready(Gate.READ); // the party waits there
    }
}
