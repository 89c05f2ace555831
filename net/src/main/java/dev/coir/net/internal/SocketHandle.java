package dev.coir.net.internal;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Waiter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A socket. What is called try makes one attempt and never waits; the rest waits between attempts. */
public abstract class SocketHandle extends Handle {
    /** Nothing can be moved just now. */
    static final int AGAIN = -2;

    /** The other side sends no more. */
    static final int END = -1;

    /** Why who writes after shutdownOutput cannot; follows what was tried. */
    public static final String OUTPUT_ENDED =
            ": this side has ended its output (shutdownOutput); write before that, or connect again";

    private static final long SHORTEST_BACK_OFF_NANOS = 2_000_000;
    private static final long LONGEST_BACK_OFF_NANOS = 250_000_000;

    private volatile @Nullable String readReason; // made when first needed
    private volatile @Nullable String writeReason;
    private volatile @Nullable PostedWrite posted; // made when first needed; any will do
    private volatile boolean outputEnded; // set before the system is told, so that who fails for it knows why

    SocketHandle() {}

    // ---- one attempt; the party that is inside that direction -------------------------------------------------------

    /** Whether a first attempt to read may bring something; else it is better to wait at once. */
    abstract boolean isWorthReading();

    abstract int tryRead(ByteBuffer into) throws IOException;

    abstract int tryWrite(ByteBuffer from) throws IOException;

    abstract long tryRead(ByteBuffer[] into, int offset, int length) throws IOException;

    abstract long tryWrite(ByteBuffer[] from, int offset, int length) throws IOException;

    /** Takes a connection. @return null when there is none just now */
    abstract @Nullable SocketHandle tryAccept() throws IOException;

    /** Begins to connect. @return whether it is connected already */
    abstract boolean tryConnect(SocketAddress to) throws IOException;

    /** Asks what became of a connect. @return false when it is still under way */
    abstract boolean tryFinishConnect() throws IOException;

    /** Takes a datagram. @return who sent it; null when there is none just now */
    abstract @Nullable SocketAddress tryReceive(ByteBuffer into) throws IOException;

    /** Sends a datagram. @return false when there is no room just now */
    abstract boolean trySend(ByteBuffer from, SocketAddress to) throws IOException;

    // ---- short calls ------------------------------------------------------------------------------------------------

    abstract void doBind(SocketAddress to) throws IOException;

    abstract void doListen(int backlog) throws IOException;

    abstract void doShutdown(boolean input) throws IOException;

    abstract <T> void doSetOption(SocketOption<T> option, T value) throws IOException;

    abstract <T> T doGetOption(SocketOption<T> option) throws IOException;

    abstract SocketAddress doLocalAddress() throws IOException;

    /**
     * The other side.
     *
     * @return its address; null when there is none
     */
    public abstract @Nullable SocketAddress remoteAddress();

    /**
     * Which options it has.
     *
     * @return the options
     */
    public abstract Set<SocketOption<?>> options();

    /**
     * Whether the accept error is that descriptors have run out.
     *
     * @param failure what tryAccept threw
     * @return true when waiting may help
     */
    abstract boolean isExhaustion(IOException failure);

    // ---- streams ----------------------------------------------------------------------------------------------------

