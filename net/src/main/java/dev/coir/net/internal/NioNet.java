package dev.coir.net.internal;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/** Sockets over the JDK's channels, watched by its selectors: for systems without a native kind. */
public final class NioNet implements Net {
    final Watchers watchers = new Watchers(SelectorPoller.class, SelectorPoller::open, "coir-net-selector");

    /** A net. */
    public NioNet() {}

    @Override
    public SocketHandle openStream(SocketAddress address, boolean listening) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        if (listening) {
            return NioSocket.of(
                    this, unix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open());
        }
        return NioSocket.of(this, unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open());
    }

    @Override
    public SocketHandle openDatagram(SocketAddress address) throws IOException {
        return NioSocket.of(this, DatagramChannel.open());
    }

    @Override
    public FileHandle openFile(Path path, Set<? extends OpenOption> options, boolean isUsual) throws IOException {
        return NioFile.open(path, options);
    }
}
