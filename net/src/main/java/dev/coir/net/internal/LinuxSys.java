package dev.coir.net.internal;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The C library's own calls. */
@SuppressWarnings("restricted") // foreign calls are the point
public final class LinuxSys implements Sys {
    /*
     * Calls that never wait are made as critical ones: the thread stays in the Java state, which is cheaper and lets the
     * kernel read and write arrays on the heap. No garbage is collected meanwhile, so they must be short: those that move
     * bytes move at most Buffers.MOST_BYTES.
     */
    private static final Linker LINKER = Linker.nativeLinker();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
    private static final Linker.Option SHORT = Linker.Option.critical(true);

    private static final MethodHandle RECV = find("recv", LONG, true, INT, ADDRESS, LONG, INT);
    private static final MethodHandle SEND = find("send", LONG, true, INT, ADDRESS, LONG, INT);
    private static final MethodHandle EPOLL_WAIT = find("epoll_wait", INT, false, INT, ADDRESS, INT, INT);
    private static final MethodHandle EPOLL_LOOK = find("epoll_wait", INT, true, INT, ADDRESS, INT, INT);
    private static final MethodHandle EPOLL_CTL = find("epoll_ctl", INT, true, INT, INT, INT, ADDRESS);
    private static final MethodHandle WRITE = find("write", LONG, true, INT, ADDRESS, LONG);
    private static final MethodHandle CLOSE = find("close", INT, false, INT);

    /** Whether the system has a wait with a limit in nanoseconds; else milliseconds must do. */
    private static final boolean HAS_PWAIT2 =
            LINKER.defaultLookup().find("epoll_pwait2").isPresent();

    private static final MemorySegment ONE = Arena.global().allocateFrom(LONG, 1L);

    private volatile boolean pwait2Works = HAS_PWAIT2; // the kernel may be older than the library

    /** Finding the calls takes a moment; those that only some programs make are found at first use. */
    private static final class Setup {
        static final MethodHandle SOCKET = find("socket", INT, true, INT, INT, INT);
        static final MethodHandle BIND = find("bind", INT, false, INT, ADDRESS, INT);
        static final MethodHandle LISTEN = find("listen", INT, true, INT, INT);
        static final MethodHandle SHUTDOWN = find("shutdown", INT, true, INT, INT);
        static final MethodHandle GETSOCKNAME = find("getsockname", INT, true, INT, ADDRESS, ADDRESS);
        static final MethodHandle GETPEERNAME = find("getpeername", INT, true, INT, ADDRESS, ADDRESS);
        static final MethodHandle GETSOCKOPT = find("getsockopt", INT, true, INT, INT, INT, ADDRESS, ADDRESS);
        static final MethodHandle SETSOCKOPT = find("setsockopt", INT, true, INT, INT, INT, ADDRESS, INT);
    }

    private static final class Accept {
        static final MethodHandle ACCEPT4 = find("accept4", INT, true, INT, ADDRESS, ADDRESS, INT);
    }

    private static final class Connect {
        static final MethodHandle CONNECT = find("connect", INT, true, INT, ADDRESS, INT);
    }

    private static final class Create {
        static final MethodHandle EPOLL_CREATE1 = find("epoll_create1", INT, true, INT);
        static final MethodHandle EVENTFD = find("eventfd", INT, true, INT, INT);
        static final MethodHandle EPOLL_PWAIT2 =
                HAS_PWAIT2 ? find("epoll_pwait2", INT, false, INT, ADDRESS, INT, ADDRESS, ADDRESS) : EPOLL_WAIT;
    }

    private static final class Vectors {
        static final MethodHandle SENDMSG = find("sendmsg", LONG, true, INT, ADDRESS, INT);
    }

    private static final class Datagrams {
        static final MethodHandle RECVFROM = find("recvfrom", LONG, true, INT, ADDRESS, LONG, INT, ADDRESS, ADDRESS);
        static final MethodHandle SENDTO = find("sendto", LONG, true, INT, ADDRESS, LONG, INT, ADDRESS, INT);
    }

    private static final class Files {
        static final MethodHandle SENDFILE = find("sendfile", LONG, false, INT, INT, ADDRESS, LONG);
        static final MethodHandle OPEN = LINKER.downcallHandle( // its mode is a variable argument
                LINKER.defaultLookup().find("open").orElseThrow(),
                FunctionDescriptor.of(INT, ADDRESS, INT, INT),
                Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle PREAD = find("pread", LONG, false, INT, ADDRESS, LONG, LONG);
        static final MethodHandle PWRITE = find("pwrite", LONG, false, INT, ADDRESS, LONG, LONG);
        static final MethodHandle FSYNC = find("fsync", INT, false, INT);
        static final MethodHandle FDATASYNC = find("fdatasync", INT, false, INT);
        static final MethodHandle FTRUNCATE = find("ftruncate", INT, false, INT, LONG);
        static final MethodHandle LSEEK = find("lseek", LONG, true, INT, LONG, INT);
        static final @Nullable MethodHandle PREADV2 =
                LINKER.defaultLookup().find("preadv2").isPresent()
                        ? find("preadv2", LONG, true, INT, ADDRESS, INT, LONG, INT)
                        : null;
    }

