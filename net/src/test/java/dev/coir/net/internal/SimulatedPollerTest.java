package dev.coir.net.internal;

import static dev.coir.net.internal.Gate.READ;
import static dev.coir.net.internal.Gate.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.net.internal.Stepped.Who;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An event at each moment that matters: before, between and after whatever else happens to who waits for it. */
@ParameterizedClass
@EnumSource(Who.class)
class SimulatedPollerTest extends SimulatedConnection {
    private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

    // ---- events and the way into the wait ---------------------------------------------------------------------------

    @Test
    void whatCameBeforeTheReadNeedsNoEvent() throws Exception {
        sys.send(peer, "early");
        assertEquals("early", Stepped.start(who, () -> read(socket, 0)).end());
        assertEquals(0, sys.count("epollCtl"), "nobody had to watch");
    }

    @Test
    void whatComesBetweenTheTryAndTheRegistrationIsToldByTheRegistration() throws Exception {
        sys.after("recv", () -> sys.send(peer, "meanwhile"));
        var reader = Stepped.start(who, () -> read(socket, 0)).runUntilItAwaits(socket, READ);
        sys.deliverNext();
        assertEquals("meanwhile", reader.end());
    }

    @Test
    void anEventBetweenTheRegistrationAndTheWaitEndsTheWait() throws Exception {
        sys.after(
                "recv",
                () -> sys.after(
                        "epollCtl",
                        () -> { // the poller's own; the socket's
                            sys.after("epollCtl", this::tellAtOnce);
                        }));
        assertEquals("x", Stepped.start(who, () -> read(socket, 0)).end());
        assertEquals(2, sys.count("recv"));
    }

    @Test
    void anEventBetweenTheTryAndTheWaitOfAWatchedSocketEndsTheWait() throws Exception {
        var reader = reading(0);
        sys.after("recv", this::tellAtOnce); // when the next event has woken it, and it has found nothing
        sys.deliver(sys.invent(socket.number(), Linux.EPOLLIN));
        assertEquals("x", reader.end());
        assertEquals(3, sys.count("recv"));
    }

    @Test
    void anEventInVainIsFollowedByAnotherWait() throws Exception {
        var reader = reading(0);
        for (int i = 1; i <= 5; i++) {
            int tries = sys.count("recv");
            sys.deliver(sys.invent(socket.number(), Linux.EPOLLIN));
            reader.runUntilItAwaits(socket, READ);
            assertEquals(tries + 1, sys.count("recv"));
        }
        sys.deliver(sys.invent(socket.number(), Linux.EPOLLOUT));
        assertTrue(socket.isAwaited(READ), "who reads is not woken for who writes");
        tellAtOnce();
        assertEquals("x", reader.end());
    }

    @Test
    void oneEventForTwoMessagesIsEnough() throws Exception {
        var reader = reading(0);
        sys.send(peer, "one ");
        sys.send(peer, "two");
        assertEquals(1, sys.onTheWay().size());
        sys.deliverNext();
        assertEquals("one two", reader.end());
    }

    /** After a short read the next one waits at once: N1 of NativeSocket. The event that it waits for comes late. */
    @Test
    void whatComesAfterAShortReadIsReadWhenItsEventArrives() throws Exception {
        var reader = reading(0);
        tellAtOnce();
        assertEquals("x", reader.end());
        int tries = sys.count("recv");
        sys.send(peer, "more");
        var next = Stepped.start(who, () -> read(socket, 0)).runUntilItAwaits(socket, READ);
        assertEquals(tries, sys.count("recv"), "without an event it is not tried");
        sys.deliverNext();
        assertEquals("more", next.end());
    }

    @Test
    void theEndIsReadWhicheverOfTheTwoEventsArrivesFirst() throws Exception {
        for (boolean inOrder : new boolean[] {true, false}) {
            int other = sys.connectTo(address);
            SocketHandle ending = listener.accept(0);
            var reader = Stepped.start(who, () -> read(ending, 0)).runUntilItAwaits(ending, READ);
            sys.deliverAll();
            sys.send(other, "last");
            SimulatedPoller.Event data = sys.onTheWay().getFirst();
            sys.shutdown(other, Linux.SHUT_WR);
            SimulatedPoller.Event end = sys.onTheWay().getLast();
            sys.deliver(inOrder ? data : end);
            assertEquals("last", reader.end());
            var last = Stepped.start(who, () -> read(ending, 0));
            if (inOrder) {
                last.runUntilItAwaits(ending, READ); // the data's event said nothing of the end
                sys.deliver(end);
            }
            assertEquals("the end", last.end());
            sys.deliverAll();
            ending.closeNow();
            sys.close(other);
        }
    }

    @Test
    void aResetIsToldToWhoReads() throws Exception {
        var reader = reading(0);
        int[] atOnce = {1, 0};
        sys.setsockopt(peer, Linux.SOL_SOCKET, Linux.SO_LINGER, java.lang.foreign.MemorySegment.ofArray(atOnce), 8);
        sys.close(peer);
        assertTrue(socket.isAwaited(READ), "the event is on its way");
        sys.deliverNext();
        assertThrows(SocketException.class, reader::end);
        assertThrows(SocketException.class, () -> socket.write(ByteBuffer.allocate(1), 0));
    }

