package dev.coir.net.internal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A socket of Linux, by its number. */
final class NativeSocket extends SocketHandle {
    /*
     * N1. After a read from TCP that brought less than was asked for there was nothing left, and whatever comes later is an
     *     edge. So the next read need not try before it waits, unless an event has come since: one system call less for each
     *     request. Two things break this: the end, which a read of data does not tell, and data out of turn, in front of which
     *     a read stops. Both show in the mask of an event; each either came before the last event was fetched, and was in its
     *     mask, or after, and is an edge of its own. From such a mask on, every read tries. Unix domain sockets are left out:
     *     there a read may stop between messages of different senders. Guarded by FaultTest and the contract tests.
     */
    private final Sys sys;
    private final NativeNet net;
    private final int fd;
    private final int family;
    private final boolean shortMeansEmpty; // N1
    private final MemorySegment readError = MemorySegment.ofArray(new int[1]); // who reads
    private final MemorySegment writeError = MemorySegment.ofArray(new int[1]); // who writes
    private final Spot readSpot = new Spot(); // who reads
    private final Spot writeSpot = new Spot(); // who writes
    private final @Nullable SockAddr sender; // who reads; of datagrams
    private final @Nullable SockAddr receiver; // who writes; of datagrams
    private boolean drained; // who reads: N1
    private volatile boolean alwaysTry; // set by the watcher: N1
    private boolean connecting; // who connects
    private volatile boolean listening; // set once, before anybody accepts
    private volatile @Nullable SocketAddress peer; // set before anybody else knows the stream

    NativeSocket(NativeNet net, int fd, int family, boolean isStream, @Nullable SocketAddress peer) {
        this.net = net;
        this.sys = net.sys;
        this.fd = fd;
        this.family = family;
        this.shortMeansEmpty = isStream && family != Linux.AF_UNIX && net.believesShortReads;
        this.peer = peer;
        this.sender = isStream ? null : new SockAddr();
        this.receiver = isStream ? null : new SockAddr();
    }

    @Override
    int number() {
        return fd;
    }

    @Override
    void distrustShortReads() {
        alwaysTry = true;
    }

    @Override
    Watcher preferredWatcher() {
        return net.watchers.preferred();
    }

    // ---- reading and writing ----------------------------------------------------------------------------------------

    @Override
    boolean isWorthReading() {
        return !drained || alwaysTry || isReady(READ); // N1
    }

    @Override
    boolean canPost() {
        return true;
    }

    @Override
    int tryRead(ByteBuffer into) throws IOException {
        int asked = Math.min(into.remaining(), NativeNet.MOST_BYTES);
        if (asked == 0) return 0;
        if (into.isReadOnly())
            throw new IllegalArgumentException("into: a read-only buffer (expected: one to write to)");
        beginTry(READ);
        long count;
        do {
            count = sys.recv(readError, fd, readSpot.of(into), asked);
        } while (count == -Errno.EINTR);
        if (count > 0) {
            into.position(into.position() + (int) count);
            drained = count < asked && shortMeansEmpty;
            return (int) count;
        }
        drained = false;
        if (count == 0) return END;
        if (count == -Errno.EAGAIN) return AGAIN;
        throw failure(readReason(), (int) -count);
    }

    @Override
    int tryWrite(ByteBuffer from) throws IOException {
        int asked = Math.min(from.remaining(), NativeNet.MOST_BYTES);
        long count;
        do {
            count = sys.send(writeError, fd, writeSpot.of(from), asked);
        } while (count == -Errno.EINTR);
        if (count >= 0) {
            from.position(from.position() + (int) count);
            return (int) count;
        }
        if (count == -Errno.EAGAIN) return AGAIN;
        throw failure(writeReason(), (int) -count);
    }

