package dev.coir.net.internal;

import dev.coir.internal.Pins;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A socket over a channel of the JDK that does not block. */
final class NioSocket extends SocketHandle {
    private final NioNet net;
    private final SelectableChannel channel;
    private volatile boolean connecting; // who connects
    private volatile @Nullable SocketAddress peer; // set before anybody else knows the stream

    private NioSocket(NioNet net, SelectableChannel channel, @Nullable SocketAddress peer) {
        this.net = net;
        this.channel = channel;
        this.peer = peer;
    }

    static NioSocket of(NioNet net, SelectableChannel channel) throws IOException {
        channel.configureBlocking(false);
        return new NioSocket(net, channel, channel instanceof SocketChannel s ? s.getRemoteAddress() : null);
    }

    SelectableChannel channel() {
        return channel;
    }

    /** What to ask a selector for. */
    int operations(int direction) {
        if (direction == READ) {
            return channel instanceof ServerSocketChannel ? SelectionKey.OP_ACCEPT : SelectionKey.OP_READ;
        }
        return connecting ? SelectionKey.OP_CONNECT : SelectionKey.OP_WRITE;
    }

    @Override
    int number() {
        return -1;
    }

    @Override
    void distrustShortReads() {}

    @Override
    boolean isWorthReading() {
        return true;
    }

    @Override
    Watcher preferredWatcher() {
        return net.watchers.preferred();
    }

    private SocketChannel stream() {
        return (SocketChannel) channel;
    }

    private DatagramChannel datagrams() {
        return (DatagramChannel) channel;
    }

    /** Those inside a socket that was closed learn that and nothing else; others learn with whom it failed. */
    private IOException failure(String what, IOException cause) {
        if (isClosed()) return new AsynchronousCloseException();
        if (cause instanceof ClosedChannelException) return isOutputEnded() ? afterEnd(what) : cause;
        String text = what + ": " + cause.getMessage();
        IOException named = switch (cause) {
            case ConnectException _ -> new ConnectException(text);
            case BindException _ -> new BindException(text);
            default -> isOutOfDescriptors(cause) ? new OutOfDescriptorsException(text) : new SocketException(text);
        };
        named.initCause(cause);
        return named;
    }

    private static boolean isOutOfDescriptors(IOException failure) {
        String text = failure.getMessage();
        return text != null && text.toLowerCase(Locale.ROOT).contains("too many open files");
    }

    // ---- attempts ---------------------------------------------------------------------------------------------------

    @Override
    int tryRead(ByteBuffer into) throws IOException {
        beginTry(READ);
        try {
            int count = stream().read(into);
            return count == 0 && into.hasRemaining() ? AGAIN : count;
        } catch (IOException e) {
            throw failure(readReason(), e);
        }
    }