    /** The C library has no names for these but the numbers, which all processors share. */
    private static final class Uring {
        static final long SETUP = 425;
        static final long ENTER = 426;
        static final MethodHandle SYSCALL = LINKER.downcallHandle(
                LINKER.defaultLookup().find("syscall").orElseThrow(),
                FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle MMAP = find("mmap", LONG, false, LONG, LONG, INT, INT, INT, LONG);
        static final MethodHandle MUNMAP = find("munmap", INT, false, LONG, LONG);
    }

    /** For use by whoever makes the system calls. */
    public LinuxSys() {}

    private static MethodHandle find(String name, MemoryLayout result, boolean isShort, MemoryLayout... arguments) {
        List<Linker.Option> options = new ArrayList<>();
        options.add(Linker.Option.captureCallState("errno"));
        if (isShort) options.add(SHORT);
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(result, arguments),
                options.toArray(Linker.Option[]::new));
    }

    private static MemorySegment onHeap() {
        return MemorySegment.ofArray(new int[1]);
    }

    private static int outcome(int result, MemorySegment error) {
        return result >= 0 ? result : -error.get(INT, 0);
    }

    private static long outcome(long result, MemorySegment error) {
        return result >= 0 ? result : -error.get(INT, 0);
    }

    private static Error broken(Throwable t) {
        if (t instanceof Error error) throw error;
        if (t instanceof RuntimeException runtime) throw runtime;
        throw new AssertionError(t); // a C function throws nothing
    }

