package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A system whose network is memory of this process. Under {@link NativeNet} it is what a hand-driven poller needs: sockets and
 * pollers are the real ones, and the test says when an event arrives.
 *
 * {@snippet :
 * var sys = SimulatedSys.byHand();
 * var net = new NativeNet(sys, true);
 * …                    // somebody reads from a socket of that net, and waits
 * sys.send(peer, "x"); // an event is on its way
 * …                    // anything else may happen first
 * sys.deliverNext();   // it has arrived, and has been handled
 * }
 */
public final class SimulatedSys extends StreamsOnlySys {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30); // after which nobody polls
    private static final int FIRST_NUMBER = 3;
    private static final int ENOENT = 2;
    private static final int EBADF = 9;

    private final SimulatedLock lock = new SimulatedLock(); // of everything below
    private final Random random;
    private final SimulatedPoller.Delivery delivery;
    private final Map<Integer, Object> open = new TreeMap<>(); // sockets, pollers, eventfds
    private final SimulatedAddresses addresses = new SimulatedAddresses();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Queue<Runnable>> hooks = new HashMap<>();

    private SimulatedSys(SimulatedPoller.Delivery delivery, long seed) {
        this.delivery = delivery;
        this.random = new Random(seed);
    }

    /** One whose events arrive when the test says so. */
    public static SimulatedSys byHand() {
        return new SimulatedSys(SimulatedPoller.Delivery.BY_HAND, 0);
    }

    /** One whose events come late, in any order, and now and then for nothing. */
    public static SimulatedSys byChance(long seed) {
        return new SimulatedSys(SimulatedPoller.Delivery.BY_CHANCE, seed);
    }

    // ---- for tests: events ------------------------------------------------------------------------------------------

    /** The events that have happened and not arrived. */
    List<SimulatedPoller.Event> onTheWay() {
        return lock.alone(
                () -> pollers().flatMap(each -> each.onTheWay().stream()).toList());
    }

    /** Lets an event arrive, and returns when whoever polls has handled it. */
    void deliver(SimulatedPoller.Event event) {
        SimulatedPoller poller = event.watch().by();
        int number = lock.change(() -> poller.arrive(event));
        if (!lock.await(PATIENCE_NANOS, () -> poller.hasHandled(number)))
            throw new AssertionError("nobody polls: " + event + " has not been taken");
    }

    /** Lets the first event on its way arrive. */
    void deliverNext() {
        deliver(onTheWay().getFirst());
    }

    /** Lets every event arrive that is on its way. */
    void deliverAll() {
        onTheWay().forEach(this::deliver);
    }

    /** Puts an event on its way that has not happened. */
    SimulatedPoller.Event invent(int fd, int mask) {
        return lock.alone(() -> {
            var socket = (SimulatedSocket) open.get(fd);
            SimulatedPoller watcher =
                    pollers().filter(each -> each.watches(socket)).findFirst().orElseThrow();
            return watcher.invent(socket, mask);
        });
    }

    private Stream<SimulatedPoller> pollers() {
        return open.values().stream().filter(SimulatedPoller.class::isInstance).map(SimulatedPoller.class::cast);
    }

    // ---- for tests: calls -------------------------------------------------------------------------------------------

    /** Runs something after the next call of a name: it has been decided what the call returns, and it has not returned. */
    void after(String name, Runnable action) {
        lock.alone(() -> hooks.computeIfAbsent(name, each -> new ArrayDeque<>()).add(action));
    }

    /** How many calls of a name there were. */
    int count(String name) {
        return lock.alone(() -> counts.getOrDefault(name, 0));
    }

    boolean isOpen(int fd) {
        return lock.alone(() -> open.containsKey(fd));
    }

    /** How many descriptors are open, of pollers too. */
    public int open() {
        return lock.alone(open::size);
    }

    /** A connection of somebody whom nobody watches. @return its number */
    int connectTo(SocketAddress address) throws SocketException {
        int family = SockAddr.familyOf(address);
        int fd = socket(family, Linux.SOCK_STREAM);
        var to = new SockAddr().put(address, family);
        connect(fd, to.address, to.length());
        return fd;
    }

    long send(int fd, String text) {
        MemorySegment bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
        return send(MemorySegment.NULL, fd, bytes, bytes.byteSize());
    }

    long receive(int fd, int most) {
        return recv(MemorySegment.NULL, fd, MemorySegment.ofArray(new byte[most]), most);
    }

    // ---- a call -----------------------------------------------------------------------------------------------------

    private int call(String name, IntSupplier body) {
        int result = lock.change(() -> {
            counts.merge(name, 1, Integer::sum);
            return body.getAsInt();
        });
        Runnable hook =
                lock.alone(() -> hooks.getOrDefault(name, new ArrayDeque<>()).poll());
        if (hook != null) hook.run();
        return result;
    }

    private interface OnSocket {
        int apply(SimulatedSocket socket);
    }

    private int call(String name, int fd, OnSocket body) {
        return call(name, () -> open.get(fd) instanceof SimulatedSocket socket ? body.apply(socket) : -EBADF);
    }

    private int give(Object file) {
        int number = FIRST_NUMBER;
        while (open.containsKey(number)) number++; // the lowest that is free, so that numbers are used again soon
        open.put(number, file);
        if (file instanceof SimulatedSocket socket) socket.number = number;
        return number;
    }

    // ---- sockets ----------------------------------------------------------------------------------------------------

    @Override
    public int socket(int domain, int type) {
        if (type != Linux.SOCK_STREAM) return -Errno.EPROTONOSUPPORT;
        return call("socket", () -> give(new SimulatedSocket(domain)));
    }

    @Override
    public int bind(int fd, MemorySegment address, int length) {
        return call("bind", fd, socket -> addresses.bind(socket, get(address, length)));
    }

    @Override
    public int listen(int fd, int backlog) {
        return call("listen", fd, socket -> socket.listen(backlog));
    }

    @Override
    public int connect(int fd, MemorySegment address, int length) {
        return call("connect", fd, socket -> {
            SocketAddress to = get(address, length);
            addresses.ensureHasOne(socket, to);
            socket.remote = to;
            return socket.connect(addresses.findListener(to));
        });
    }

    @Override
    public int accept(int fd, MemorySegment address, MemorySegment length) {
        return call("accept", fd, socket -> {
            if (!socket.isListening()) return -Errno.EINVAL;
            SimulatedSocket accepted = socket.accept();
            if (accepted == null) return -Errno.EAGAIN;
            put(accepted.remote, accepted.family, address, length);
            return give(accepted);
        });
    }

    @Override
    public int shutdown(int fd, int how) {
        return call("shutdown", fd, socket -> {
            int result = socket.shutdown(how != Linux.SHUT_WR, how != Linux.SHUT_RD);
            if (!socket.isListening() && !socket.isConnected()) addresses.release(socket); // the port is free
            return result;
        });
    }

    @Override
    public int close(int fd) {
        return call("close", () -> {
            Object file = open.remove(fd);
            if (file == null) return -EBADF;
            if (file instanceof SimulatedPoller poller) poller.close();
            if (file instanceof SimulatedSocket socket) {
                addresses.release(socket);
                socket.close();
            }
            return 0;
        });
    }

    @Override
    public int getsockname(int fd, MemorySegment address, MemorySegment length) {
        return call("getsockname", fd, socket -> put(socket.local, socket.family, address, length));
    }

    @Override
    public int getpeername(int fd, MemorySegment address, MemorySegment length) {
        return call(
                "getpeername",
                fd,
                socket -> socket.isConnected() ? put(socket.remote, socket.family, address, length) : -Errno.ENOTCONN);
    }

    private static SocketAddress get(MemorySegment address, int length) {
        var copy = new SockAddr();
        MemorySegment.copy(address, 0, copy.address, 0, length);
        return copy.get();
    }

    private static int put(@Nullable SocketAddress from, int family, MemorySegment address, MemorySegment length) {
        if (from == null) return -Errno.EINVAL;
        try {
            var copy = new SockAddr().put(from, family);
            MemorySegment.copy(copy.address, 0, address, 0, copy.length());
            length.set(ValueLayout.JAVA_INT_UNALIGNED, 0, copy.length());
            return 0;
        } catch (SocketException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, MemorySegment value, MemorySegment length) {
        return call("getsockopt", fd, socket -> {
            boolean isError = level == Linux.SOL_SOCKET && name == Linux.SO_ERROR;
            int[] told = isError ? new int[] {socket.takeError()} : socket.option(level, name);
            MemorySegment.copy(MemorySegment.ofArray(told), 0, value, 0, 4L * told.length);
            return 0;
        });
    }

    @Override
    public int setsockopt(int fd, int level, int name, MemorySegment value, int length) {
        return call("setsockopt", fd, socket -> {
            socket.setOption(level, name, value.asSlice(0, length).toArray(ValueLayout.JAVA_INT_UNALIGNED));
            return 0;
        });
    }

    // ---- bytes ------------------------------------------------------------------------------------------------------

    @Override
    public long recv(MemorySegment error, int fd, MemorySegment buffer, long length) {
        return call("recv", fd, socket -> {
            ByteBuffer some = ByteBuffer.allocate((int) Math.min(length, SimulatedSocket.ROOM));
            int count = socket.receive(some);
            MemorySegment.copy(MemorySegment.ofArray(some.array()), 0, buffer, 0, some.position());
            return count;
        });
    }

    @Override
    public long send(MemorySegment error, int fd, MemorySegment buffer, long length) {
        return call("send", fd, socket -> socket.send(ByteBuffer.wrap(bytes(buffer, length))));
    }

    @Override
    @SuppressWarnings("restricted")
    public long sendmsg(MemorySegment error, int fd, MemorySegment message) {
        return call("sendmsg", fd, socket -> {
            int sum = 0;
            for (Faults.Vector each : Faults.vectors(message)) {
                MemorySegment part = MemorySegment.ofAddress(each.address()).reinterpret(each.length());
                int count = socket.send(ByteBuffer.wrap(bytes(part, each.length())));
                if (count < 0) return sum == 0 ? count : sum;
                sum += count;
                if (count < each.length()) return sum;
            }
            return sum;
        });
    }

    private static byte[] bytes(MemorySegment from, long length) {
        return from.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    // ---- polling ----------------------------------------------------------------------------------------------------

    @Override
    public int epollCreate() {
        return call("epollCreate", () -> give(new SimulatedPoller()));
    }

    private static final class Eventfd {
        @Nullable
        SimulatedPoller watcher;
    }

    @Override
    public int eventfd() {
        return call("eventfd", () -> give(new Eventfd()));
    }

    @Override
    public int signalEventfd(int fd) {
        return call("signalEventfd", () -> {
            if (!(open.get(fd) instanceof Eventfd eventfd)) return -EBADF;
            if (eventfd.watcher != null) eventfd.watcher.signal();
            return 0;
        });
    }

    @Override
    public int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        return call("epollCtl", () -> {
            if (!(open.get(epoll) instanceof SimulatedPoller poller)) return -EBADF;
            long data = event.get(ValueLayout.JAVA_LONG_UNALIGNED, Linux.EPOLL_DATA_AT);
            int interest = event.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            return switch (open.get(fd)) {
                case Eventfd eventfd -> {
                    eventfd.watcher = poller;
                    poller.addEventfd(data);
                    yield 0;
                }
                case SimulatedSocket socket -> control(poller, operation, socket, interest, data);
                case null, default -> -EBADF;
            };
        });
    }

    private static int control(SimulatedPoller poller, int operation, SimulatedSocket socket, int interest, long data) {
        if (operation == Linux.EPOLL_CTL_DEL) return poller.remove(socket) ? 0 : -ENOENT;
        if (poller.watches(socket)) return -Errno.EEXIST;
        socket.watchedBy(poller);
        poller.add(socket, interest, data);
        return 0;
    }

    @Override
    public int epollWait(int epoll, MemorySegment events, int max, long nanos) {
        if (!(lock.alone(() -> open.get(epoll)) instanceof SimulatedPoller poller)) return -EBADF;
        lock.change(poller::beginPoll);
        int[] count = new int[1];
        lock.await(nanos, () -> (count[0] = poller.poll(events, max, delivery, random)) != 0 || poller.isClosed);
        return count[0];
    }
}
