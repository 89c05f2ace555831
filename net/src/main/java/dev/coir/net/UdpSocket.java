package dev.coir.net;

import dev.coir.net.internal.Net;
import dev.coir.net.internal.SocketHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
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
public final class UdpSocket extends NetSocket<UdpSocket> {
    private final SocketAddress local;
    private volatile long receiveTimeoutNanos;

    private UdpSocket(SocketHandle handle, SocketAddress local) {
        super(handle);
        this.local = local;
    }

    @Override
    UdpSocket self() {
        return this;
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
        int count = Objects.requireNonNull(from, "from").remaining();
        Objects.requireNonNull(to, "to");
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
        return handle.receive(Objects.requireNonNull(into, "into"), receiveTimeoutNanos);
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

    @Override
    public String toString() {
        return "UdpSocket[" + local + (isOpen() ? "" : ", closed") + "]";
    }
}
