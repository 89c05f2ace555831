package dev.coir.net;

import dev.coir.net.internal.SocketHandle;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.util.Objects;

/** What streams, listeners and sockets for datagrams have in common: options, and an end. */
abstract sealed class NetSocket<S extends NetSocket<S>> implements Channel permits TcpStream, TcpListener, UdpSocket {
    final SocketHandle handle;

    NetSocket(SocketHandle handle) {
        this.handle = handle;
    }

    abstract S self();

    /**
     * Sets an option of the socket.
     *
     * @param <T> its type
     * @param option which one, of {@link StandardSocketOptions} or {@code jdk.net.ExtendedSocketOptions}
     * @param value to what
     * @return this
     * @throws IOException when that fails
     */
    public <T> S setOption(SocketOption<T> option, T value) throws IOException {
        handle.setOption(Objects.requireNonNull(option, "option"), Objects.requireNonNull(value, "value"));
        return self();
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
        return handle.getOption(Objects.requireNonNull(option, "option"));
    }

    @Override
    public boolean isOpen() {
        return handle.isOpen();
    }

    /** Closes it. Whoever is inside gets an AsynchronousCloseException. Closing again does nothing. */
    @Override
    public void close() {
        handle.closeNow();
    }

    /** Whether somebody is inside. For tests. */
    boolean isBusy() {
        return handle.isInUse();
    }
}
