package dev.coir.net;

import dev.coir.net.internal.Net;
import dev.coir.net.internal.SocketHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * Waits for connections at an address: IPv4, IPv6 or a Unix domain socket. Any number of fibers and threads may accept; they
 * take turns. When it is closed, who waits in accept gets an AsynchronousCloseException; connections that were accepted stay.
 *
 * {@snippet :
 * try (TcpListener listener = TcpListener.bind(new InetSocketAddress(8080))) {
 *     while (true) {
 *         TcpStream stream = listener.accept();
 *         Fiber.go(() -> serve(stream));
 *     }
 * }
 * }
 */
public final class TcpListener extends NetSocket<TcpListener> {
    private static final int DEFAULT_BACKLOG = 1024;

    private final SocketAddress local;
    private volatile long timeoutNanos;

    private TcpListener(SocketHandle handle, SocketAddress local) {
        super(handle);
        this.local = local;
    }

    @Override
    TcpListener self() {
        return this;
    }

    /**
     * Listens at an address.
     *
     * @param address an address of this machine; port 0 for any free port
     * @return the listener
     * @throws IOException when that fails
     */
    public static TcpListener bind(SocketAddress address) throws IOException {
        return builder().bind(address);
    }

    /**
     * Listens at an address.
     *
     * @param address an address of this machine; port 0 for any free port
     * @param backlog how many connections may wait to be accepted; the system has a limit of its own
     * @return the listener
     * @throws IOException when that fails
     */
    public static TcpListener bind(SocketAddress address, int backlog) throws IOException {
        return builder().backlog(backlog).bind(address);
    }

    /**
     * For a listener with other than the usual settings.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder(Net.standard());
    }

    static Builder builder(Net net) {
        return new Builder(net);
    }

    /** Settings of a listener to be made. */
    public static final class Builder {
        private final Net net;
        private int backlog = DEFAULT_BACKLOG;
        private boolean reuseAddress = true;
        private boolean reusePort;
        private int receiveBuffer;

        private Builder(Net net) {
            this.net = net;
        }

        /**
         * How many connections may wait to be accepted.
         *
         * @param connections default: 1024; the system has a limit of its own
         * @return this
         */
        public Builder backlog(int connections) {
            if (connections < 1)
                throw new IllegalArgumentException("backlog: " + connections + " (expected: 1 or more)");
            backlog = connections;
            return this;
        }

        /**
         * Whether the address may be taken though connections of an earlier listener are still closing.
         *
         * @param on default: true
         * @return this
         */
        public Builder reuseAddress(boolean on) {
            reuseAddress = on;
            return this;
        }

        /**
         * Whether several listeners may share the address; the system divides the connections among them.
         *
         * @param on default: false
         * @return this
         */
        public Builder reusePort(boolean on) {
            reusePort = on;
            return this;
        }

        /**
         * How much the system keeps for each connection that has not been read.
         *
         * @param bytes default: as the system likes
         * @return this
         */
        public Builder receiveBuffer(int bytes) {
            if (bytes < 1) throw new IllegalArgumentException("receiveBuffer: " + bytes + " (expected: 1 or more)");
            receiveBuffer = bytes;
            return this;
        }

        /**
         * Listens at an address.
         *
         * @param address an address of this machine; port 0 for any free port
         * @return the listener
         * @throws IOException when that fails
         */
        public TcpListener bind(SocketAddress address) throws IOException {
            SocketAddress resolved = Names.resolveOne(Objects.requireNonNull(address, "address"));
            SocketHandle handle = net.openStream(resolved, true);
            try {
                if (resolved instanceof InetSocketAddress) {
                    handle.setOption(StandardSocketOptions.SO_REUSEADDR, reuseAddress);
                    if (reusePort) handle.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                    if (receiveBuffer != 0) handle.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
                }
                handle.bind(resolved);
                handle.listen(backlog);
                return new TcpListener(handle, handle.localAddress());
            } catch (Throwable failure) {
                handle.closeNow();
                throw failure;
            }
        }
    }

    /**
     * Takes a connection, and waits until there is one. When the process has no descriptors left, it waits until there are.
     *
     * @return the connection
     * @throws java.nio.channels.AsynchronousCloseException when the listener is closed meanwhile
     * @throws java.net.SocketTimeoutException when {@link #acceptTimeout} has passed
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the listener is still usable
     * @throws IOException when it fails otherwise
     */
    public TcpStream accept() throws IOException {
        return new TcpStream(handle.accept(timeoutNanos), false);
    }

    /**
     * How long accept waits.
     *
     * @param timeout zero for ever, as from the start
     * @return this
     */
    public TcpListener acceptTimeout(Duration timeout) {
        timeoutNanos = Timeouts.nanos(timeout);
        return this;
    }

    /**
     * Where it listens, with the port that was chosen.
     *
     * @return the address
     */
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public String toString() {
        return "TcpListener[" + local + (isOpen() ? "" : ", closed") + "]";
    }
}
