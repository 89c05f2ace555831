package dev.coir.net.internal;

import dev.coir.internal.SpinGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Watches descriptors through epoll: each is registered once, edge-triggered, for both directions. */
public final class EpollPoller implements Watcher {
    /*
     * E1. A wake-up is not lost. The waker sets `woken` first and looks at `sleeping` after; who polls sets `sleeping` first and
     *     looks at `woken` after. The eventfd is written only while somebody sleeps. `woken` falls when a poll that may wait
     *     returns: whoever returns from one looks everywhere. Guarded by PollerContract.
     * E2. The eventfd is edge-triggered as well and is never read: each write is an edge.
     * E3. The descriptors of a poller are closed when nobody is inside a call that uses them: `users` counts those. So no such
     *     call ever meets a number that has been given to somebody else.
     * E4. The table leads from a number to the handle that has it. A handle is entered before it is registered and taken out
     *     before its number is closed, so a number never leads to an older handle than the system's; the generation tells
     *     events apart that were fetched before and are delivered after.
     * E5. The ring is watched like a descriptor, edge-triggered, from before the first request is put up. Whoever polls reaps it
     *     until it is empty, so each completion is reaped or is an edge of its own.
     */
    private static final int WATCHED =
            Linux.EPOLLIN | Linux.EPOLLOUT | Linux.EPOLLPRI | Linux.EPOLLRDHUP | Linux.EPOLLET;
    private static final int MOST_EVENTS = 256;
    private static final long WAKE_UP = -1; // the eventfd's data; generations are positive
    private static final long RING = -2; // the ring's data
    private static final int CLOSED = 1 << 31;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Sys sys;
    private final boolean makeshift;
    private final int epoll;
    private final int eventfd;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment events = arena.allocate((long) MOST_EVENTS * Linux.EPOLL_EVENT_BYTES, Long.BYTES);
    private final AtomicInteger users = new AtomicInteger(); // CLOSED | how many are inside
    private final AtomicInteger watching = new AtomicInteger(); // handles in the table
    private final SpinGuard guard = new SpinGuard(); // for changes of the table
    private volatile AtomicReferenceArray<@Nullable Handle> table = new AtomicReferenceArray<>(64); // by number
    private final AtomicReference<@Nullable Ring> ring = new AtomicReference<>(); // opened when first needed
    private volatile boolean sleeping; // written by who polls
    private volatile boolean woken; // set by wakers, cleared by who polls

    private EpollPoller(Sys sys, boolean makeshift, int epoll, int eventfd) {
        this.sys = sys;
        this.makeshift = makeshift;
        this.epoll = epoll;
        this.eventfd = eventfd;
    }

    /**
     * A new poller.
     *
     * @param sys makes the system calls
     * @param makeshift whether it will have a thread of its own
     * @return the poller
     * @throws UncheckedIOException when the system refuses
     */
    public static EpollPoller open(Sys sys, boolean makeshift) {
        int epoll = opened(sys.epollCreate());
        int eventfd = sys.eventfd();
        if (eventfd < 0) sys.close(epoll);
        var poller = new EpollPoller(sys, makeshift, epoll, opened(eventfd));
        int result = poller.control(Linux.EPOLL_CTL_ADD, eventfd, Linux.EPOLLIN | Linux.EPOLLET, WAKE_UP); // E2
        if (result < 0) {
            poller.close();
            throw new UncheckedIOException(Errno.exception("opening a poller", -result));
        }
        return poller;
    }

    private static int opened(int fd) {
        if (fd < 0) throw new UncheckedIOException(Errno.exception("opening a poller", -fd));
        return fd;
    }

    private int control(int operation, int fd, int mask, long data) {
        MemorySegment event = MemorySegment.ofArray(new byte[Linux.EPOLL_EVENT_BYTES]);
        event.set(INT, 0, mask);
        event.set(LONG, Linux.EPOLL_DATA_AT, data);
        return sys.epollCtl(epoll, operation, fd, event);
    }

    // ---- polling ----------------------------------------------------------------------------------------------------

    @Override
    public int poll(long nanos) {
        if (nanos == 0) return deliver(sys.epollWait(epoll, events, MOST_EVENTS, 0));
        sleeping = true;
        int count = sys.epollWait(epoll, events, MOST_EVENTS, woken ? 0 : nanos); // after sleeping: E1
        sleeping = false;
        int delivered = deliver(count);
        woken = false;
        return delivered;
    }

    private int deliver(int count) {
        if (count < 0) {
            if (count == -Errno.EINTR) return 0;
            throw new UncheckedIOException(Errno.exception("polling", -count));
        }
        int delivered = 0;
        for (int i = 0; i < count; i++) {
            long at = (long) i * Linux.EPOLL_EVENT_BYTES;
            long data = events.get(LONG, at + Linux.EPOLL_DATA_AT);
            if (data == WAKE_UP) continue;
            if (data == RING) {
                delivered += reap();
                continue;
            }
            deliver(events.get(INT, at), data);
            delivered++;
        }
        return delivered;
    }

