package dev.coir.net.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * The system's side of a ring, played by the test: same memory, same calls, and an eventfd for a descriptor. What becomes of each
 * request, and when, is as the test says.
 */
@SuppressWarnings("restricted")
public final class FakeUring {
    /** A request as it was put up. */
    public record Request(int ring, int opcode, int fd, long position, long address, int length, int flags, long id) {
        public boolean isRead() {
            return opcode == Linux.IORING_OP_READ;
        }

        public boolean isWrite() {
            return opcode == Linux.IORING_OP_WRITE;
        }

        public boolean isCancel() {
            return opcode == Linux.IORING_OP_ASYNC_CANCEL;
        }
    }

    /** What is shared with those who opened a ring. */
    private record Memory(MemorySegment rings, MemorySegment requests) {}

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SQ_HEAD = 0;
    private static final int SQ_TAIL = 4;
    private static final int CQ_HEAD = 16;
    private static final int CQ_TAIL = 20;
    private static final int ARRAY = 64;
    private static final int CQES = 1024;
    private static final int FEATURES = 0xff;

    private final Sys real = new LinuxSys();
    private final int sqEntries;
    private final int cqEntries;
    private final Map<Integer, Memory> memories = new ConcurrentHashMap<>(); // by descriptor
    private final List<Request> held = new ArrayList<>(); // guarded by this
    private final List<Request> seen = new ArrayList<>(); // guarded by this
    private final Queue<Integer> refusals = new ArrayDeque<>(); // guarded by this
    private ToIntFunction<Request> outcome = this::perform; // guarded by this
    private boolean holding; // guarded by this
    private int overflows; // guarded by this

    /** Takes the place of the system's rings in a table of calls. */
    public FakeUring(Faults faults, int sqEntries, int cqEntries) {
        this.sqEntries = sqEntries;
        this.cqEntries = cqEntries;
        faults.always("uringSetup", (arguments, call) -> setup((MemorySegment) arguments[1]))
                .always("map", (arguments, call) -> {
                    Memory memory = memories.get((int) arguments[0]);
                    return ((long) arguments[2] == 0 ? memory.rings : memory.requests).address();
                })
                .always("unmap", (arguments, call) -> 0)
                .always(
                        "uringEnter",
                        (arguments, call) -> enter((int) arguments[0], (int) arguments[1], (int) arguments[2]));
    }

    private synchronized int setup(MemorySegment parameters) {
        parameters.set(INT, 0, sqEntries);
        parameters.set(INT, 4, cqEntries);
        parameters.set(INT, 20, FEATURES);
        parameters.set(INT, 40, SQ_HEAD);
        parameters.set(INT, 44, SQ_TAIL);
        parameters.set(INT, 64, ARRAY);
        parameters.set(INT, 80, CQ_HEAD);
        parameters.set(INT, 84, CQ_TAIL);
        parameters.set(INT, 100, CQES);
        int ring = real.eventfd();
        memories.put(
                ring,
                new Memory(
                        Arena.ofAuto().allocate(CQES + 16L * cqEntries, 64),
                        Arena.ofAuto().allocate(64L * sqEntries, 64)));
        return ring;
    }

    private synchronized int enter(int ring, int submit, int complete) {
        if (submit > 0 && !refusals.isEmpty()) return -refusals.remove();
        MemorySegment rings = memories.get(ring).rings;
        int taken = 0;
        for (; taken < submit && rings.get(INT, SQ_HEAD) != rings.get(INT, SQ_TAIL); taken++) take(ring);
        if (complete > 0) while (!held.isEmpty()) finish(held.get(0), perform(held.get(0))); // in time, all are done
        return taken;
    }

    private void take(int ring) {
        MemorySegment rings = memories.get(ring).rings;
        MemorySegment requests = memories.get(ring).requests;
        int head = rings.get(INT, SQ_HEAD);
        long at = 64L * rings.get(INT, ARRAY + 4L * (head & (sqEntries - 1)));
        var request = new Request(
                ring,
                requests.get(ValueLayout.JAVA_BYTE, at),
                requests.get(INT, at + 4),
                requests.get(LONG, at + 8),
                requests.get(LONG, at + 16),
                requests.get(INT, at + 24),
                requests.get(INT, at + 28),
                requests.get(LONG, at + 32));
        rings.set(INT, SQ_HEAD, head + 1);
        seen.add(request);
        if (request.isCancel()) post(request, 0);
        else if (holding) held.add(request);
        else post(request, outcome.applyAsInt(request));
        notifyAll();
    }

    private void post(Request request, int result) {
        MemorySegment rings = memories.get(request.ring).rings;
        int tail = rings.get(INT, CQ_TAIL);
        if (tail - rings.get(INT, CQ_HEAD) == cqEntries) overflows++;
        long at = CQES + 16L * (tail & (cqEntries - 1));
        rings.set(LONG, at, request.id);
        rings.set(INT, at + 8, result);
        INT.varHandle().setRelease(rings, (long) CQ_TAIL, tail + 1);
        real.signalEventfd(request.ring);
    }

    /** Does what was asked for: the usual outcome. */
    public int perform(Request request) {
        MemorySegment memory = MemorySegment.ofAddress(request.address).reinterpret(request.length);
        return switch (request.opcode) {
            case Linux.IORING_OP_READ -> (int) real.pread(request.fd, memory, request.length, request.position);
            case Linux.IORING_OP_WRITE -> (int) real.pwrite(request.fd, memory, request.length, request.position);
            case Linux.IORING_OP_FSYNC -> real.fsync(request.fd, request.flags != Linux.IORING_FSYNC_DATASYNC);
            default -> throw new AssertionError(request);
        };
    }

    /** What becomes of requests from now on: a number of bytes, or minus an error number. */
    public synchronized FakeUring outcome(ToIntFunction<Request> function) {
        outcome = function;
        return this;
    }

    /** A request moves at most so many bytes from now on. */
    public FakeUring shorten(int most) {
        return outcome(each -> perform(new Request(
                each.ring,
                each.opcode,
                each.fd,
                each.position,
                each.address,
                Math.min(each.length, most),
                each.flags,
                each.id)));
    }

    /** Hands over nothing next, but returns these error numbers, one after the other. */
    public synchronized FakeUring refuse(int... errors) {
        for (int each : errors) refusals.add(each);
        return this;
    }

    /** Keeps requests from now on until they are {@linkplain #finish finished}. */
    public synchronized FakeUring hold() {
        holding = true;
        return this;
    }

    /** Ends a request that is held. */
    public synchronized void finish(Request request, int result) {
        if (!held.remove(request)) throw new AssertionError(request + " is not held");
        post(request, result);
    }

    /** Ends all that are held as is usual, and holds none any more. */
    public synchronized void release() {
        holding = false;
        while (!held.isEmpty()) finish(held.get(0), perform(held.get(0)));
    }

    /** Waits until so many are held. */
    public synchronized List<Request> awaitHeld(int count) throws InterruptedException {
        while (held.size() < count) wait();
        return List.copyOf(held);
    }

    /** Waits until somebody has asked to give a request up. */
    public synchronized void awaitCancel(Request request) throws InterruptedException {
        while (seen.stream().noneMatch(each -> each.isCancel() && each.address == request.id)) wait();
    }

    /** All requests so far. */
    public synchronized List<Request> seen() {
        return List.copyOf(seen);
    }

    /** How many results have found no place. */
    public synchronized int overflows() {
        return overflows;
    }
}
