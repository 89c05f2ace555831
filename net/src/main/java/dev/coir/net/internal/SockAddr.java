package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A socket address as the system writes it, in memory of the heap. For one call at a time. */
final class SockAddr {
    static final int CAPACITY = 128; // struct sockaddr_storage
    private static final int MOST_PATH_BYTES = 107; // of sun_path, with a zero at the end
    private static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt SCOPE = ValueLayout.JAVA_INT_UNALIGNED;

    private final byte[] bytes = new byte[CAPACITY];
    final MemorySegment address = MemorySegment.ofArray(bytes);
    private final int[] lengthCell = {CAPACITY};
    final MemorySegment lengthSegment = MemorySegment.ofArray(lengthCell);

    int length() {
        return Math.min(lengthCell[0], CAPACITY);
    }

    /** Ready to be filled by the system. */
    SockAddr clear() {
        lengthCell[0] = CAPACITY;
        return this;
    }

    /** Which kind of socket can have this address. */
    static int familyOf(SocketAddress address) throws SocketException {
        return switch (address) {
            case UnixDomainSocketAddress _ -> Linux.AF_UNIX;
            case InetSocketAddress inet
            when inet.isUnresolved() -> throw new SocketException("address: " + inet + " has not been resolved");
            case InetSocketAddress inet -> inet.getAddress() instanceof Inet6Address ? Linux.AF_INET6 : Linux.AF_INET;
            default ->
                throw new SocketException(
                        "address: " + address + " is a " + address.getClass().getName()
                                + " (expected: an InetSocketAddress or a UnixDomainSocketAddress)");
        };
    }

    /** Writes an address for a socket of a family. */
    SockAddr put(SocketAddress from, int family) throws SocketException {
        familyOf(from);
        Arrays.fill(bytes, (byte) 0);
        address.set(FAMILY, 0, (short) family);
        if (from instanceof UnixDomainSocketAddress unix) putPath(unix);
        else putInet((InetSocketAddress) from, family);
        return this;
    }

    private void putInet(InetSocketAddress inet, int family) throws SocketException {
        InetAddress ip = inet.getAddress();
        if (family == Linux.AF_INET && ip instanceof Inet6Address) {
            throw new SocketException("address: " + inet + " is an IPv6 one, and this socket is bound to an IPv4 one");
        }
        if (family == Linux.AF_UNIX) {
            throw new SocketException("address: " + inet + " (expected: a UnixDomainSocketAddress)");
        }
        address.set(PORT, 2, (short) inet.getPort());
        byte[] raw = ip.getAddress();
        if (family == Linux.AF_INET) {
            System.arraycopy(raw, 0, bytes, 4, 4);
            lengthCell[0] = 16;
            return;
        }
        if (raw.length == 16) {
            System.arraycopy(raw, 0, bytes, 8, 16);
            address.set(SCOPE, 24, ((Inet6Address) ip).getScopeId());
        } else if (!ip.isAnyLocalAddress()) { // ::ffff:a.b.c.d, an IPv4 address among IPv6 ones
            bytes[18] = -1;
            bytes[19] = -1;
            System.arraycopy(raw, 0, bytes, 20, 4);
        }
        lengthCell[0] = 28;
    }

    private void putPath(UnixDomainSocketAddress unix) throws SocketException {
        byte[] path = unix.getPath().toString().getBytes(StandardCharsets.UTF_8);
        if (path.length > MOST_PATH_BYTES) {
            throw new SocketException("path of a Unix domain socket: " + unix + " has " + path.length
                    + " bytes (expected: at most " + MOST_PATH_BYTES + ")");
        }
        System.arraycopy(path, 0, bytes, 2, path.length);
        bytes[2 + path.length] = 0;
        lengthCell[0] = path.length == 0 ? 2 : 3 + path.length;
    }

    /** What the system wrote. */
    SocketAddress get() {
        return switch (address.get(FAMILY, 0)) {
            case Linux.AF_INET -> inet(4, 4, 0);
            case Linux.AF_INET6 -> inet(8, 16, address.get(SCOPE, 24));
            default -> path();
        };
    }

    private SocketAddress inet(int at, int count, int scope) {
        byte[] raw = new byte[count];
        System.arraycopy(bytes, at, raw, 0, count);
        int port = Short.toUnsignedInt(address.get(PORT, 2));
        try {
            InetAddress ip = InetAddress.getByAddress(raw); // an IPv4 one among IPv6 ones becomes what it is
            if (scope != 0 && !(ip instanceof Inet4Address)) ip = Inet6Address.getByAddress(null, raw, scope);
            return new InetSocketAddress(ip, port);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible); // it has 4 or 16 bytes
        }
    }

    private SocketAddress path() {
        int end = 2;
        while (end < length() && bytes[end] != 0) end++;
        return UnixDomainSocketAddress.of(new String(bytes, 2, end - 2, StandardCharsets.UTF_8));
    }
}