    private void deliver(int mask, long data) {
        Handle handle = find((int) data, (int) (data >>> 32));
        if (handle == null) return;
        boolean broken = (mask & (Linux.EPOLLERR | Linux.EPOLLHUP)) != 0;
        if (broken || (mask & (Linux.EPOLLPRI | Linux.EPOLLRDHUP)) != 0) handle.distrustShortReads();
        if (broken || (mask & (Linux.EPOLLIN | Linux.EPOLLRDHUP | Linux.EPOLLPRI)) != 0) handle.ready(Gate.READ);
        if (broken || (mask & Linux.EPOLLOUT) != 0) handle.ready(Gate.WRITE);
    }

    @Nullable
    Handle find(int fd, int generation) {
        AtomicReferenceArray<@Nullable Handle> all = table;
        Handle handle = fd < all.length() ? all.get(fd) : null;
        return handle != null && handle.generation == generation ? handle : null; // E4
    }

    @Override
    public void wakeUp() {
        woken = true;
        if (!sleeping || !enter()) return; // E1
        sys.signalEventfd(eventfd);
        leave();
    }

    @Override
    public boolean isWatching() {
        Ring opened = ring.get();
        return watching.get() != 0 || (opened != null && opened.underWay() != 0);
    }

    @Override
    public boolean isMakeshift() {
        return makeshift;
    }

    @Override
    public boolean isClosed() {
        return users.get() < 0;
    }

    // ---- handles ----------------------------------------------------------------------------------------------------

    @Override
    public boolean add(Handle handle) throws IOException {
        if (!enter()) return false;
        try {
            enlist(handle);
            long data = (long) handle.generation << 32 | handle.number();
            int result = control(Linux.EPOLL_CTL_ADD, handle.number(), WATCHED, data);
            if (result < 0) {
                delist(handle);
                throw Errno.exception("watching " + handle, -result);
            }
            return true;
        } finally {
            leave();
        }
    }

    @Override
    public void remove(Handle handle, boolean closing) {
        if (!delist(handle) || closing || !enter()) return; // the system forgets a number that is closed
        control(Linux.EPOLL_CTL_DEL, handle.number(), 0, 0);
        leave();
    }

    @Override
    public void want(Handle handle, int direction) {}

    private void enlist(Handle handle) {
        int number = handle.number();
        guard.acquire();
        AtomicReferenceArray<@Nullable Handle> all = table;
        if (number >= all.length()) {
            var larger = new AtomicReferenceArray<@Nullable Handle>(Math.max(number + 1, 2 * all.length()));
            for (int i = 0; i < all.length(); i++) larger.setPlain(i, all.getPlain(i));
            table = larger;
            all = larger;
        }
        all.set(number, handle);
        guard.release();
        watching.incrementAndGet();
    }

    private boolean delist(Handle handle) {
        guard.acquire();
        AtomicReferenceArray<@Nullable Handle> all = table;
        int number = handle.number();
        boolean here = number < all.length() && all.get(number) == handle;
        if (here) all.set(number, null);
        guard.release();
        if (here) watching.decrementAndGet();
        return here;
    }

    // ---- requests that the system serves ----------------------------------------------------------------------------

    /**
     * Puts a call up, which is completed when the system is done with it. Any thread.
     *
     * @param call new
     * @return false when this poller has been closed
     * @throws Ring.RefusedException when the system has no ring for it
     */
    boolean put(RingCall call) throws Ring.RefusedException {
        if (!enter()) return false;
        try {
            Ring opened = ring.get();
            (opened != null ? opened : openRing()).put(call);
        } finally {
            leave();
        }
        reap(); // what was in memory is done already
        return true;
    }

    /** Inside. Who comes second throws its ring away. */
    private Ring openRing() throws Ring.RefusedException {
        Ring made = Ring.open(sys);
        int result = control(Linux.EPOLL_CTL_ADD, made.number(), Linux.EPOLLIN | Linux.EPOLLET, RING); // E5
        if (result == 0) {
            Ring before = ring.compareAndExchange(null, made);
            if (before == null) return made;
            made.close();
            return before;
        }
        made.close();
        throw new Ring.RefusedException(-result);
    }

    private int reap() {
        Ring opened = ring.get();
        return opened == null ? 0 : opened.reap();
    }

    // ---- its own life -----------------------------------------------------------------------------------------------

    private boolean enter() {
        int seen;
        do {
            seen = users.get();
            if (seen < 0) return false;
        } while (!users.compareAndSet(seen, seen + 1));
        return true;
    }

    private void leave() {
        users.decrementAndGet();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // those inside make one short call
    public void close() {
        if ((users.getAndUpdate(seen -> seen | CLOSED) & CLOSED) != 0) return;
        while (users.get() != CLOSED) Thread.yield(); // E3
        Ring opened = ring.get();
        if (opened != null) opened.close();
        sys.close(epoll);
        sys.close(eventfd);
        for (Handle each : takeAll()) each.lostWatcher(this);
    }

    private List<Handle> takeAll() {
        List<Handle> all = new ArrayList<>();
        guard.acquire();
        AtomicReferenceArray<@Nullable Handle> last = table;
        for (int i = 0; i < last.length(); i++) {
            Handle each = last.getAndSet(i, null);
            if (each != null) all.add(each);
        }
        guard.release();
        watching.addAndGet(-all.size());
        return all;
    }

    @Override
    public String toString() {
        return "EpollPoller[" + watching.get() + " watched" + (isClosed() ? ", closed" : "") + "]";
    }
}
