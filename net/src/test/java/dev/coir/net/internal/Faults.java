package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A table of system calls that goes wrong on demand, and counts. */
public final class Faults {
    /** What happens in the place of a call, or around it. */
    public interface Fault {
        Object call(Object[] arguments, Real real) throws Throwable;
    }

    /** The call that would have been made. */
    public interface Real {
        Object call(Object... arguments) throws Throwable;
    }

    private final Sys real = new LinuxSys();
    private final Map<String, Queue<Fault>> once = new ConcurrentHashMap<>();
    private final Map<String, Fault> always = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Queue<Long> registered = new ConcurrentLinkedQueue<>(); // data of what epoll watches
    private volatile boolean remembering; // what is registered

    /** The table. */
    public Sys sys() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    counts.computeIfAbsent(name, each -> new AtomicLong()).incrementAndGet();
                    Object[] given = arguments == null ? new Object[0] : arguments;
                    if (remembering && name.equals("epollCtl") && (int) given[1] == Linux.EPOLL_CTL_ADD) {
                        registered.add(
                                ((MemorySegment) given[3]).get(ValueLayout.JAVA_LONG_UNALIGNED, Linux.EPOLL_DATA_AT));
                    }
                    Real call = changed -> {
                        try {
                            return method.invoke(real, changed);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    };
                    Queue<Fault> plan = once.get(name);
                    Fault fault = plan == null ? null : plan.poll();
                    if (fault == null) fault = always.get(name);
                    return fault == null ? call.call(given) : fault.call(given, call);
                });
    }

    /** Everything works from now on, and nothing has been counted. */
    public void reset() {
        once.clear();
        always.clear();
        counts.clear();
        registered.clear();
        remembering = false;
    }

    /** The next calls of a name fail with these error numbers, one after the other. */
    public Faults fail(String name, int... errors) {
        for (int error : errors) next(name, (arguments, call) -> result(name, -error));
        return this;
    }

    /** What the next call of a name does. */
    public void next(String name, Fault fault) {
        once.computeIfAbsent(name, each -> new ConcurrentLinkedQueue<>(new ArrayDeque<>()))
                .add(fault);
    }

    /** What all calls of a name do from now on. */
    public Faults always(String name, Fault fault) {
        always.put(name, fault);
        return this;
    }

    /** A call of this name moves at most so many bytes. */
    public Faults shorten(String name, int lengthAt, long most) {
        return always(name, (arguments, call) -> {
            Object[] changed = arguments.clone();
            changed[lengthAt] = Math.min((long) changed[lengthAt], most);
            return call.call(changed);
        });
    }

    /** A buffer as the system is told of it. */
    public record Vector(long address, long length) {}

    /** The buffers of a msghdr. */
    @SuppressWarnings("restricted")
    public static List<Vector> vectors(MemorySegment message) {
        long count = message.get(ValueLayout.JAVA_LONG, 24);
        MemorySegment all =
                MemorySegment.ofAddress(message.get(ValueLayout.JAVA_LONG, 16)).reinterpret(16 * count);
        List<Vector> vectors = new ArrayList<>();
        for (long at = 0; at < 16 * count; at += 16)
            vectors.add(new Vector(all.get(ValueLayout.JAVA_LONG, at), all.get(ValueLayout.JAVA_LONG, at + 8)));
        return vectors;
    }

    /** A message moves at most so many bytes, and so may end inside a buffer. */
    @SuppressWarnings("restricted")
    public Faults shortenMessages(long most) {
        return always("sendmsg", (arguments, call) -> {
            var message = (MemorySegment) arguments[2];
            List<Vector> vectors = vectors(message);
            MemorySegment all = MemorySegment.ofAddress(message.get(ValueLayout.JAVA_LONG, 16))
                    .reinterpret(16L * vectors.size());
            long left = most;
            int kept = 0;
            for (; kept < vectors.size() && left > 0; kept++) {
                long length = Math.min(left, vectors.get(kept).length());
                all.set(ValueLayout.JAVA_LONG, 16L * kept + 8, length);
                left -= length;
            }
            message.set(ValueLayout.JAVA_LONG, 24, kept);
            return call.call(arguments);
        });
    }

    /** Each poll also tells of events that have not happened, at everything that is ever registered from now on. */
    public Faults spuriousEvents(int mask, AtomicInteger told) {
        remembering = true;
        return always("epollWait", (arguments, call) -> {
            Object[] changed = arguments.clone();
            changed[3] = Math.min((long) changed[3], 1_000_000L);
            int count = (int) call.call(changed);
            var events = (MemorySegment) arguments[1];
            for (long data : registered) {
                if (count < 0 || count >= (int) arguments[2] || data == -1) continue;
                long at = (long) count++ * Linux.EPOLL_EVENT_BYTES;
                events.set(ValueLayout.JAVA_INT_UNALIGNED, at, mask);
                events.set(ValueLayout.JAVA_LONG_UNALIGNED, at + Linux.EPOLL_DATA_AT, data);
                told.incrementAndGet();
            }
            return count;
        });
    }

    /** How many calls of a name there were. */
    public long count(String name) {
        AtomicLong count = counts.get(name);
        return count == null ? 0 : count.get();
    }

    private static Object result(String name, int value) {
        return switch (name) {
            case "recv",
                    "send",
                    "sendmsg",
                    "recvfrom",
                    "sendto",
                    "sendfile",
                    "pread",
                    "preadNow",
                    "pwrite",
                    "size",
                    "map" -> (Object) (long) value;
            default -> (Object) value;
        };
    }
}