    @Override
    long tryRead(ByteBuffer[] into, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!into[i].hasRemaining()) continue;
            int count = tryRead(into[i]);
            if (count < 0) return sum == 0 ? count : sum; // what ended or failed will do so again
            sum += count;
            if (into[i].hasRemaining()) break;
        }
        return sum;
    }

    @Override
    long tryWrite(ByteBuffer[] from, int offset, int length) throws IOException {
        if (length == 1) return tryWrite(from[offset]);
        Gather gather = Gather.take();
        try {
            MemorySegment message = gather.of(from, offset, length, NativeNet.MOST_BYTES);
            long count;
            do {
                count = sys.sendmsg(writeError, fd, message);
            } while (count == -Errno.EINTR);
            if (count == -Errno.EAGAIN) return AGAIN;
            if (count < 0) throw failure(writeReason(), (int) -count);
            Gather.skip(from, offset, count);
            return count;
        } finally {
            gather.giveBack();
        }
    }

    @Override
    boolean canSend(FileHandle file) {
        return file instanceof NativeFile;
    }

    @Override
    long trySendFile(FileHandle file, long position, long count) throws IOException {
        int from = ((NativeFile) file).number();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocateFrom(ValueLayout.JAVA_LONG, position);
            long moved;
            do {
                moved = sys.sendfile(fd, from, offset, Math.min(count, NativeNet.MOST_FILE_BYTES));
            } while (moved == -Errno.EINTR);
            if (moved >= 0) return moved;
            if (moved == -Errno.EAGAIN) return AGAIN;
            if (moved == -Errno.EINVAL) file.read(ByteBuffer.allocate(1), position); // throws, if it is a directory
            throw failure("sending " + file + ", " + writeReason(), (int) -moved);
        }
    }

    /** What a failed call is thrown as; those inside a socket that was closed learn that and nothing else. */
    private IOException failure(String what, int error) {
        if (isClosed()) return new AsynchronousCloseException();
        return error == Errno.EPIPE && isOutputEnded() ? afterEnd(what) : Errno.exception(what, error);
    }

    // ---- datagrams --------------------------------------------------------------------------------------------------

    @Override
    @Nullable
    SocketAddress tryReceive(ByteBuffer into) throws IOException {
        if (into.isReadOnly())
            throw new IllegalArgumentException("into: a read-only buffer (expected: one to write to)");
        SockAddr from = Objects.requireNonNull(sender).clear();
        int asked = Math.min(into.remaining(), NativeNet.MOST_BYTES);
        beginTry(READ);
        long count;
        do {
            count = sys.recvfrom(readError, fd, readSpot.of(into), asked, from.address, from.lengthSegment);
        } while (count == -Errno.EINTR);
        if (count == -Errno.EAGAIN) return null;
        if (count < 0) throw failure(readReason(), (int) -count);
        into.position(into.position() + (int) Math.min(count, asked));
        return from.get();
    }

    @Override
    boolean trySend(ByteBuffer from, SocketAddress to) throws IOException {
        SockAddr address = Objects.requireNonNull(receiver).put(to, family);
        long count;
        do {
            count = sys.sendto(writeError, fd, writeSpot.of(from), from.remaining(), address.address, address.length());
        } while (count == -Errno.EINTR);
        if (count == -Errno.EAGAIN) return false;
        if (count < 0) throw failure("sending " + from.remaining() + " bytes to " + to, (int) -count);
        from.position(from.limit());
        return true;
    }

    // ---- connecting and accepting -----------------------------------------------------------------------------------

    @Override
    boolean tryConnect(SocketAddress to) throws IOException {
        peer = to;
        var address = new SockAddr().put(to, family);
        int result;
        do {
            result = sys.connect(fd, address.address, address.length());
        } while (result == -Errno.EINTR);
        connecting = result == -Errno.EINPROGRESS || result == -Errno.EALREADY;
        if (result == 0 || result == -Errno.EISCONN) return true;
        if (connecting || (result == -Errno.EAGAIN && family == Linux.AF_UNIX)) return false; // its backlog is full
        throw failure("connecting to " + to, -result);
    }

    @Override
    boolean isConnecting() {
        return connecting;
    }

    @Override
    boolean tryFinishConnect() throws IOException {
        int error = intOption(Linux.SOL_SOCKET, Linux.SO_ERROR);
        if (error != 0) throw failure("connecting to " + peer, error);
        var address = new SockAddr();
        int result = sys.getpeername(fd, address.address, address.lengthSegment);
        if (result == -Errno.ENOTCONN) return false; // woken for nothing
        if (result < 0) throw failure("connecting to " + peer, -result);
        return true;
    }

    @Override
    @Nullable
    SocketHandle tryAccept() throws IOException {
        var address = new SockAddr();
        while (true) {
            int accepted = sys.accept(fd, address.address, address.clear().lengthSegment);
            if (accepted >= 0) return new NativeSocket(net, accepted, family, true, address.get());
            if (accepted == -Errno.EAGAIN) return null;
            boolean gone = accepted == -Errno.EINTR || accepted == -Errno.ECONNABORTED || accepted == -Errno.EPROTO;
            if (!gone) throw failure(readReason(), -accepted); // else the first in line has left it
        }
    }

    @Override
    boolean isExhaustion(IOException failure) {
        return failure instanceof OutOfDescriptorsException;
    }

    // ---- short calls ------------------------------------------------------------------------------------------------

    @Override
    void doBind(SocketAddress to) throws IOException {
        var address = new SockAddr().put(to, family);
        int result = sys.bind(fd, address.address, address.length());
        if (result < 0) throw failure("binding to " + to, -result);
    }

    @Override
    void doListen(int backlog) throws IOException {
        listening = true;
        int result = sys.listen(fd, backlog);
        if (result < 0) throw failure("listening", -result);
    }

    @Override
    void doShutdown(boolean input) throws IOException {
        int result = sys.shutdown(fd, input ? Linux.SHUT_RD : Linux.SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) throw failure("ending a direction of " + this, -result);
        if (input) ready(READ); // who reads finds the end
    }

    @Override
    <T> void doSetOption(SocketOption<T> option, T value) throws IOException {
        NativeOptions.set(this, option, value);
    }

    @Override
    <T> T doGetOption(SocketOption<T> option) throws IOException {
        return NativeOptions.get(this, option);
    }

    @Override
    public Set<SocketOption<?>> options() {
        return NativeOptions.all();
    }

    boolean isIpv6() {
        return family == Linux.AF_INET6;
    }

    int intOption(int level, int name) throws IOException {
        return options(level, name, 1)[0];
    }

    int[] options(int level, int name, int count) throws IOException {
        int[] value = new int[count];
        MemorySegment length = MemorySegment.ofArray(new int[] {4 * count});
        int result = sys.getsockopt(fd, level, name, MemorySegment.ofArray(value), length);
        if (result < 0) throw failure("asking for an option of " + this, -result);
        return value;
    }

    void setOptions(int level, int name, int... value) throws IOException {
        int result = sys.setsockopt(fd, level, name, MemorySegment.ofArray(value), 4 * value.length);
        if (result < 0) throw failure("setting an option of " + this, -result);
    }

    @Override
    SocketAddress doLocalAddress() throws IOException {
        var address = new SockAddr();
        int result = sys.getsockname(fd, address.address, address.lengthSegment);
        if (result < 0) throw failure("asking for the address of " + this, -result);
        return address.get();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return peer;
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    void expel() {
        sys.shutdown(fd, Linux.SHUT_RDWR); // the other side learns it now, and a listener's port is free
    }

    @Override
    void release() {
        unwatch();
        sys.close(fd);
    }

    @Override
    String describe(boolean reading) {
        if (listening) {
            try {
                return "accepting at " + doLocalAddress();
            } catch (IOException closed) {
                return "accepting";
            }
        }
        if (sender != null) return reading ? "receiving datagrams" : "sending datagrams";
        SocketAddress other = peer;
        String who = other == null || other.toString().isEmpty() ? "a connection" : other.toString();
        return (reading ? "reading from " : "writing to ") + who;
    }

    @Override
    public String toString() {
        SocketAddress other = peer;
        return "socket " + fd + (other == null ? "" : " of " + other);
    }
}
