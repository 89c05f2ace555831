package dev.coir.net.internal;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Set;

/** The options of a native socket, by the names that the JDK gives them. */
final class NativeOptions {
    private record Place(int level, int name) {}

    private static final Map<String, Place> PLACES = Map.ofEntries(
            Map.entry("SO_REUSEADDR", new Place(Linux.SOL_SOCKET, Linux.SO_REUSEADDR)),
            Map.entry("SO_REUSEPORT", new Place(Linux.SOL_SOCKET, Linux.SO_REUSEPORT)),
            Map.entry("SO_BROADCAST", new Place(Linux.SOL_SOCKET, Linux.SO_BROADCAST)),
            Map.entry("SO_SNDBUF", new Place(Linux.SOL_SOCKET, Linux.SO_SNDBUF)),
            Map.entry("SO_RCVBUF", new Place(Linux.SOL_SOCKET, Linux.SO_RCVBUF)),
            Map.entry("SO_KEEPALIVE", new Place(Linux.SOL_SOCKET, Linux.SO_KEEPALIVE)),
            Map.entry("SO_LINGER", new Place(Linux.SOL_SOCKET, Linux.SO_LINGER)),
            Map.entry("TCP_NODELAY", new Place(Linux.IPPROTO_TCP, Linux.TCP_NODELAY)),
            Map.entry("TCP_KEEPIDLE", new Place(Linux.IPPROTO_TCP, Linux.TCP_KEEPIDLE)),
            Map.entry("TCP_KEEPINTERVAL", new Place(Linux.IPPROTO_TCP, Linux.TCP_KEEPINTVL)),
            Map.entry("TCP_KEEPCOUNT", new Place(Linux.IPPROTO_TCP, Linux.TCP_KEEPCNT)),
            Map.entry("TCP_QUICKACK", new Place(Linux.IPPROTO_TCP, Linux.TCP_QUICKACK)));

    private static final Set<SocketOption<?>> ALL = Set.of(
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_BROADCAST,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.IP_TOS,
            StandardSocketOptions.TCP_NODELAY);

    private NativeOptions() {}

    static Set<SocketOption<?>> all() {
        return ALL;
    }

    private static Place find(NativeSocket socket, SocketOption<?> option) throws IOException {
        if (option.name().equals("IP_TOS")) {
            return socket.isIpv6()
                    ? new Place(Linux.IPPROTO_IPV6, Linux.IPV6_TCLASS)
                    : new Place(Linux.IPPROTO_IP, Linux.IP_TOS);
        }
        Place place = PLACES.get(option.name());
        if (place == null) throw SocketHandle.unsupported(option, socket);
        return place;
    }

    static <T> void set(NativeSocket socket, SocketOption<T> option, T value) throws IOException {
        Place place = find(socket, option);
        if (option.name().equals("SO_LINGER")) {
            int seconds = (Integer) value;
            socket.setOptions(place.level, place.name, seconds >= 0 ? 1 : 0, Math.max(0, seconds));
        } else if (value instanceof Boolean on) {
            socket.setOptions(place.level, place.name, on ? 1 : 0);
        } else {
            socket.setOptions(place.level, place.name, (Integer) value);
        }
    }

    static <T> T get(NativeSocket socket, SocketOption<T> option) throws IOException {
        Place place = find(socket, option);
        if (option.name().equals("SO_LINGER")) {
            int[] value = socket.options(place.level, place.name, 2);
            return option.type().cast(value[0] == 0 ? -1 : value[1]);
        }
        int value = socket.intOption(place.level, place.name);
        return option.type() == Boolean.class
                ? option.type().cast(value != 0)
                : option.type().cast(isBuffer(option) ? value / 2 : value); // the system counts its own need as well
    }

    private static boolean isBuffer(SocketOption<?> option) {
        return option == StandardSocketOptions.SO_SNDBUF || option == StandardSocketOptions.SO_RCVBUF;
    }
}
