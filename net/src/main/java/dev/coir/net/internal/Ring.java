package dev.coir.net.internal;

import dev.coir.internal.SpinGuard;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An io_uring instance: requests are put up by any thread, and done by the system meanwhile. Its descriptor becomes readable when
 * one is done; the poller that watches it {@linkplain #reap() reaps} then.
 */
@SuppressWarnings("restricted") // memory shared with the system is the point
final class Ring {
    /*
     * Two rings of memory that is shared with the system: requests (we write the tail, the system the head) and completions (the
     * other way round). The guard is held for some instructions, never for a system call.
     *
     *   put up   1. under the guard: a slot, the request, the tail    2. pump, unless somebody does
     *   pump     1. hand over all that is put up                      2. again, until nothing is
     *   reap     1. under the guard: results, slots, the head         2. complete the calls
     *
     * R1. One thread pumps at a time. So what the system refuses can be taken back: nobody else hands it over meanwhile. Who
     *     puts up sets `pumping` under the guard, and who pumps clears it under the guard when nothing is left; so nothing
     *     stays behind.
     * R2. Each call has a slot from when it is put up until its completion is reaped, and there are no more slots than
     *     places for completions. So those never overflow. A call that finds no slot is not taken.
     * R3. Slots are used again, the numbers of calls are not. So a cancellation that comes late meets nobody.
     * R4. Memory is unmapped when it is closed, under the guard, and every use of it is under the guard and looks first.
     * Guarded by RingTest.
     *
     * Rejected: a thread in the system that looks for requests (SQPOLL), which burns a processor; completions that wait for the
     * thread that put the request up (DEFER_TASKRUN, SINGLE_ISSUER), for any worker may poll, and a carrier may be blocked;
     * registered buffers and files, which need a call for each file and pin memory.
     */
    private static final int ENTRIES = 64; // put up at a time
    private static final int COMPLETIONS = 512;
    private static final int NEEDED =
            Linux.IORING_FEAT_SINGLE_MMAP | Linux.IORING_FEAT_NODROP | Linux.IORING_FEAT_FAST_POLL; // Linux 5.7
    private static final int SLOT_BITS = 16;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final VarHandle SHARED_INT = INT.varHandle();
    private static final int REQUEST_BYTES = 64;
    private static final int COMPLETION_BYTES = 16;

    private final Sys sys;
    private final int fd;
    private final MemorySegment rings;
    private final MemorySegment requests;
    private final int sqHead; // offsets in rings
    private final int sqTail;
    private final int cqHead;
    private final int cqTail;
    private final int cqes;
    private final int sqEntries;
    private final int cqEntries;

    private final SpinGuard guard = new SpinGuard();
    private final @Nullable RingCall[] calls; // by slot; guarded by guard
    private final int[] freeSlots; // guarded by guard
    private int free; // how many; written under guard
    private int tail; // of the requests; guarded by guard
    private long sequence; // guarded by guard
    private boolean pumping; // guarded by guard
    private boolean closed; // guarded by guard
    private volatile int underWay; // calls in slots; written under guard, read by all

    private Ring(Sys sys, int fd, MemorySegment parameters, MemorySegment rings, MemorySegment requests) {
        this.sys = sys;
        this.fd = fd;
        this.rings = rings;
        this.requests = requests;
        sqEntries = parameters.get(INT, 0);
        cqEntries = parameters.get(INT, 4);
        sqHead = parameters.get(INT, 40);
        sqTail = parameters.get(INT, 44);
        cqHead = parameters.get(INT, 80);
        cqTail = parameters.get(INT, 84);
        cqes = parameters.get(INT, 100);
        int array = parameters.get(INT, 64);
        for (int i = 0; i < sqEntries; i++) rings.set(INT, array + 4L * i, i);
        tail = rings.get(INT, sqTail);
        free = Math.min(cqEntries, 1 << SLOT_BITS);
        calls = new RingCall[free];
        freeSlots = new int[free];
        for (int i = 0; i < free; i++) freeSlots[i] = free - 1 - i;
    }

    /**
     * A new ring.
     *
     * @param sys makes the system calls
     * @return the ring
     * @throws RefusedException when the system has none for us
     */
    static Ring open(Sys sys) throws RefusedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parameters = arena.allocate(120, Long.BYTES);
            parameters.set(INT, 4, COMPLETIONS);
            parameters.set(INT, 8, Linux.IORING_SETUP_CQSIZE);
            int fd = sys.uringSetup(ENTRIES, parameters);
            if (fd < 0) throw new RefusedException(-fd);
            if ((parameters.get(INT, 20) & NEEDED) != NEEDED) {
                sys.close(fd);
                throw new RefusedException(Errno.ENOSYS);
            }
            long ringBytes = Math.max(
                    parameters.get(INT, 64) + 4L * parameters.get(INT, 0),
                    parameters.get(INT, 100) + (long) COMPLETION_BYTES * parameters.get(INT, 4));
            long requestBytes = (long) REQUEST_BYTES * parameters.get(INT, 0);
            long rings = sys.map(fd, ringBytes, Linux.IORING_OFF_SQ_RING);
            long requests = rings < 0 ? rings : sys.map(fd, requestBytes, Linux.IORING_OFF_SQES);
            if (requests < 0) {
                if (rings >= 0) sys.unmap(rings, ringBytes);
                sys.close(fd);
                throw new RefusedException((int) -requests);
            }
            return new Ring(
                    sys,
                    fd,
                    parameters,
                    MemorySegment.ofAddress(rings).reinterpret(ringBytes),
                    MemorySegment.ofAddress(requests).reinterpret(requestBytes));
        }
    }

    /** The system has no ring for us. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;
        final int error;

        RefusedException(int error) {
            super("io_uring: " + Errno.text(error));
            this.error = error;
        }

        /** Whether asking again is in vain: the system has no rings, or none for this process. */
        boolean isFinal() {
            return error != Errno.EMFILE && error != Errno.ENFILE && error != Errno.ENOMEM && error != Errno.EAGAIN;
        }
    }

    int number() {
        return fd;
    }

    /** How many calls have not been reaped. A hint. */
    int underWay() {
        return underWay;
    }

    // ---- putting up -------------------------------------------------------------------------------------------------

    /** Puts a call up. Any thread. It is completed later or before this returns; or not taken, when there is no room. */
    void put(RingCall call) {
        guard.acquire();
        boolean taken = !closed && free > 0 && tail - (int) SHARED_INT.getAcquire(rings, (long) sqHead) < sqEntries;
        boolean mine = taken && !pumping;
        if (taken) enter(call);
        if (mine) pumping = true;
        guard.release();
        if (!taken) call.complete();
        if (mine) pump();
    }

    private void enter(RingCall call) {
        int slot = freeSlots[--free];
        calls[slot] = call;
        underWay = calls.length - free;
        call.id = ++sequence << SLOT_BITS | slot; // R3
        long at = (long) REQUEST_BYTES * (tail & (sqEntries - 1));
        requests.asSlice(at, REQUEST_BYTES).fill((byte) 0);
        requests.set(BYTE, at, (byte) call.opcode);
        requests.set(INT, at + 4, call.fd);
        requests.set(LONG, at + 8, call.position);
        requests.set(LONG, at + 16, call.memory.address());
        requests.set(INT, at + 24, call.length);
        requests.set(INT, at + 28, call.flags);
        requests.set(LONG, at + 32, call.id);
        SHARED_INT.setRelease(rings, (long) sqTail, ++tail); // pairs with the system's read of the tail
    }

    private void pump() {
        boolean handedOver = false;
        try {
            while (true) {
                int count = waiting();
                if (count == 0) break;
                int taken = sys.uringEnter(fd, count, 0, 0);
                if (taken <= 0 && taken != -Errno.EINTR) takeBack(false);
            }
            handedOver = true;
        } finally {
            if (!handedOver) takeBack(true); // something was thrown: R1 must hold all the same
        }
    }

    /** How many requests the system has not taken; none: the caller pumps no more. */
    private int waiting() {
        guard.acquire();
        int count = tail - (int) SHARED_INT.getAcquire(rings, (long) sqHead);
        if (count == 0) pumping = false;
        guard.release();
        return count;
    }

    /** The system takes no more just now: those calls go another way. Who pumps only. */
    private void takeBack(boolean last) {
        List<RingCall> back = new ArrayList<>();
        guard.acquire();
        int head = (int) SHARED_INT.getAcquire(rings, (long) sqHead);
        for (int i = head; i != tail; i++) {
            RingCall call = free(requests.get(LONG, (long) REQUEST_BYTES * (i & (sqEntries - 1)) + 32));
            if (call != null) back.add(call);
        }
        tail = head;
        SHARED_INT.setRelease(rings, (long) sqTail, tail);
        if (last) pumping = false;
        guard.release();
        for (RingCall each : back) each.complete();
    }

    /** Frees a call's slot; under the guard. */
    private @Nullable RingCall free(long id) {
        int slot = (int) (id & ((1 << SLOT_BITS) - 1));
        RingCall call = slot < calls.length ? calls[slot] : null;
        if (call == null || call.id != id) return null;
        calls[slot] = null;
        freeSlots[free++] = slot;
        underWay = calls.length - free;
        return call;
    }

    // ---- reaping ----------------------------------------------------------------------------------------------------

    /** Completes the calls that are done. Any thread. @return how many */
    int reap() {
        int count = 0;
        for (RingCall done = next(); done != null; done = next()) {
            done.complete();
            count++;
        }
        return count;
    }

    /** Takes the next call that is done, with its result. @return null when there is none */
    private @Nullable RingCall next() {
        if (underWay == 0) return null;
        guard.acquire();
        try {
            if (closed) return null;
            RingCall call = null;
            int head = rings.get(INT, cqHead);
            while (call == null && head != (int) SHARED_INT.getAcquire(rings, (long) cqTail)) {
                long at = cqes + (long) COMPLETION_BYTES * (head & (cqEntries - 1));
                call = free(rings.get(LONG, at));
                if (call != null) call.result(rings.get(INT, at + 8));
                SHARED_INT.setRelease(rings, (long) cqHead, ++head); // after all was read
            }
            return call;
        } finally {
            guard.release();
        }
    }

    // ---- its end ----------------------------------------------------------------------------------------------------

    /** Waits until the system is done with every call, completes them, and closes the ring. Nobody puts up any more. */
    void close() {
        reap();
        while (underWay != 0) {
            sys.uringEnter(fd, 0, 1, Linux.IORING_ENTER_GETEVENTS);
            reap();
        }
        guard.acquire();
        boolean first = !closed;
        closed = true;
        guard.release();
        if (!first) return;
        sys.unmap(rings.address(), rings.byteSize());
        sys.unmap(requests.address(), requests.byteSize());
        sys.close(fd);
    }

    @Override
    public String toString() {
        return "Ring[" + underWay + " of " + calls.length + " under way]";
    }
}