    @Test
    void whoWritesWaitsUntilTheEventOfTheRoomArrives() throws Exception {
        int much = 3 * SimulatedSocket.ROOM;
        var writer = Stepped.start(who, () -> socket.write(ByteBuffer.allocate(much), 0));
        writer.runUntilItAwaits(socket, WRITE);
        sys.deliverAll(); // those of the registration
        for (int i = 1; i <= 2; i++) {
            writer.runUntilItAwaits(socket, WRITE);
            assertEquals(SimulatedSocket.ROOM, sys.receive(peer, SimulatedSocket.ROOM));
            assertTrue(socket.isAwaited(WRITE), "there is room, and nobody has said so");
            sys.deliverNext();
        }
        assertEquals(much, writer.end());
    }

    @Test
    void aConnectThatIsWokenForNothingGoesOnWaiting() throws Exception {
        SocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        SocketHandle full = net.openStream(any, true);
        full.bind(any);
        full.listen(1);
        SocketAddress at = full.localAddress();
        int first = sys.connectTo(at);
        int second = sys.connectTo(at);
        SocketHandle client = net.openStream(at, false);
        var connecting = Stepped.start(who, () -> {
            client.connect(at, 0);
            return "connected";
        });
        connecting.runUntilItAwaits(client, WRITE);
        sys.deliver(sys.invent(client.number(), Linux.EPOLLOUT));
        connecting.runUntilItAwaits(client, WRITE);
        full.accept(0).closeNow(); // there is room for one more
        assertTrue(client.isAwaited(WRITE));
        sys.deliverNext();
        assertEquals("connected", connecting.end());
        client.closeNow();
        full.closeNow();
        sys.close(first);
        sys.close(second);
    }

    // ---- events and close -------------------------------------------------------------------------------------------

    @Test
    void anEventOfAClosedSocketDoesNotReachTheNextOneOfItsNumber() throws Exception {
        int number = socket.number();
        var reader = reading(0);
        sys.send(peer, "too late");
        SimulatedPoller.Event stale = sys.onTheWay().getFirst();
        int nextPeer = sys.connectTo(address);
        socket.closeNow();
        assertThrows(AsynchronousCloseException.class, reader::end);
        socket = listener.accept(0);
        assertEquals(number, socket.number(), "the first free number is given");
        var next = Stepped.start(who, () -> read(socket, 0)).runUntilItAwaits(socket, READ);
        int tries = sys.count("recv");
        sys.deliver(stale);
        assertTrue(socket.isAwaited(READ));
        sys.send(nextPeer, "in time");
        sys.deliverAll();
        assertEquals("in time", next.end());
        assertEquals(tries + 1, sys.count("recv"), "nobody was woken for nothing");
        sys.close(nextPeer);
    }

    // ---- events and interrupts --------------------------------------------------------------------------------------

    @Test
    void anEventAfterTheInterruptIsKeptForTheNextRead() throws Exception {
        var reader = reading(0);
        sys.send(peer, "x");
        reader.interrupt();
        assertThrows(InterruptedIOException.class, reader::end);
        sys.deliverAll();
        assertTrue(socket.isReady(READ));
        assertEquals("x", Stepped.start(who, () -> read(socket, 0)).end());
    }

    // ---- events and time-outs ---------------------------------------------------------------------------------------

    @Test
    void anEventAfterTheTimeOutIsKeptForTheNextRead() throws Exception {
        var reader = Stepped.start(who, () -> read(socket, SHORT_NANOS));
        assertThrows(SocketTimeoutException.class, reader::end);
        tellAtOnce();
        assertTrue(socket.isReady(READ));
        assertEquals("x", Stepped.start(who, () -> read(socket, LONG_NANOS)).end());
    }

    @Test
    void eventsInVainDoNotPutATimeOutOff() throws Exception {
        var reader = Stepped.start(who, () -> read(socket, 10 * SHORT_NANOS));
        var isOver = new AtomicBoolean();
        Thread nagging = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) if (socket.isAwaited(READ)) sys.deliver(sys.invent(socket.number(), Linux.EPOLLIN));
        });
        assertThrows(SocketTimeoutException.class, reader::end);
        isOver.set(true);
        nagging.join();
    }

    // ---- events and pollers -----------------------------------------------------------------------------------------

    /** A party that runs on no scheduler's thread waits; then a scheduler's fiber brings the poller of its group. */
    @Test
    void anEventOnItsWayToTheFormerPollerIsNotNeeded() throws Exception {
        var reader = reading(0);
        sys.send(peer, "x");
        SimulatedPoller.Event former = sys.onTheWay().getFirst();
        try (Scheduler scheduler = Scheduler.start(1)) {
            Fiber<Integer> writer =
                    Fiber.go(scheduler, () -> socket.write(ByteBuffer.allocate(2 * SimulatedSocket.ROOM), 0));
            while (!socket.isAwaited(WRITE)) Thread.yield();
            assertTrue(socket.isAwaited(READ));
            for (SimulatedPoller.Event each : sys.onTheWay()) if (!each.equals(former)) sys.deliver(each);
            assertEquals("x", reader.end());
            sys.deliver(former);
            while (!writer.isDone()) {
                sys.receive(peer, SimulatedSocket.ROOM);
                sys.deliverAll();
            }
            assertEquals(2 * SimulatedSocket.ROOM, writer.join());
        }
    }
}