    @Override
    long tryRead(ByteBuffer[] into, int offset, int length) throws IOException {
        beginTry(READ);
        try {
            long count = stream().read(into, offset, length);
            return count == 0 && hasRemaining(into, offset, length) ? AGAIN : count;
        } catch (IOException e) {
            throw failure(readReason(), e);
        }
    }

    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) if (buffers[i].hasRemaining()) return true;
        return false;
    }

    @Override
    int tryWrite(ByteBuffer from) throws IOException {
        beginTry(WRITE);
        try {
            int count = stream().write(from);
            return count == 0 && from.hasRemaining() ? AGAIN : count;
        } catch (IOException e) {
            throw failure(writeReason(), e);
        }
    }

    @Override
    long tryWrite(ByteBuffer[] from, int offset, int length) throws IOException {
        beginTry(WRITE);
        try {
            long count = stream().write(from, offset, length);
            return count == 0 ? AGAIN : count;
        } catch (IOException e) {
            throw failure(writeReason(), e);
        }
    }

    @Override
    boolean canSend(FileHandle file) {
        return false;
    }

    @Override
    long trySendFile(FileHandle file, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    @Nullable
    SocketAddress tryReceive(ByteBuffer into) throws IOException {
        beginTry(READ);
        try {
            return datagrams().receive(into);
        } catch (IOException e) {
            throw failure(readReason(), e);
        }
    }

    @Override
    boolean trySend(ByteBuffer from, SocketAddress to) throws IOException {
        beginTry(WRITE);
        int asked = from.remaining();
        try {
            return datagrams().send(from, to) == asked;
        } catch (IOException e) {
            throw failure("sending " + asked + " bytes to " + to, e);
        }
    }

    @Override
    @Nullable
    SocketHandle tryAccept() throws IOException {
        try {
            SocketChannel accepted = ((ServerSocketChannel) channel).accept();
            return accepted == null ? null : of(net, accepted);
        } catch (IOException e) {
            throw failure(readReason(), e);
        }
    }

    @Override
    boolean tryConnect(SocketAddress to) throws IOException {
        peer = to;
        try {
            connecting = true;
            if (!stream().connect(to)) return false;
            connecting = false;
            return true;
        } catch (IOException e) {
            throw failure("connecting to " + to, e);
        }
    }

    @Override
    boolean isConnecting() {
        return connecting;
    }

    @Override
    boolean tryFinishConnect() throws IOException {
        try {
            if (!stream().finishConnect()) return false;
            connecting = false;
            return true;
        } catch (IOException e) {
            throw failure("connecting to " + peer, e);
        }
    }

    @Override
    boolean isExhaustion(IOException failure) {
        return failure instanceof OutOfDescriptorsException;
    }

    // ---- short calls ------------------------------------------------------------------------------------------------

    @Override
    void doBind(SocketAddress to) throws IOException {
        try {
            if (!(channel instanceof ServerSocketChannel)) ((NetworkChannel) channel).bind(to);
            else peer = to; // with listen, which knows the backlog
        } catch (IOException e) {
            throw failure("binding to " + to, e);
        }
    }

    @Override
    void doListen(int backlog) throws IOException {
        SocketAddress at = Objects.requireNonNull(peer);
        try {
            ((ServerSocketChannel) channel).bind(at, backlog);
        } catch (IOException e) {
            throw failure("binding to " + at, e);
        }
    }

    @Override
    void doShutdown(boolean input) throws IOException {
        if (input) {
            stream().shutdownInput();
            ready(READ);
        } else {
            stream().shutdownOutput();
        }
    }

    @Override
    <T> void doSetOption(SocketOption<T> option, T value) throws IOException {
        try {
            ((NetworkChannel) channel).setOption(option, value);
        } catch (UnsupportedOperationException e) {
            throw unsupported(option, this);
        }
    }

    @Override
    <T> T doGetOption(SocketOption<T> option) throws IOException {
        try {
            return ((NetworkChannel) channel).getOption(option);
        } catch (UnsupportedOperationException e) {
            throw unsupported(option, this);
        }
    }

    @Override
    public Set<SocketOption<?>> options() {
        return ((NetworkChannel) channel).supportedOptions();
    }

    @Override
    SocketAddress doLocalAddress() throws IOException {
        return Objects.requireNonNull(((NetworkChannel) channel).getLocalAddress());
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return channel instanceof SocketChannel ? peer : null;
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    void expel() {
        Pins.staying(this::closeChannel); // S4 of SelectorPoller
    }

    private void closeChannel() {
        try {
            channel.close(); // those inside make no call on a number of their own
        } catch (IOException e) {
            // it is closed all the same
        }
    }

    @Override
    void release() {
        expel();
        unwatch();
    }

    @Override
    String describe(boolean reading) {
        if (channel instanceof DatagramChannel) return reading ? "receiving datagrams" : "sending datagrams";
        SocketAddress other = peer;
        if (channel instanceof ServerSocketChannel listener) {
            try {
                return "accepting at " + listener.getLocalAddress();
            } catch (IOException closed) {
                return "accepting";
            }
        }
        String who = other == null || other.toString().isEmpty() ? "a connection" : other.toString();
        return (reading ? "reading from " : "writing to ") + who;
    }

    @Override
    public String toString() {
        SocketAddress other = peer;
        return "socket" + (other == null ? "" : " of " + other);
    }
}
