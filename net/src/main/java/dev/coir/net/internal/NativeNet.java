package dev.coir.net.internal;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sockets of Linux, watched by epoll. */
public final class NativeNet implements Net, AutoCloseable {
    static final int MOST_BYTES = 128 * 1024; // moved by one system call, so that none takes long
    static final int MOST_FILE_BYTES = 512 * 1024; // likewise, where collections of garbage need not wait for it
    final Sys sys;
    final Watchers watchers;
    final boolean believesShortReads;
    private final RingFiles ringFiles;

    /**
     * A net.
     *
     * @param sys makes the system calls
     * @param believesShortReads whether a short read means that there was nothing left: N1 of NativeSocket
     */
    public NativeNet(Sys sys, boolean believesShortReads) {
        this(sys, believesShortReads, "auto");
    }

    /**
     * A net.
     *
     * @param sys makes the system calls
     * @param believesShortReads whether a short read means that there was nothing left: N1 of NativeSocket
     * @param files by which way files are read and written: auto, blocking or uring
     */
    public NativeNet(Sys sys, boolean believesShortReads, String files) {
        this.sys = sys;
        this.believesShortReads = believesShortReads;
        this.watchers =
                new Watchers(EpollPoller.class, makeshift -> EpollPoller.open(sys, makeshift), "coir-net-epoll");
        this.ringFiles = new RingFiles(sys, watchers, RingFiles.Way.of(files));
    }

    @Override
    public SocketHandle openStream(SocketAddress address, boolean listening) throws IOException {
        return listening ? openForAll(address, Linux.SOCK_STREAM) : open(SockAddr.familyOf(address), Linux.SOCK_STREAM);
    }

    @Override
    public SocketHandle openDatagram(SocketAddress address) throws IOException {
        return openForAll(address, Linux.SOCK_DGRAM);
    }

    private SocketHandle openForAll(SocketAddress address, int type) throws IOException {
        if (address instanceof InetSocketAddress inet && isAnyIpv4(inet)) {
            SocketHandle both = tryOpenDual(type);
            if (both != null) return both;
        }
        return open(SockAddr.familyOf(address), type);
    }

    private static boolean isAnyIpv4(InetSocketAddress inet) {
        return inet.getAddress() instanceof Inet4Address any && any.isAnyLocalAddress();
    }

    /** As the JDK does: who listens at every address listens at IPv6 ones too, where there are any. */
    private @Nullable SocketHandle tryOpenDual(int type) {
        if (Boolean.getBoolean("java.net.preferIPv4Stack")) return null;
        try {
            return open(Linux.AF_INET6, type);
        } catch (IOException noIpv6) {
            return null;
        }
    }

    private SocketHandle open(int family, int type) throws IOException {
        int fd = sys.socket(family, type);
        if (fd < 0) throw Errno.exception("opening a socket", -fd);
        var socket = new NativeSocket(this, fd, family, type == Linux.SOCK_STREAM, null);
        if (family == Linux.AF_INET6) socket.setOptions(Linux.IPPROTO_IPV6, Linux.IPV6_V6ONLY, 0);
        return socket;
    }

    @Override
    public FileHandle openFile(Path path, Set<? extends OpenOption> options, boolean isUsual) throws IOException {
        if (!isUsual || !NativeFile.canOpen(options)) return NioFile.open(path, options);
        ringFiles.ensureAsWished();
        return NativeFile.open(sys, ringFiles, path, options);
    }

    /** Ends the thread that serves those who run on no scheduler's thread. For tests: nobody uses this net any more. */
    @Override
    public void close() {
        watchers.close();
    }
}