    @Override
    public int socket(int domain, int type) {
        MemorySegment error = onHeap();
        try {
            return outcome(
                    (int) Setup.SOCKET.invokeExact(error, domain, type | Linux.SOCK_NONBLOCK | Linux.SOCK_CLOEXEC, 0),
                    error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int bind(int fd, MemorySegment address, int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((int) Setup.BIND.invokeExact(error, fd, offHeap(arena, address, length), length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    private static MemorySegment offHeap(Arena arena, MemorySegment segment, int length) {
        return arena.allocate(length, Long.BYTES).copyFrom(segment.asSlice(0, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.LISTEN.invokeExact(error, fd, backlog), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int accept(int fd, MemorySegment address, MemorySegment length) {
        MemorySegment error = onHeap();
        try {
            int flags = Linux.SOCK_NONBLOCK | Linux.SOCK_CLOEXEC;
            return outcome((int) Accept.ACCEPT4.invokeExact(error, fd, address, length, flags), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int connect(int fd, MemorySegment address, int length) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Connect.CONNECT.invokeExact(error, fd, address, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.SHUTDOWN.invokeExact(error, fd, how), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((int) CLOSE.invokeExact(error, fd), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int getsockname(int fd, MemorySegment address, MemorySegment length) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.GETSOCKNAME.invokeExact(error, fd, address, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int getpeername(int fd, MemorySegment address, MemorySegment length) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.GETPEERNAME.invokeExact(error, fd, address, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, MemorySegment value, MemorySegment length) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.GETSOCKOPT.invokeExact(error, fd, level, name, value, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int name, MemorySegment value, int length) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Setup.SETSOCKOPT.invokeExact(error, fd, level, name, value, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long recv(MemorySegment error, int fd, MemorySegment buffer, long length) {
        try {
            return outcome((long) RECV.invokeExact(error, fd, buffer, length, 0), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long send(MemorySegment error, int fd, MemorySegment buffer, long length) {
        try {
            return outcome((long) SEND.invokeExact(error, fd, buffer, length, Linux.MSG_NOSIGNAL), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long sendmsg(MemorySegment error, int fd, MemorySegment message) {
        try {
            return outcome((long) Vectors.SENDMSG.invokeExact(error, fd, message, Linux.MSG_NOSIGNAL), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long recvfrom(
            MemorySegment error,
            int fd,
            MemorySegment buffer,
            long length,
            MemorySegment address,
            MemorySegment addressLength) {
        try {
            return outcome(
                    (long) Datagrams.RECVFROM.invokeExact(
                            error, fd, buffer, length, Linux.MSG_TRUNC, address, addressLength),
                    error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long sendto(
            MemorySegment error, int fd, MemorySegment buffer, long length, MemorySegment address, int addressLength) {
        try {
            return outcome(
                    (long) Datagrams.SENDTO.invokeExact(
                            error, fd, buffer, length, Linux.MSG_NOSIGNAL, address, addressLength),
                    error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long sendfile(int to, int from, MemorySegment offset, long count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((long) Files.SENDFILE.invokeExact(error, to, from, offset, count), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int open(MemorySegment path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((int) Files.OPEN.invokeExact(error, path, flags | Linux.O_CLOEXEC, mode), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long pread(int fd, MemorySegment buffer, long length, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((long) Files.PREAD.invokeExact(error, fd, buffer, length, offset), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long preadNow(int fd, MemorySegment buffer, long length, long offset) {
        MethodHandle call = Files.PREADV2;
        if (call == null) return -Errno.EAGAIN;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vector = arena.allocate(LONG, 2);
            vector.set(LONG, 0, buffer.address());
            vector.set(LONG, 8, length);
            MemorySegment error = arena.allocate(INT);
            return outcome((long) call.invokeExact(error, fd, vector, 1, offset, Linux.RWF_NOWAIT), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long pwrite(int fd, MemorySegment buffer, long length, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((long) Files.PWRITE.invokeExact(error, fd, buffer, length, offset), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int fsync(int fd, boolean metadata) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            int result =
                    metadata ? (int) Files.FSYNC.invokeExact(error, fd) : (int) Files.FDATASYNC.invokeExact(error, fd);
            return outcome(result, error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int ftruncate(int fd, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((int) Files.FTRUNCATE.invokeExact(error, fd, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public long size(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((long) Files.LSEEK.invokeExact(error, fd, 0L, Linux.SEEK_END), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int epollCreate() {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Create.EPOLL_CREATE1.invokeExact(error, Linux.O_CLOEXEC), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        MemorySegment error = onHeap();
        try {
            return outcome((int) EPOLL_CTL.invokeExact(error, epoll, operation, fd, event), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int epollWait(int epoll, MemorySegment events, int max, long nanos) {
        try {
            if (nanos == 0) {
                MemorySegment error = onHeap();
                return outcome((int) EPOLL_LOOK.invokeExact(error, epoll, events, max, 0), error);
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment error = arena.allocate(INT);
                if (nanos == Long.MAX_VALUE) {
                    return outcome((int) EPOLL_WAIT.invokeExact(error, epoll, events, max, -1), error);
                }
                if (pwait2Works) {
                    MemorySegment limit = arena.allocate(LONG, 2);
                    limit.set(LONG, 0, nanos / 1_000_000_000);
                    limit.set(LONG, 8, nanos % 1_000_000_000);
                    int result = outcome(
                            (int) Create.EPOLL_PWAIT2.invokeExact(error, epoll, events, max, limit, MemorySegment.NULL),
                            error);
                    if (result != -Errno.ENOSYS) return result;
                    pwait2Works = false;
                }
                int millis = (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
                return outcome((int) EPOLL_WAIT.invokeExact(error, epoll, events, max, millis), error);
            }
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int eventfd() {
        MemorySegment error = onHeap();
        try {
            return outcome((int) Create.EVENTFD.invokeExact(error, 0, Linux.SOCK_NONBLOCK | Linux.SOCK_CLOEXEC), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int signalEventfd(int fd) {
        MemorySegment error = onHeap();
        try {
            return (int) Math.min(0, outcome((long) WRITE.invokeExact(error, fd, ONE, (long) Long.BYTES), error));
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    private static int syscall(long number, long a, long b, long c, long d) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return (int) outcome((long) Uring.SYSCALL.invokeExact(error, number, a, b, c, d, 0L, 0L), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int uringSetup(int entries, MemorySegment parameters) {
        return syscall(Uring.SETUP, entries, parameters.address(), 0, 0);
    }

    @Override
    public int uringEnter(int fd, int submit, int complete, int flags) {
        return syscall(Uring.ENTER, fd, submit, complete, flags);
    }

    @Override
    public long map(int fd, long length, long offset) {
        int rights = Linux.PROT_READ | Linux.PROT_WRITE;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome(
                    (long) Uring.MMAP.invokeExact(
                            error, 0L, length, rights, Linux.MAP_SHARED | Linux.MAP_POPULATE, fd, offset),
                    error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }

    @Override
    public int unmap(long address, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(INT);
            return outcome((int) Uring.MUNMAP.invokeExact(error, address, length), error);
        } catch (Throwable t) {
            throw broken(t);
        }
    }
}
