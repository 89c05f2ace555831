package dev.coir.net.internal;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which socket of the simulated system has which address. All under the system's lock. */
final class SimulatedAddresses {
    private final List<SimulatedSocket> bound = new ArrayList<>();
    private int lastPort = 20_000;

    int bind(SimulatedSocket socket, SocketAddress address) {
        SocketAddress wanted =
                address instanceof InetSocketAddress inet && inet.getPort() == 0 ? withFreePort(inet) : address;
        for (SimulatedSocket each : bound)
            if (wanted.equals(each.local) && !(sharesPort(each) && sharesPort(socket))) return -Errno.EADDRINUSE;
        socket.local = wanted;
        bound.add(socket);
        return 0;
    }

    private SocketAddress withFreePort(InetSocketAddress like) {
        return new InetSocketAddress(like.getAddress(), ++lastPort);
    }

    private static boolean sharesPort(SimulatedSocket socket) {
        int[] value = socket.option(Linux.SOL_SOCKET, Linux.SO_REUSEPORT);
        return value.length != 0 && value[0] != 0;
    }

    /** The socket has gone, or listens no more: its port is free. */
    void release(SimulatedSocket socket) {
        bound.remove(socket);
    }

    /** Gives a socket that connects an address, if it has none. */
    void ensureHasOne(SimulatedSocket socket, SocketAddress to) {
        if (socket.local != null) return;
        socket.local = to instanceof InetSocketAddress inet ? withFreePort(inet) : UnixDomainSocketAddress.of("");
    }

    @Nullable
    SimulatedSocket findListener(SocketAddress to) {
        for (SimulatedSocket each : bound) if (each.isListening() && reaches(to, each)) return each;
        return null;
    }

    private static boolean reaches(SocketAddress to, SimulatedSocket listener) {
        if (to.equals(listener.local)) return true;
        if (!(to instanceof InetSocketAddress wanted) || !(listener.local instanceof InetSocketAddress at))
            return false;
        InetAddress host = at.getAddress();
        boolean sameFamily = host instanceof Inet4Address == wanted.getAddress() instanceof Inet4Address;
        return at.getPort() == wanted.getPort()
                && host.isAnyLocalAddress()
                && (sameFamily || listener.family == Linux.AF_INET6);
    }
}
