package dev.coir.net.internal;

import dev.coir.internal.StackRoom;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Has the system read and write files while the calling party waits: by the ring of the poller that serves the party. */
final class RingFiles {
    /** By which way files are read and written. */
    enum Way {
        /** By a ring where the system has one for us, else by blocking calls. */
        AUTO,
        /** By blocking calls. */
        BLOCKING,
        /** By a ring, or not at all. */
        URING;

        static Way of(String wish) {
            return switch (wish) {
                case "auto" -> AUTO;
                case "blocking" -> BLOCKING;
                case "uring" -> URING;
                default ->
                    throw new IllegalArgumentException("coir.files: " + wish + " (expected: auto, blocking or uring)");
            };
        }
    }

    private final Sys sys;
    private final Watchers watchers;
    private final Way way;
    private volatile Ring.@Nullable RefusedException refusal; // the last; set by whoever was refused

    RingFiles(Sys sys, Watchers watchers, Way way) {
        this.sys = sys;
        this.watchers = watchers;
        this.way = way;
    }

    /**
     * Whoever opens a file learns here that it cannot be used as was wished.
     *
     * @throws IOException when rings were demanded and the system has none for us
     */
    void ensureAsWished() throws IOException {
        if (way != Way.URING) return;
        try {
            Ring.open(sys).close();
        } catch (Ring.RefusedException refused) {
            throw new IOException(
                    "coir.files=uring, but the system refused: " + refused.getMessage()
                            + " (expected: Linux 5.7 or later, sysctl kernel.io_uring_disabled=0, a container that allows it;"
                            + " or leave -Dcoir.files out)",
                    refused);
        }
    }

    /**
     * Whether writes and forcing are made here as well. The system hands them to threads of its own, which takes longer than a
     * call that blocks (ADR 0023), so only when that was demanded.
     */
    boolean isUsableForWrites() {
        return way == Way.URING && isUsable();
    }

    /** Whether it is worth making a call; else a blocking one is to be made. */
    boolean isUsable() {
        Ring.RefusedException last = refusal;
        return way != Way.BLOCKING && (last == null || !last.isFinal()) && !Whereabouts.isOwnThread();
    }

    /**
     * Makes a call and waits until the system is done with it, whatever happens: its memory is the caller's again.
     *
     * @param call new
     * @param reason what for
     * @return what the system returned, or minus the error number; NOT_TAKEN when a blocking call must decide
     * @throws InterruptedIOException when interrupted or cancelled; it tells how many bytes were moved nevertheless
     */
    int make(RingCall call, String reason) throws IOException {
        StackRoom.ensureMore(); // it must be waited for
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + reason);
        EpollPoller poller = pollerOfCaller();
        if (!put(poller, call)) return RingCall.NOT_TAKEN;
        if (!call.await(reason, true)) {
            put(poller, RingCall.cancelling(call)); // for those that still stand in line
            call.await(reason, false);
            var interrupted = new InterruptedIOException("interrupted while " + reason);
            interrupted.bytesTransferred = Math.max(0, call.result());
            throw interrupted;
        }
        return switch (-call.result()) {
            // the system's thread has gone, or this kernel or file system cannot: the blocking call knows what is true
            case Errno.EINTR, Errno.EAGAIN, Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ECANCELED -> RingCall.NOT_TAKEN;
            default -> call.result();
        };
    }

    private EpollPoller pollerOfCaller() throws IOException {
        try {
            return (EpollPoller) watchers.preferred();
        } catch (UncheckedIOException e) { // there may be no descriptors left for a poller
            throw e.getCause();
        }
    }

    private boolean put(EpollPoller poller, RingCall call) {
        try {
            return poller.put(call);
        } catch (Ring.RefusedException refused) {
            refusal = refused;
            return false;
        }
    }
}
