package dev.coir.net;

import dev.coir.net.internal.SocketHandle;
import dev.coir.sync.Mutex;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** TLS between a stream and its socket, by the JDK's engine. */
final class Tls {
    /*
     * T1. `reading` guards what comes in, `writing` what goes out. Who needs both takes `reading` first: the reader, when the
     *     engine wants to answer something (a new key, a last greeting). A writer never waits for what comes in once the
     *     handshake is done: TLS 1.3 has no second handshake, and that of TLS 1.2 is refused.
     * T2. `incoming` lies flipped between reads: from its position on is what has come and was not yet unwrapped. `plain` is
     *     flipped as well: what was unwrapped and not yet asked for.
     * T3. The end without a last greeting is an error: somebody in between may have cut the connection.
     */
    private final SocketHandle handle;
    private final SSLEngine engine;
    private final Mutex reading = new Mutex();
    private final Mutex writing = new Mutex();
    private ByteBuffer incoming; // guarded by reading
    private ByteBuffer plain; // guarded by reading
    private ByteBuffer outgoing; // guarded by writing
    private boolean ended; // guarded by reading
    private boolean outputEnded; // guarded by writing

    Tls(SocketHandle handle, SSLEngine engine) {
        this.handle = handle;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        incoming = ByteBuffer.allocate(packet).flip();
        outgoing = ByteBuffer.allocate(packet);
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .flip();
    }

    SSLEngine engine() {
        return engine;
    }

    // ---- the handshake ----------------------------------------------------------------------------------------------

    void handshake(long readTimeoutNanos, long writeTimeoutNanos) throws IOException {
        lock(reading);
        try {
            lock(writing);
            try {
                engine.beginHandshake();
                negotiate(engine.getHandshakeStatus(), readTimeoutNanos, writeTimeoutNanos);
            } finally {
                writing.unlock();
            }
        } finally {
            reading.unlock();
        }
    }

    private void negotiate(HandshakeStatus from, long readTimeoutNanos, long writeTimeoutNanos) throws IOException {
        HandshakeStatus status = from;
        while (true) {
            switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(ByteBuffer.allocate(0), writeTimeoutNanos);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap(readTimeoutNanos)) {
                        throw new SSLException(
                                "TLS handshake over " + handle + ": the other side ended the connection");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
            status = engine.getHandshakeStatus();
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = engine.getDelegatedTask()) != null) task.run();
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    int read(ByteBuffer into, long readTimeoutNanos, long writeTimeoutNanos) throws IOException {
        if (!into.hasRemaining()) return 0;
        lock(reading);
        try {
            while (!plain.hasRemaining()) {
                if (ended || !unwrap(readTimeoutNanos)) {
                    ended = true;
                    return -1;
                }
                answer(writeTimeoutNanos);
            }
            int count = Math.min(into.remaining(), plain.remaining());
            into.put(into.position(), plain, plain.position(), count);
            into.position(into.position() + count);
            plain.position(plain.position() + count);
            return count;
        } finally {
            reading.unlock();
        }
    }

    /** The engine may have something to say about what it has unwrapped. */
    private void answer(long writeTimeoutNanos) throws IOException {
        while (true) {
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (status == HandshakeStatus.NEED_WRAP) {
                lock(writing);
                try {
                    wrap(ByteBuffer.allocate(0), writeTimeoutNanos);
                } finally {
                    writing.unlock();
                }
            } else {
                return;
            }
        }
    }

    /** Unwraps one record, and waits until it is there. @return false at the end */
    private boolean unwrap(long timeoutNanos) throws IOException {
        while (true) {
            plain.compact();
            SSLEngineResult result;
            try {
                result = engine.unwrap(incoming, plain);
            } finally {
                plain.flip();
            }
            switch (result.getStatus()) {
                case OK -> {
                    return true;
                }
                case CLOSED -> {
                    return plain.hasRemaining();
                }
                case BUFFER_OVERFLOW -> plain = grow(plain, engine.getSession().getApplicationBufferSize());
                case BUFFER_UNDERFLOW -> {
                    if (!receive(timeoutNanos)) {
                        return false;
                    }
                }
            }
        }
    }

    private boolean receive(long timeoutNanos) throws IOException {
        int packet = engine.getSession().getPacketBufferSize();
        if (incoming.remaining() == incoming.capacity()) incoming = grow(incoming, packet);
        incoming.compact();
        int count;
        try {
            count = handle.read(incoming, timeoutNanos);
        } finally {
            incoming.flip();
        }
        if (count >= 0) return true;
        try {
            engine.closeInbound(); // T3
        } catch (SSLException cut) {
            throw new SSLException(
                    "the connection with " + handle.remoteAddress()
                            + " ended without TLS's close_notify: what was read may be cut short",
                    cut);
        }
        return false;
    }

    private static ByteBuffer grow(ByteBuffer flipped, int more) {
        return ByteBuffer.allocate(flipped.capacity() + more).put(flipped).flip();
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    int write(ByteBuffer from, long timeoutNanos) throws IOException {
        int start = from.position();
        lock(writing);
        try {
            while (from.hasRemaining()) {
                int before = from.remaining();
                wrap(from, timeoutNanos);
                if (from.remaining() == before && engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
                    throw new SSLException("writing to " + handle.remoteAddress()
                            + ": the other side wants a second handshake, which is refused"); // T1
                }
            }
            return from.position() - start;
        } finally {
            writing.unlock();
        }
    }

    private void wrap(ByteBuffer from, long timeoutNanos) throws IOException {
        wrapOnce(from);
        handle.write(outgoing, timeoutNanos);
    }

    private void wrapOnce(ByteBuffer from) throws IOException {
        outgoing.clear();
        SSLEngineResult result = engine.wrap(from, outgoing);
        while (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            outgoing = ByteBuffer.allocate(
                    outgoing.capacity() + engine.getSession().getPacketBufferSize());
            result = engine.wrap(from, outgoing);
        }
        outgoing.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new SSLException("writing to " + handle.remoteAddress()
                    + (outputEnded ? SocketHandle.OUTPUT_ENDED : ": the other side has ended TLS; connect again"));
        }
    }

    // ---- its end ----------------------------------------------------------------------------------------------------

    /** Says that nothing more will come from here. */
    void endOutput(long timeoutNanos) throws IOException {
        lock(writing);
        try {
            outputEnded = true;
            if (engine.isOutboundDone()) return;
            engine.closeOutbound();
            wrap(ByteBuffer.allocate(0), timeoutNanos);
        } finally {
            writing.unlock();
        }
    }

    /** As endOutput, if nobody writes and there is room: who closes does not wait. */
    void tryEndOutput() {
        if (!writing.tryLock()) return;
        try {
            if (engine.isOutboundDone()) return;
            engine.closeOutbound();
            wrapOnce(ByteBuffer.allocate(0));
            handle.writeWithoutWaiting(outgoing);
        } catch (IOException broken) {
            // the other side will find it out
        } finally {
            writing.unlock();
        }
    }

    private static void lock(Mutex mutex) throws InterruptedIOException {
        try {
            mutex.lockInterruptibly();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while another party used the stream");
        }
    }
}
