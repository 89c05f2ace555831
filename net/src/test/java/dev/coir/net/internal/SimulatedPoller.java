package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * An epoll instance of the simulated system. Between happening and arriving an event is on its way, as long as the test likes:
 * nothing calls it back, neither a close nor a second event. So a test can do what a kernel does only now and then, when a poll
 * has fetched an event and something else happens before the event is handled. All under the system's lock.
 */
final class SimulatedPoller {
    /** Which events on their way arrive when somebody polls. */
    enum Delivery {
        /** None: the test says which. */
        BY_HAND,
        /** Some and at least one, in any order, and now and then one that never happened. */
        BY_CHANCE
    }

    /** A socket that is watched, with what the poller is told of it. */
    record Watch(SimulatedPoller by, SimulatedSocket socket, int interest, long data) {}

    /** Something that happened to a watched socket. */
    record Event(Watch watch, int mask) {
        @Override
        public String toString() {
            return "event " + Integer.toHexString(mask) + " of socket " + watch.socket.number;
        }
    }

    private final List<Watch> watches = new ArrayList<>();
    private final List<Event> onTheWay = new ArrayList<>();
    private final Deque<Event> arrived = new ArrayDeque<>();
    private long wakeUpData;
    private boolean signalled; // the eventfd; its events need nobody's leave
    private int taken; // events that polls have returned
    private int handled; // of those, the ones whose poll was followed by another
    boolean isClosed;

    // ---- what is watched --------------------------------------------------------------------------------------------

    /** Watches a socket, and tells what is ready already. */
    void add(SimulatedSocket socket, int interest, long data) {
        var watch = new Watch(this, socket, interest | Linux.EPOLLERR | Linux.EPOLLHUP, data);
        watches.add(watch);
        tell(watch);
    }

    void addEventfd(long data) {
        wakeUpData = data;
    }

    boolean remove(SimulatedSocket socket) {
        return watches.removeIf(each -> each.socket == socket);
    }

    boolean watches(SimulatedSocket socket) {
        return watches.stream().anyMatch(each -> each.socket == socket);
    }

    // ---- what happens -----------------------------------------------------------------------------------------------

    /** Something has happened to a socket: an edge. */
    void happened(SimulatedSocket socket) {
        for (Watch each : watches) if (each.socket == socket) tell(each);
    }

    private void tell(Watch watch) {
        int mask = watch.socket.readiness() & watch.interest;
        var event = new Event(watch, mask);
        if (mask != 0 && !onTheWay.contains(event))
            onTheWay.add(event); // two alike not yet fetched are one, as in Linux
    }

    /** An event that has not happened is on its way. */
    Event invent(SimulatedSocket socket, int mask) {
        for (Watch each : watches) {
            if (each.socket != socket) continue;
            var event = new Event(each, mask);
            onTheWay.add(event);
            return event;
        }
        throw new AssertionError("socket " + socket.number + " is not watched");
    }

    void signal() {
        signalled = true;
    }

    List<Event> onTheWay() {
        return List.copyOf(onTheWay);
    }

    // ---- what arrives -----------------------------------------------------------------------------------------------

    /** The next poll gets this event. @return the number by which {@link #hasHandled} knows it */
    int arrive(Event event) {
        if (!onTheWay.remove(event)) throw new AssertionError(event + " is not on its way");
        arrived.add(event);
        return taken + arrived.size();
    }

    /** Whether a poll has returned the event, and whoever got it has come back to poll again. */
    boolean hasHandled(int number) {
        return isClosed || handled >= number;
    }

    /** Somebody polls: so what the last poll returned has been handled. @return how many events that makes */
    int beginPoll() {
        return handled = taken;
    }

    /** What a poll returns now. */
    int poll(MemorySegment events, int max, Delivery delivery, Random random) {
        if (delivery == Delivery.BY_CHANCE) arriveByChance(random);
        int count = 0;
        if (signalled) put(events, count++, Linux.EPOLLIN, wakeUpData);
        signalled = false;
        while (count < max) {
            Event event = arrived.poll();
            if (event == null) break;
            put(events, count++, event.mask, event.watch.data);
            taken++;
        }
        return count;
    }

    private void arriveByChance(Random random) {
        if (onTheWay.isEmpty()) return;
        for (int some = 1 + random.nextInt(onTheWay.size()); some > 0; some--)
            arrive(onTheWay.get(random.nextInt(onTheWay.size())));
        if (watches.isEmpty() || random.nextInt(4) != 0) return;
        Watch any = watches.get(random.nextInt(watches.size()));
        arrived.add(new Event(any, random.nextBoolean() ? Linux.EPOLLIN : Linux.EPOLLOUT));
    }

    private static void put(MemorySegment events, int index, int mask, long data) {
        long at = (long) index * Linux.EPOLL_EVENT_BYTES;
        events.set(ValueLayout.JAVA_INT_UNALIGNED, at, mask);
        events.set(ValueLayout.JAVA_LONG_UNALIGNED, at + Linux.EPOLL_DATA_AT, data);
    }

    void close() {
        isClosed = true;
        watches.clear();
        onTheWay.clear();
    }
}