    /**
     * Reads what there is, and waits until there is something.
     *
     * @param into where to
     * @param timeoutNanos how long to wait; 0 for ever
     * @return how many bytes; -1 at the end
     * @throws IOException when that fails
     */
    public final int read(ByteBuffer into, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + readReason());
        enter(READ, timeoutNanos);
        try {
            return readInside(into, isWorthReading() || !into.hasRemaining(), 0, timeoutNanos);
        } finally {
            leave(READ);
        }
    }

    /** @param deadline 0 when the time begins now */
    final int readInside(ByteBuffer into, boolean tryFirst, long deadline, long timeoutNanos) throws IOException {
        int count = tryFirst ? tryRead(into) : AGAIN;
        if (count == AGAIN) {
            long end = deadline == 0 ? deadlineIn(timeoutNanos) : deadline;
            do {
                await(READ, readReason(), end, timeoutNanos);
                count = tryRead(into);
            } while (count == AGAIN);
        }
        if (count == END) ensureStillOpen();
        return count;
    }

    /**
     * Reads what there is into several buffers, and waits until there is something.
     *
     * @param into where to
     * @param offset the first of them
     * @param length how many of them
     * @param timeoutNanos how long to wait; 0 for ever
     * @return how many bytes; -1 at the end
     * @throws IOException when that fails
     */
    public final long read(ByteBuffer[] into, int offset, int length, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + readReason());
        enter(READ, timeoutNanos);
        try {
            long count = isWorthReading() || !hasRoom(into, offset, length) ? tryRead(into, offset, length) : AGAIN;
            if (count == AGAIN) {
                long deadline = deadlineIn(timeoutNanos);
                do {
                    await(READ, readReason(), deadline, timeoutNanos);
                    count = tryRead(into, offset, length);
                } while (count == AGAIN);
            }
            if (count == END) ensureStillOpen();
            return count;
        } finally {
            leave(READ);
        }
    }

    private static boolean hasRoom(ByteBuffer[] into, int offset, int length) {
        for (int i = offset; i < offset + length; i++) if (into[i].hasRemaining()) return true;
        return false;
    }

    /**
     * Writes everything.
     *
     * @param from where from
     * @param timeoutNanos how long to wait for room at a time; 0 for ever
     * @return how many bytes
     * @throws IOException when that fails; the buffer's position tells how much was written
     */
    public final int write(ByteBuffer from, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + writeReason());
        int start = from.position();
        enter(WRITE, timeoutNanos);
        try {
            writeInside(from, start, timeoutNanos);
            return from.position() - start;
        } finally {
            leave(WRITE);
        }
    }

    final void writeInside(ByteBuffer from, int start, long timeoutNanos) throws IOException {
        try {
            long deadline = 0; // known when first needed after progress
            while (from.hasRemaining()) {
                if (tryWrite(from) == AGAIN) {
                    if (deadline == 0) deadline = deadlineIn(timeoutNanos);
                    await(WRITE, writeReason(), deadline, timeoutNanos);
                } else if (from.hasRemaining()) {
                    deadline = 0;
                    ensureStillOpen();
                }
            }
        } catch (InterruptedIOException e) {
            e.bytesTransferred = from.position() - start;
            throw e;
        }
    }

    /**
     * Writes everything, and then reads what there is and waits until there is something. While the carrier has other fibers to run, the
     * write waits for them, and so does the party, for the answer already.
     *
     * @param out what to write
     * @param in where to read to
     * @param writeNanos how long to wait for room at a time; 0 for ever
     * @param readNanos how long to wait for input; 0 for ever
     * @return how many bytes were read; -1 at the end
     * @throws IOException when that fails; out's position tells how much was written
     */
    public final int exchange(ByteBuffer out, ByteBuffer in, long writeNanos, long readNanos) throws IOException {
        if (out.hasRemaining() && in.hasRemaining() && canPost()) {
            StackRoom.ensureMore(); // what is entered must be left from this depth
            if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + writeReason());
            int count = posted().tryExchange(out, in, writeNanos, readNanos);
            if (count != AGAIN) return count;
        }
        if (out.hasRemaining()) write(out, writeNanos);
        return read(in, readNanos);
    }

    private PostedWrite posted() {
        PostedWrite made = posted;
        if (made == null) posted = made = new PostedWrite(this);
        return made;
    }

    /** Whether any thread may make an attempt to write in the place of who is inside, interrupted or not. */
    boolean canPost() {
        return false;
    }

    /**
     * Writes everything of several buffers.
     *
     * @param from where from
     * @param offset the first of them
     * @param length how many of them
     * @param timeoutNanos how long to wait for room at a time; 0 for ever
     * @return how many bytes
     * @throws IOException when that fails; the buffers' positions tell how much was written
     */
    public final long write(ByteBuffer[] from, int offset, int length, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + writeReason());
        long written = 0;
        enter(WRITE, timeoutNanos);
        try {
            long deadline = 0; // known when first needed after progress
            int first = offset;
            while (true) {
                while (first < offset + length && !from[first].hasRemaining()) first++;
                if (first == offset + length) return written;
                if (written != 0) ensureStillOpen();
                long count = tryWrite(from, first, offset + length - first);
                if (count == AGAIN) {
                    if (deadline == 0) deadline = deadlineIn(timeoutNanos);
                    await(WRITE, writeReason(), deadline, timeoutNanos);
                } else {
                    deadline = 0;
                    written += count;
                }
            }
        } catch (InterruptedIOException e) {
            e.bytesTransferred = (int) Math.min(Integer.MAX_VALUE, written);
            throw e;
        } finally {
            leave(WRITE);
        }
    }

    /**
     * Sends a part of a file, from inside of which the caller calls.
     *
     * @param file which
     * @param position where it begins
     * @param count how many bytes at most
     * @param timeoutNanos how long to wait for room at a time; 0 for ever
     * @return how many bytes; -1 when this socket cannot send that file itself
     * @throws IOException when that fails
     */
    public final long sendFile(FileHandle file, long position, long count, long timeoutNanos) throws IOException {
        if (!canSend(file)) return -1;
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + writeReason());
        long sent = 0;
        enter(WRITE, timeoutNanos);
        try {
            long deadline = 0; // known when first needed after progress
            while (sent < count) {
                long moved = trySendFile(file, position + sent, count - sent);
                if (moved == 0) break;
                if (moved == AGAIN) {
                    if (deadline == 0) deadline = deadlineIn(timeoutNanos);
                    await(WRITE, writeReason(), deadline, timeoutNanos);
                } else {
                    deadline = 0;
                    sent += moved;
                }
                ensureStillOpen();
            }
            return sent;
        } finally {
            leave(WRITE);
        }
    }

    /** Whether it can send from such a file itself. */
    abstract boolean canSend(FileHandle file);

    /** Sends from a file. May wait for the disk, not for room. @return how many bytes; 0 at the end of the file; AGAIN */
    abstract long trySendFile(FileHandle file, long position, long count) throws IOException;

    /**
     * Connects. When that fails, the handle is good for nothing but being closed.
     *
     * @param to the other side
     * @param timeoutNanos how long to wait; 0 for ever
     * @throws IOException when that fails
     */
    public final void connect(SocketAddress to, long timeoutNanos) throws IOException {
        String reason = "connecting to " + to;
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + reason);
        long deadline = deadlineIn(timeoutNanos);
        enter(WRITE, 0);
        try {
            long backOff = SHORTEST_BACK_OFF_NANOS;
            boolean connected = tryConnect(to);
            while (!connected) {
                Waiter.Outcome how =
                        isConnecting() ? awaitUntil(WRITE, reason, deadline) : pause(WRITE, reason, backOff, deadline);
                if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedIOException("interrupted while " + reason);
                if (how == Waiter.Outcome.TIMED_OUT) throw timedOut(reason, timeoutNanos);
                backOff = Math.min(2 * backOff, LONGEST_BACK_OFF_NANOS);
                beginTry(WRITE);
                connected = isConnecting() ? tryFinishConnect() : tryConnect(to);
            }
        } finally {
            leave(WRITE);
        }
    }

    /** Whether the system goes on with a connect that was begun; else it must be begun again. */
    abstract boolean isConnecting();

    /**
     * Takes a connection, and waits until there is one. While there are no descriptors left it waits longer and longer, and
     * tries again.
     *
     * @param timeoutNanos how long to wait; 0 for ever
     * @return the connection
     * @throws IOException when that fails
     */
    public final SocketHandle accept(long timeoutNanos) throws IOException {
        String reason = readReason();
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + reason);
        enter(READ, timeoutNanos);
        try {
            long deadline = deadlineIn(timeoutNanos);
            long backOff = 0;
            while (true) {
                beginTry(READ);
                Waiter.Outcome how;
                try {
                    SocketHandle accepted = tryAccept();
                    if (accepted != null) return accepted;
                    how = awaitUntil(READ, reason, deadline);
                } catch (IOException failure) {
                    if (!isExhaustion(failure)) throw failure;
                    ensureStillOpen();
                    if (backOff == 0) Exhaustion.report(this, failure);
                    backOff = Math.max(SHORTEST_BACK_OFF_NANOS, Math.min(2 * backOff, LONGEST_BACK_OFF_NANOS));
                    how = pause(READ, "a descriptor for " + reason, backOff, deadline);
                }
                if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedIOException("interrupted while " + reason);
                if (how == Waiter.Outcome.TIMED_OUT) throw timedOut(reason, timeoutNanos);
            }
        } finally {
            leave(READ);
        }
    }

    /**
     * Takes a datagram, and waits until there is one.
     *
     * @param into where to; what does not fit is lost
     * @param timeoutNanos how long to wait; 0 for ever
     * @return who sent it
     * @throws IOException when that fails
     */
    public final SocketAddress receive(ByteBuffer into, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before " + readReason());
        enter(READ, timeoutNanos);
        try {
            SocketAddress from = tryReceive(into);
            if (from != null) return from;
            long deadline = deadlineIn(timeoutNanos);
            while (from == null) {
                await(READ, readReason(), deadline, timeoutNanos);
                from = tryReceive(into);
            }
            return from;
        } finally {
            leave(READ);
        }
    }

    /**
     * Sends a datagram, and waits until there is room.
     *
     * @param from what to send, all of it
     * @param to whom
     * @param timeoutNanos how long to wait; 0 for ever
     * @throws IOException when that fails
     */
    public final void send(ByteBuffer from, SocketAddress to, long timeoutNanos) throws IOException {
        if (Interrupts.take()) throw new InterruptedIOException("interrupted before sending to " + to);
        enter(WRITE, timeoutNanos);
        try {
            if (trySend(from, to)) return;
            long deadline = deadlineIn(timeoutNanos);
            do {
                await(WRITE, "sending to " + to, deadline, timeoutNanos);
            } while (!trySend(from, to));
        } finally {
            leave(WRITE);
        }
    }

    /**
     * Writes as much as there is room for, and only if nobody else writes. Never waits.
     *
     * @param from where from
     * @throws IOException when that fails
     */
    public final void writeWithoutWaiting(ByteBuffer from) throws IOException {
        if (!tryEnter(WRITE)) return;
        try {
            tryWrite(from);
        } finally {
            leave(WRITE);
        }
    }

    /** Waits for a while, or until the handle is closed. An event ends it as well: it may be that one. */
    private Waiter.Outcome pause(int direction, String reason, long nanos, long deadline) throws IOException {
        long until = Waiter.deadlineIn(nanos);
        boolean isLast = deadline != Long.MAX_VALUE && deadline - until <= 0;
        Waiter.Outcome how = awaitUntil(direction, reason, isLast ? deadline : until);
        return how == Waiter.Outcome.TIMED_OUT && !isLast ? Waiter.Outcome.SIGNALLED : how;
    }

    // ---- the rest ---------------------------------------------------------------------------------------------------

    /**
     * Gives it an address.
     *
     * @param to the address
     * @throws IOException when that fails
     */
    public final void bind(SocketAddress to) throws IOException {
        use();
        try {
            doBind(to);
        } finally {
            endUse();
        }
    }

    /**
     * Makes it listen.
     *
     * @param backlog how many may wait to be accepted
     * @throws IOException when that fails
     */
    public final void listen(int backlog) throws IOException {
        use();
        try {
            doListen(backlog);
        } finally {
            endUse();
        }
    }

    /**
     * Ends one direction.
     *
     * @param input which one
     * @throws IOException when that fails
     */
    public final void shutdown(boolean input) throws IOException {
        use();
        try {
            if (!input) outputEnded = true;
            doShutdown(input);
        } finally {
            endUse();
        }
    }

    /**
     * Sets an option.
     *
     * @param <T> its type
     * @param option which one
     * @param value to what
     * @throws IOException when that fails
     */
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        use();
        try {
            doSetOption(option, value);
        } finally {
            endUse();
        }
    }

    /**
     * Asks for an option.
     *
     * @param <T> its type
     * @param option which one
     * @return its value
     * @throws IOException when that fails
     */
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        use();
        try {
            return doGetOption(option);
        } finally {
            endUse();
        }
    }

    /**
     * Its own address.
     *
     * @return the address
     * @throws IOException when that fails
     */
    public final SocketAddress localAddress() throws IOException {
        use();
        try {
            return doLocalAddress();
        } finally {
            endUse();
        }
    }

    /**
     * Whether somebody is inside just now.
     *
     * @return true while somebody reads, writes or makes a short call
     */
    public final boolean isInUse() {
        return isBusy();
    }

    /** Closes it, whoever is inside. */
    public final void closeNow() {
        close();
    }

    /**
     * Whether nobody has closed it.
     *
     * @return true until then
     */
    public final boolean isOpen() {
        return !isClosed();
    }

    final boolean isOutputEnded() {
        return outputEnded;
    }

    /** What a write becomes that fails because this side has ended its output. */
    final SocketException afterEnd(String what) {
        return new SocketException(what + OUTPUT_ENDED);
    }

    /** What reading from it is called. */
    final String readReason() {
        String made = readReason;
        if (made == null) readReason = made = describe(true);
        return made;
    }

    final String writeReason() {
        String made = writeReason;
        if (made == null) writeReason = made = describe(false);
        return made;
    }

    /** "reading from /192.0.2.1:80". */
    abstract String describe(boolean reading);

    @Override
    final String turnReason(int direction) {
        return "line for " + (direction == READ ? readReason() : writeReason());
    }

    static SocketException unsupported(SocketOption<?> option, Object who) {
        return new SocketException("option " + option.name() + ": " + who + " has none of this name");
    }
}
