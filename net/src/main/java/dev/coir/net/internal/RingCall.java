package dev.coir.net.internal;

import dev.coir.internal.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One request to the system that is under way in a {@link Ring}. Made and awaited by one party, completed by whoever reaps. */
final class RingCall {
    /*
     * state    to       cause                                    who moves
     * null     Waiter   the party begins to wait                 the party, by CAS
     * Waiter   null     an interrupt ended the wait              the party, by CAS; when that fails it is DONE
     * null     DONE     the system is done, or never began       who reaps or takes back, by exchange, once
     * Waiter   DONE     the same; the waiter is signalled        the same
     *
     * C1. As long as it is not DONE the system may read and write its memory. The ring holds the call, and the call its
     *     memory, so that memory is neither freed nor used for anything else before. Guarded by RingTest.
     */
    /** A result that no system gives: it has not been begun, and another way must be gone. */
    static final int NOT_TAKEN = Integer.MIN_VALUE;

    private static final Object DONE = "done";
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RingCall.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int opcode;
    final int fd;
    final MemorySegment memory;
    final int length;
    final long position;
    final int flags;
    long id; // written by the ring when it is put up; read by the party
    private int result = NOT_TAKEN; // written by who reaps, before DONE
    private volatile @Nullable Object state; // null, DONE or a Waiter

    RingCall(int opcode, int fd, MemorySegment memory, int length, long position, int flags) {
        this.opcode = opcode;
        this.fd = fd;
        this.memory = memory;
        this.length = length;
        this.position = position;
        this.flags = flags;
    }

    /** Asks the system to give another call up. */
    static RingCall cancelling(RingCall other) {
        return new RingCall(Linux.IORING_OP_ASYNC_CANCEL, -1, MemorySegment.ofAddress(other.id), 0, 0, 0);
    }

    /** What the system returned. Who reaps, before it completes the call. */
    void result(int value) {
        result = value;
    }

    /** Any thread, once. */
    void complete() {
        if (STATE.getAndSet(this, DONE) instanceof Waiter waiter) waiter.signal();
    }

    boolean isDone() {
        return state == DONE;
    }

    /** What the system returned, or minus the error number, or NOT_TAKEN; when it is done. */
    int result() {
        return result;
    }

    /** Waits until it is done. The party only. @return false when an interrupt came first, which has been taken */
    boolean await(String reason, boolean interruptible) {
        while (state != DONE) {
            var waiter = new Waiter();
            if (!STATE.compareAndSet(this, (Object) null, (Object) waiter)) continue;
            if (waiter.await(reason, Long.MAX_VALUE, interruptible) == Waiter.Outcome.INTERRUPTED) {
                STATE.compareAndSet(this, (Object) waiter, (Object) null);
                return false;
            }
        }
        return true;
    }
}
