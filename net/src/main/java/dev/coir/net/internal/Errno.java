package dev.coir.net.internal;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.util.Map;

/** Error numbers of Linux, and what they become. */
public final class Errno {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EPIPE = 32;
    static final int ENOSYS = 38;
    static final int EPROTO = 71;
    static final int EMSGSIZE = 90;
    static final int EPROTONOSUPPORT = 93;
    static final int EOPNOTSUPP = 95;
    static final int EAFNOSUPPORT = 97;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ENETDOWN = 100;
    static final int ENETUNREACH = 101;
    static final int ECONNABORTED = 103;
    static final int ECONNRESET = 104;
    static final int ENOBUFS = 105;
    static final int EISCONN = 106;
    static final int ENOTCONN = 107;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;
    static final int EALREADY = 114;
    static final int EINPROGRESS = 115;
    static final int ECANCELED = 125;

    private static final Map<Integer, String> TEXTS = Map.ofEntries(
            Map.entry(EPERM, "EPERM, not permitted"),
            Map.entry(2, "ENOENT, no such file"),
            Map.entry(9, "EBADF, no such descriptor"),
            Map.entry(5, "EIO, the device failed"),
            Map.entry(EAGAIN, "EAGAIN, try again"),
            Map.entry(ENOMEM, "ENOMEM, the system is out of memory"),
            Map.entry(EACCES, "EACCES, permission denied"),
            Map.entry(EINVAL, "EINVAL, invalid argument"),
            Map.entry(ENFILE, "ENFILE, the system has too many open files"),
            Map.entry(EMFILE, "EMFILE, this process has too many open files: raise its limit (ulimit -n)"),
            Map.entry(28, "ENOSPC, too many descriptors are watched: raise fs.epoll.max_user_watches"),
            Map.entry(EPIPE, "EPIPE, broken pipe: the other side reads no more"),
            Map.entry(36, "ENAMETOOLONG, the path is too long"),
            Map.entry(ENOSYS, "ENOSYS, this system has no such call"),
            Map.entry(EMSGSIZE, "EMSGSIZE, the datagram is too long: send less than 65 507 bytes"),
            Map.entry(92, "ENOPROTOOPT, this socket has no such option"),
            Map.entry(EAFNOSUPPORT, "EAFNOSUPPORT, this kind of address is not available here"),
            Map.entry(
                    EADDRINUSE,
                    "EADDRINUSE, somebody has the address: close that, or bind to another (port 0: any free)"),
            Map.entry(EADDRNOTAVAIL, "EADDRNOTAVAIL, this machine has no such address"),
            Map.entry(ENETDOWN, "ENETDOWN, the network is down"),
            Map.entry(ENETUNREACH, "ENETUNREACH, no route to that network"),
            Map.entry(ECONNABORTED, "ECONNABORTED, connection aborted"),
            Map.entry(ECONNRESET, "ECONNRESET, connection reset by the other side"),
            Map.entry(ENOBUFS, "ENOBUFS, the system has no more room for buffers"),
            Map.entry(ENOTCONN, "ENOTCONN, not connected"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT, the other side does not answer"),
            Map.entry(ECONNREFUSED, "ECONNREFUSED, connection refused: nobody listens there"),
            Map.entry(EHOSTUNREACH, "EHOSTUNREACH, no route to that host"));

    private Errno() {}

    static String text(int error) {
        return TEXTS.getOrDefault(error, "error number " + error);
    }

    /**
     * What a failed call is thrown as.
     *
     * @param what was tried, and with whom: "reading from /192.0.2.1:80"
     * @param error the error number
     * @return the exception
     */
    static IOException exception(String what, int error) {
        String text = what + ": " + text(error);
        return switch (error) {
            case ECONNREFUSED -> new ConnectException(text);
            case EHOSTUNREACH, ENETUNREACH -> new NoRouteToHostException(text);
            case EADDRINUSE, EADDRNOTAVAIL -> new BindException(text);
            case EMFILE, ENFILE, ENOBUFS, ENOMEM -> new OutOfDescriptorsException(text);
            default -> new SocketException(text);
        };
    }
}
