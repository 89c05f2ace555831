package dev.coir.net;

import dev.coir.net.internal.Net;
import dev.coir.net.internal.SocketHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.Objects;

/**
 * Sends and receives datagrams over UDP. One party may receive while another sends; others wait for their turn.
 *
 * {@snippet :
 * try (UdpSocket socket = UdpSocket.bind(new InetSocketAddress(5353))) {
 *     ByteBuffer buffer = ByteBuffer.allocate(1500);
 *     SocketAddress from = socket.receive(buffer);
 *     socket.send(buffer.flip(), from);
 * }
 * }
 */
public final class UdpSocket implements Channel {
    private final SocketHandle handle;
    private final SocketAddress local;
    private volatile long receiveTimeoutNanos;

    private UdpSocket(SocketHandle handle, SocketAddress local) {
        this.handle = handle;
        this.local = local;
    }

    /**
     * A socket at any free port, reached by every address of this machine.
     *
     * @return the socket
     * @throws IOException when that fails
     */
    public static UdpSocket bind() throws IOException {
        return bind(new InetSocketAddress(0));
    }

    /**
     * A socket at an address.
     *
     * @param address an Internet address of this machine; port 0 for any free port
     * @return the socket
     * @throws IOException when that fails
     */
    public static UdpSocket bind(SocketAddress address) throws IOException {
        return bind(Net.standard(), address);
    }

    static UdpSocket bind(Net net, SocketAddress address) throws IOException {
        SocketAddress resolved = Names.resolveOne(Objects.requireNonNull(address, "address"));
        if (!(resolved instanceof InetSocketAddress))
            throw new SocketException("address: " + resolved + " (expected: an InetSocketAddress)");
        SocketHandle handle = net.openDatagram(resolved);
        try {
            handle.bind(resolved);
            return new UdpSocket(handle, handle.localAddress());
        } catch (Throwable failure) {
            handle.closeNow();
            throw failure;
        }
    }

    /**
     * Sends a datagram. There is no promise that it arrives.
     *
     * @param from what to send: all that is left in the buffer
     * @param to whom
     * @return how many bytes
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the socket is still usable
     * @throws IOException when that fails
     */
    public int send(ByteBuffer from, SocketAddress to) throws IOException {
        int count = from.remaining();
        handle.send(from, Names.resolveOne(to), 0);
        return count;
    }

    /**
     * Takes a datagram, and waits until there is one.
     *
     * @param into where to; what does not fit is lost
     * @return who sent it
     * @throws SocketTimeoutException when {@link #receiveTimeout} has passed
     * @throws java.io.InterruptedIOException when interrupted or cancelled; the socket is still usable
     * @throws IOException when that fails
     */
    public SocketAddress receive(ByteBuffer into) throws IOException {
        return handle.receive(into, receiveTimeoutNanos);
    }

    /**
     * How long receive waits.
     *
     * @param timeout zero for ever, as from the start
     * @return this
     */
    public UdpSocket receiveTimeout(Duration timeout) {
        receiveTimeoutNanos = Timeouts.nanos(timeout);
        return this;
    }

    /**
     * Where it is reached, with the port that was chosen.
     *
     * @return the address
     */
    public SocketAddress localAddress() {
        return local;
    }

    /**
     * Sets an option of the socket.
     *
     * @param <T> its type
     * @param option which one, of {@link java.net.StandardSocketOptions}
     * @param value to what
     * @return this
     * @throws IOException when that fails
     */
    public <T> UdpSocket setOption(SocketOption<T> option, T value) throws IOException {
        handle.setOption(option, value);
        return this;
    }

    /**
     * Asks for an option of the socket.
     *
     * @param <T> its type
     * @param option which one
     * @return its value
     * @throws IOException when that fails
     */
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return handle.getOption(option);
    }

    @Override
    public boolean isOpen() {
        return handle.isOpen();
    }

    /** Closes it. Whoever is inside gets an AsynchronousCloseException. */
    @Override
    public void close() {
        handle.closeNow();
    }

    /** Whether somebody is inside. For tests. */
    boolean isBusy() {
        return handle.isInUse();
    }

    @Override
    public String toString() {
        return "UdpSocket[" + local + (isOpen() ? "" : ", closed") + "]";
    }
}
