package dev.coir.net;

import dev.coir.net.internal.FileHandle;
import dev.coir.net.internal.Net;
import dev.coir.net.internal.SocketHandle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection: over TCP, or between processes of one machine over a Unix domain socket. It reads and writes as if it blocked,
 * and gives its worker to others while it waits. One party may read while another writes; a second reader waits until the
 * first has returned, and so does a second writer, so that what each writes stays together.
 *
 * {@snippet :
 * try (TcpStream stream = TcpStream.connect(new InetSocketAddress("example.org", 80), Duration.ofSeconds(5))) {
 *     stream.write(ByteBuffer.wrap("GET / HTTP/1.0\r\n\r\n".getBytes()));
 *     stream.inputStream().transferTo(System.out);
 * }
 * }
 *
 * <p>Whoever is inside when the stream is closed gets an AsynchronousCloseException. Whoever is interrupted or cancelled gets an
 * InterruptedIOException, and the stream stays usable.
 */
public final class TcpStream extends NetSocket<TcpStream>
        implements ByteChannel, GatheringByteChannel, ScatteringByteChannel {
    private final boolean isClient;
    private volatile @Nullable Tls tls; // set once
    private volatile long readTimeoutNanos;
    private volatile long writeTimeoutNanos;

    TcpStream(SocketHandle handle, boolean isClient) {
        super(handle);
        this.isClient = isClient;
    }

    @Override
    TcpStream self() {
        return this;
    }

    /**
     * Connects.
     *
     * @param address where to; a host name that has not been resolved is, and its addresses are tried in turn
     * @return the connection
     * @throws IOException when that fails
     */
    public static TcpStream connect(SocketAddress address) throws IOException {
        return connect(address, Duration.ZERO);
    }

    /**
     * Connects within some time.
     *
     * @param address where to; a host name that has not been resolved is, and its addresses are tried in turn
     * @param timeout how long to wait; zero for as long as the system does
     * @return the connection
     * @throws java.net.ConnectException when nobody listens there
     * @throws SocketTimeoutException when the time is up
     * @throws java.io.InterruptedIOException when interrupted or cancelled
     * @throws IOException when it fails otherwise
     */
    public static TcpStream connect(SocketAddress address, Duration timeout) throws IOException {
        return connect(Net.standard(), address, timeout);
    }

    static TcpStream connect(Net net, SocketAddress address, Duration timeout) throws IOException {
        Objects.requireNonNull(address, "address");
        long nanos = Timeouts.nanos(timeout);
        long start = System.nanoTime();
        List<SocketAddress> all = Names.resolve(address);
        IOException first = null;
        for (SocketAddress each : all) {
            long left = nanos == 0 ? 0 : Math.max(1, nanos - (System.nanoTime() - start));
            try {
                return connectTo(net, each, left);
            } catch (java.io.InterruptedIOException over) { // the time is up as well
                throw over;
            } catch (IOException failure) {
                if (first == null) first = failure;
                else first.addSuppressed(failure);
            }
        }
        throw Objects.requireNonNull(first);
    }

    private static TcpStream connectTo(Net net, SocketAddress address, long timeoutNanos) throws IOException {
        SocketHandle handle = net.openStream(address, false);
        try {
            handle.connect(address, timeoutNanos);
            return new TcpStream(handle, true);
        } catch (Throwable failure) {
            handle.closeNow();
            throw failure;
        }
    }

    // ---- reading and writing ----------------------------------------------------------------------------------------

    /**
     * Reads what there is, and waits until there is something.
     *
     * @return how many bytes; -1 when the other side sends no more
     * @throws SocketTimeoutException when {@link #readTimeout} has passed; the stream is still usable
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the stream is still usable
     */
    @Override
    public int read(ByteBuffer into) throws IOException {
        Objects.requireNonNull(into, "into");
        Tls secured = tls;
        if (secured != null) return secured.read(into, readTimeoutNanos, writeTimeoutNanos);
        return handle.read(into, readTimeoutNanos);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        ensureBuffers(into, offset, length, "into");
        if (tls != null) {
            for (int i = offset; i < offset + length; i++) if (into[i].hasRemaining()) return read(into[i]);
            return 0;
        }
        return handle.read(into, offset, length, readTimeoutNanos);
    }

    @Override
    public long read(ByteBuffer[] into) throws IOException {
        return read(into, 0, Objects.requireNonNull(into, "into").length);
    }

    /**
     * Writes everything, and waits while there is no room.
     *
     * @return how many bytes: all that were left in the buffer
     * @throws SocketTimeoutException when {@link #writeTimeout} has passed; the buffer's position tells how much was written
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the buffer's position tells how much was written
     */
    @Override
    public int write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "from");
        Tls secured = tls;
        if (secured != null) return secured.write(from, writeTimeoutNanos);
        return handle.write(from, writeTimeoutNanos);
    }

    /**
     * Writes everything, and then reads what there is and waits until there is something: what {@link #write} and {@link #read} do one
     * after the other, by a party that has nothing to do in between. Since it says so, the write of a fiber may wait until the other
     * fibers of its worker that are ready have had their turn: their writes follow each other then, which costs a busy server
     * less. It waits for 64 turns at most, and for about 20 milliseconds when one of them takes long.
     *
     * {@snippet :
     * while (stream.exchange(answers, requests.clear()) >= 0) answers = answersTo(requests.flip());
     * }
     *
     * @param out what to write; neither it nor {@code in} is to be touched meanwhile
     * @param in where to read to, another buffer
     * @return how many bytes were read; -1 when the other side sends no more
     * @throws IllegalArgumentException when {@code in} is read-only, or the same buffer as {@code out}; nothing is written then
     * @throws SocketTimeoutException when {@link #writeTimeout} or, after all was written, {@link #readTimeout} has passed
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the position of {@code out} tells how much was written
     * @throws IOException when it fails otherwise; likewise
     */
    public int exchange(ByteBuffer out, ByteBuffer in) throws IOException {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(in, "in");
        if (in.isReadOnly()) throw new IllegalArgumentException("in: a read-only buffer (expected: one to write to)");
        if (in == out) throw new IllegalArgumentException("in: the same buffer as out (expected: another one)");
        if (tls == null) return handle.exchange(out, in, writeTimeoutNanos, readTimeoutNanos);
        if (out.hasRemaining()) write(out);
        return read(in);
    }

    /** Writes everything of several buffers, and waits while there is no room. */
    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        ensureBuffers(from, offset, length, "from");
        if (tls != null) {
            long sum = 0;
            for (int i = offset; i < offset + length; i++) sum += write(from[i]);
            return sum;
        }
        return handle.write(from, offset, length, writeTimeoutNanos);
    }

    /** Writes everything of several buffers, and waits while there is no room. */
    @Override
    public long write(ByteBuffer[] from) throws IOException {
        return write(from, 0, Objects.requireNonNull(from, "from").length);
    }

    private static void ensureBuffers(ByteBuffer[] buffers, int offset, int length, String name) {
        Objects.checkFromIndexSize(offset, length, Objects.requireNonNull(buffers, name).length);
        for (int i = offset; i < offset + length; i++) Objects.requireNonNull(buffers[i], name);
    }

    /** Sends a part of a file whose handle the caller is inside of. */
    long sendFile(FileHandle file, long position, long count) throws IOException {
        if (tls == null) {
            long sent = handle.sendFile(file, position, count, writeTimeoutNanos);
            if (sent >= 0) return sent;
        }
        ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        long sum = 0;
        while (sum < count) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), count - sum));
            if (AsyncFile.read(file, buffer, position + sum) < 0) break;
            sum += write(buffer.flip());
        }
        return sum;
    }

    /**
     * The stream as an InputStream. Closing that closes the stream.
     *
     * @return a view without a buffer of its own
     */
    public InputStream inputStream() {
        return new StreamInput(this);
    }

    /**
     * The stream as an OutputStream. Closing that closes the stream.
     *
     * @return a view without a buffer of its own
     */
    public OutputStream outputStream() {
        return new StreamOutput(this);
    }

    // ---- TLS --------------------------------------------------------------------------------------------------------

    /**
     * Secures the stream, which stays the same object: a stream that was connected plays the client, one that was accepted
     * the server. Nobody else may be reading or writing meanwhile.
     *
     * @param context keys and trust
     * @return this, after the handshake
     * @throws javax.net.ssl.SSLException when the handshake fails; the stream is good for nothing then
     * @throws IOException when reading or writing fails
     */
    public TcpStream startTls(SSLContext context) throws IOException {
        return startTls(context, isClient);
    }

    /**
     * Secures the stream in a given role.
     *
     * @param context keys and trust
     * @param asClient whether this side plays the client
     * @return this, after the handshake
     * @throws IOException when that fails
     */
    public TcpStream startTls(SSLContext context, boolean asClient) throws IOException {
        SSLEngine engine = Objects.requireNonNull(context, "context").createSSLEngine();
        engine.setUseClientMode(asClient);
        return startTls(engine);
    }

    /**
     * Secures the stream as a client, names the server that is wanted, and checks that its certificate is for that name.
     *
     * @param context keys and trust
     * @param serverName the server's host name
     * @return this, after the handshake
     * @throws javax.net.ssl.SSLException when the certificate is for another name, or the handshake fails otherwise
     * @throws IOException when that fails
     */
    public TcpStream startTls(SSLContext context, String serverName) throws IOException {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(serverName, "serverName");
        int port = remoteAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1;
        SSLEngine engine = context.createSSLEngine(serverName, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return startTls(engine);
    }

    /**
     * Secures the stream with an engine that has been given all its settings.
     *
     * @param engine new
     * @return this, after the handshake
     * @throws IOException when that fails
     */
    public TcpStream startTls(SSLEngine engine) throws IOException {
        Objects.requireNonNull(engine, "engine");
        if (tls != null) throw new IllegalStateException("TLS has been started before on " + this);
        var secured = new Tls(handle, engine);
        secured.handshake(readTimeoutNanos, writeTimeoutNanos);
        tls = secured;
        return this;
    }

    /**
     * What was agreed upon in the TLS handshake.
     *
     * @return the session; empty before {@link #startTls(SSLContext)}
     */
    public Optional<SSLSession> tlsSession() {
        Tls secured = tls;
        return secured == null ? Optional.empty() : Optional.of(secured.engine().getSession());
    }

    // ---- settings ---------------------------------------------------------------------------------------------------

    /**
     * How long a read waits.
     *
     * @param timeout zero for ever, as from the start
     * @return this
     */
    public TcpStream readTimeout(Duration timeout) {
        readTimeoutNanos = Timeouts.nanos(timeout);
        return this;
    }

    /**
     * How long a write waits for room at a time.
     *
     * @param timeout zero for ever, as from the start
     * @return this
     */
    public TcpStream writeTimeout(Duration timeout) {
        writeTimeoutNanos = Timeouts.nanos(timeout);
        return this;
    }

    /**
     * Whether small writes are sent at once, and not gathered while earlier ones are under way.
     *
     * @param on the system's default is false
     * @return this
     * @throws IOException when that fails
     */
    public TcpStream noDelay(boolean on) throws IOException {
        if (remoteAddress() instanceof InetSocketAddress) setOption(StandardSocketOptions.TCP_NODELAY, on);
        return this;
    }

    /**
     * Whether the system asks from time to time if the other side is still there.
     *
     * @param on the system's default is false
     * @return this
     * @throws IOException when that fails
     */
    public TcpStream keepAlive(boolean on) throws IOException {
        return setOption(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    /**
     * Its own address.
     *
     * @return the address
     * @throws IOException when that fails
     */
    public SocketAddress localAddress() throws IOException {
        return handle.localAddress();
    }

    /**
     * The other side's address.
     *
     * @return the address
     */
    public @Nullable SocketAddress remoteAddress() {
        return handle.remoteAddress();
    }

    // ---- its end ----------------------------------------------------------------------------------------------------

    /**
     * Writes no more: the other side reads what was written, and then the end.
     *
     * @throws IOException when that fails
     */
    public void shutdownOutput() throws IOException {
        Tls secured = tls;
        if (secured != null) secured.endOutput(writeTimeoutNanos);
        handle.shutdown(false);
    }

    /**
     * Reads no more: who reads gets the end.
     *
     * @throws IOException when that fails
     */
    public void shutdownInput() throws IOException {
        handle.shutdown(true);
    }

    /** Ends the connection. Whoever is inside gets an AsynchronousCloseException. Closing again does nothing. */
    @Override
    public void close() {
        Tls secured = tls;
        if (secured != null) secured.tryEndOutput();
        handle.closeNow();
    }

    /** Ends the connection as a failure would, without a word. For tests. */
    void cut() {
        handle.closeNow();
    }

    boolean isClient() {
        return isClient;
    }

    @Override
    public String toString() {
        return "TcpStream[" + remoteAddress() + (isOpen() ? "" : ", closed") + "]";
    }
}
