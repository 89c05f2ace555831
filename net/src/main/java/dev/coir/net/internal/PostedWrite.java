package dev.coir.net.internal;

import dev.coir.internal.sched.Errand;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A write that its party has left to the carrier, to wait for the answer already. One per socket. */
final class PostedWrite extends Errand {
    /*
     * from     to       cause                                 who moves
     * NONE     POSTED   the party leaves it to the carrier    the party, which is inside both directions
     * POSTED   SENDING  its turn has come                     who runs the errand, by CAS
     * SENDING  SENT     all is written                        that one, which has left WRITE in the party's place
     * SENDING  REST     something is left, or it failed       that one; it wakes the party
     * POSTED   NONE     the party has woken before            the party, by CAS
     * SENT     NONE     the party has woken                   the party
     * REST     NONE     likewise; it writes the rest          the party
     *
     * W1. The buffer and WRITE belong to the party, but for SENDING: then to who runs the errand. So a buffer is written by one
     *     at a time, WRITE is left once, and another party may write as soon as all is written. Guarded by PostedWriteStress.
     * W2. Whoever runs the errand late may meet the next write: it is posted too, and its turn has come early.
     */
    private static final int NONE = 0;
    private static final int POSTED = 1;
    private static final int SENDING = 2;
    private static final int SENT = 3;
    private static final int REST = 4;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(PostedWrite.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketHandle handle;
    private ByteBuffer from = NOTHING; // written by the party before POSTED
    private @Nullable Throwable failure; // written by who runs the errand, before REST
    private volatile int state;

    PostedWrite(SocketHandle handle) {
        this.handle = handle;
    }

    /** The party, inside WRITE; to be followed by {@link #takeBack}. */
    void post(ByteBuffer buffer) {
        from = buffer;
        state = POSTED;
    }

    /**
     * Ends it. The party only.
     *
     * @return whether the party is still inside WRITE, with something left to write or a failure to be told; else all is written
     */
    @SuppressWarnings("ThreadPriorityCheck") // who sends makes one short call
    boolean takeBack() {
        boolean mine = state == POSTED && STATE.compareAndSet(this, POSTED, NONE);
        if (!mine) {
            while (state == SENDING) Thread.yield();
            mine = state == REST;
            state = NONE;
        }
        from = NOTHING;
        return mine;
    }

    /** What came of the attempt that was made, if it failed. The party only, after {@link #takeBack}. */
    void rethrow() throws IOException {
        Throwable failed = failure;
        if (failed == null) return;
        failure = null;
        failed.fillInStackTrace(); // who sees it asked for the write, and does not know who made it
        switch (failed) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(failed); // no other can be
        }
    }

    @Override
    protected void run() {
        if (state != POSTED || !STATE.compareAndSet(this, POSTED, SENDING)) return;
        try {
            handle.tryWrite(from);
        } catch (Throwable e) {
            failure = e;
        }
        if (failure == null && !from.hasRemaining()) {
            handle.leave(Gate.WRITE);
            state = SENT;
        } else {
            state = REST;
            handle.ready(Gate.READ); // the party waits there
        }
    }
}
