package dev.coir.net.internal;

import java.nio.ByteOrder;

/** Numbers of the Linux kernel that x86-64 and aarch64 share, and the one layout in which they differ. */
public final class Linux {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SHUT_RD = 0;
    static final int SHUT_WR = 1;
    static final int SHUT_RDWR = 2;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_TRUNC = 0x200;
    static final int O_APPEND = 0x400;
    static final int O_DSYNC = 0x1000;
    static final int O_SYNC = 0x101000;
    static final int SEEK_END = 2;
    static final int RWF_NOWAIT = 8;
    static final int O_CLOEXEC = 0x80000;

    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_ERROR = 4;
    static final int SO_BROADCAST = 6;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_KEEPALIVE = 9;
    static final int SO_LINGER = 13;
    static final int SO_REUSEPORT = 15;
    static final int IPPROTO_IP = 0;
    static final int IP_TOS = 1;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int TCP_KEEPIDLE = 4;
    static final int TCP_KEEPINTVL = 5;
    static final int TCP_KEEPCNT = 6;
    static final int TCP_QUICKACK = 12;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_TCLASS = 67;

    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;
    static final int EPOLLIN = 0x1;
    static final int EPOLLPRI = 0x2;
    static final int EPOLLOUT = 0x4;
    static final int EPOLLERR = 0x8;
    static final int EPOLLHUP = 0x10;
    static final int EPOLLRDHUP = 0x2000;
    static final int EPOLLET = 1 << 31;

    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;
    static final int MAP_POPULATE = 0x8000;
    static final int IORING_SETUP_CQSIZE = 1 << 3;
    static final int IORING_FEAT_SINGLE_MMAP = 1;
    static final int IORING_FEAT_NODROP = 1 << 1;
    static final int IORING_FEAT_FAST_POLL = 1 << 5;
    static final long IORING_OFF_SQ_RING = 0;
    static final long IORING_OFF_SQES = 0x10000000;
    static final int IORING_ENTER_GETEVENTS = 1;
    static final int IORING_OP_FSYNC = 3;
    static final int IORING_OP_ASYNC_CANCEL = 14;
    static final int IORING_OP_READ = 22;
    static final int IORING_OP_WRITE = 23;
    static final int IORING_FSYNC_DATASYNC = 1;

    /** On x86-64 the kernel packs struct epoll_event into 12 bytes; elsewhere its long is aligned, which makes 16. */
    static final int EPOLL_EVENT_BYTES = epollEventBytes(System.getProperty("os.arch"));

    static final int EPOLL_DATA_AT = EPOLL_EVENT_BYTES == 12 ? 4 : 8;

    private Linux() {}

    static int epollEventBytes(String arch) {
        return arch.equals("amd64") || arch.equals("x86_64") ? 12 : 16;
    }

    /**
     * Whether the system calls of this package can be made here.
     *
     * @return true on 64-bit Linux with bytes in the usual order
     */
    public static boolean isHere() {
        String arch = System.getProperty("os.arch");
        return System.getProperty("os.name").equals("Linux")
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                && (arch.equals("amd64") || arch.equals("x86_64") || arch.equals("aarch64"));
    }
}
