package dev.coir.net.internal;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Sockets of Linux, watched by epoll. */
public final class NativeNet implements Net {
    static final int MOST_BYTES = 128 * 1024; // moved by one system call, so that none takes long
    final Sys sys;
    final Watchers watchers;

    /**
     * A net.
     *
     * @param sys makes the system calls
     */
    public NativeNet(Sys sys) {
        this.sys = sys;
        this.watchers =
                new Watchers(EpollPoller.class, makeshift -> EpollPoller.open(sys, makeshift), "coir-net-epoll");
    }

    @Override
    public SocketHandle openStream(SocketAddress address, boolean listening) throws IOException {
        if (listening && address instanceof InetSocketAddress inet && isAnyIpv4(inet)) {
            SocketHandle both = tryOpenDual();
            if (both != null) return both;
        }
        return open(SockAddr.familyOf(address));
    }

    private static boolean isAnyIpv4(InetSocketAddress inet) {
        return inet.getAddress() instanceof Inet4Address any && any.isAnyLocalAddress();
    }

    /** As the JDK does: who listens at every address listens at IPv6 ones too, where there are any. */
    private @Nullable SocketHandle tryOpenDual() {
        if (Boolean.getBoolean("java.net.preferIPv4Stack")) return null;
        try {
            return open(Linux.AF_INET6);
        } catch (IOException noIpv6) {
            return null;
        }
    }

    private SocketHandle open(int family) throws IOException {
        int fd = sys.socket(family, Linux.SOCK_STREAM);
        if (fd < 0) throw Errno.exception("opening a socket", -fd);
        var socket = new NativeSocket(this, fd, family, true, null);
        if (family == Linux.AF_INET6) socket.setOptions(Linux.IPPROTO_IPV6, Linux.IPV6_V6ONLY, 0);
        return socket;
    }
}
