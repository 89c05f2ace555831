package dev.coir.net.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What both pollers promise to those who poll. */
@Timeout(60)
class PollerTest {
    record Kind(String name, Net net, java.util.function.Supplier<Watcher> make) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        Sys sys = new LinuxSys();
        return Stream.of(
                new Kind("epoll", new NativeNet(sys, true), () -> EpollPoller.open(sys, false)),
                new Kind("selector", new NioNet(), () -> SelectorPoller.open(false)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aWakeUpEndsThePollThatWaitsOrTheNextOne(Kind kind) throws Exception {
        try (Watcher poller = kind.make.get()) {
            poller.wakeUp();
            poller.poll(Long.MAX_VALUE);
            for (int i = 0; i < 2000; i++) {
                var returned = new AtomicInteger();
                Thread polling = Thread.ofPlatform().start(() -> {
                    poller.poll(Long.MAX_VALUE);
                    returned.incrementAndGet();
                });
                for (int spins = 0; spins < i; spins++) Thread.onSpinWait();
                poller.wakeUp();
                polling.join();
                assertEquals(1, returned.get());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aPollEndsInTime(Kind kind) {
        try (Watcher poller = kind.make.get()) {
            long start = System.nanoTime();
            assertEquals(0, poller.poll(3_000_000));
            assertTrue(System.nanoTime() - start >= 2_900_000);
            assertEquals(0, poller.poll(0));
        }
    }

    private static SocketHandle listener(Net net) throws Exception {
        SocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        SocketHandle listener = net.openStream(any, true);
        listener.bind(any);
        listener.listen(10);
        return listener;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatIsAddedWhenItIsReadyIsToldAndWhatIsRemovedIsNot(Kind kind) throws Exception {
        SocketHandle listener = listener(kind.net);
        SocketHandle client = kind.net.openStream(listener.localAddress(), false);
        client.connect(listener.localAddress(), 0);
        try (Watcher poller = kind.make.get()) {
            assertFalse(poller.isWatching());
            assertTrue(poller.add(listener));
            assertTrue(poller.isWatching());
            poller.want(listener, Gate.READ);
            while (!listener.isReady(Gate.READ)) poller.poll(1_000_000);
            SocketHandle server = listener.accept(0);
            poller.remove(listener, false);
            poller.poll(0);
            listener.beginTry(Gate.READ);
            SocketHandle another = kind.net.openStream(listener.localAddress(), false);
            another.connect(listener.localAddress(), 0);
            assertEquals(0, poller.poll(2_000_000));
            assertFalse(listener.isReady(Gate.READ));
            assertFalse(poller.isWatching());
            another.closeNow();
            server.closeNow();
        }
        client.closeNow();
        listener.closeNow();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aClosedPollerTellsEverybodyToTryAgain(Kind kind) throws Exception {
        SocketHandle listener = listener(kind.net);
        Watcher poller = kind.make.get();
        poller.add(listener);
        poller.close();
        poller.close();
        assertTrue(poller.isClosed());
        assertTrue(listener.isReady(Gate.READ));
        assertFalse(poller.add(listener));
        poller.wakeUp();
        poller.remove(listener, false);
        listener.closeNow();
    }

    /** The number of a closed descriptor is used again: what was told about the old one does not reach the new one. */
    @Test
    void anEventForAnOlderHandleOfTheSameNumberFindsNobody() throws Exception {
        var net = new NativeNet(new LinuxSys(), true);
        try (EpollPoller poller = EpollPoller.open(new LinuxSys(), false)) {
            SocketHandle old = listener(net);
            int number = old.number();
            poller.add(old);
            assertSame(old, poller.find(number, old.generation));
            poller.remove(old, true);
            old.closeNow();
            SocketHandle next = listener(net);
            assertEquals(number, next.number(), "the lowest free number is given");
            poller.add(next);
            assertNull(poller.find(number, old.generation));
            assertSame(next, poller.find(number, next.generation));
            next.closeNow();
        }
    }

    @Test
    void aPollerThatCannotBeOpenedIsAnIoExceptionAndLaterOneIs() throws Exception {
        var faults = new Faults();
        var net = new NativeNet(faults.sys(), true);
        SocketHandle socket = net.openDatagram(new InetSocketAddress("127.0.0.1", 0));
        socket.bind(new InetSocketAddress("127.0.0.1", 0));
        try (Scheduler scheduler = Scheduler.start(1)) {
            Fiber<Boolean> receiving = Fiber.go(scheduler, () -> {
                faults.fail("epollCreate", Errno.EMFILE);
                assertThrows(IOException.class, () -> socket.receive(ByteBuffer.allocate(1), 0));
                faults.fail("eventfd", Errno.EMFILE);
                assertThrows(IOException.class, () -> socket.receive(ByteBuffer.allocate(1), 0));
                assertThrows(SocketTimeoutException.class, () -> socket.receive(ByteBuffer.allocate(1), 1_000_000));
                return true;
            });
            assertTrue(receiving.get(20, TimeUnit.SECONDS));
        }
        socket.closeNow();
    }

    /** All workers are in long slices; a thread that is none of theirs waits for what their poller watches. */
    @Test
    void theMonitorPollsWhenNobodyElseDoes() throws Exception {
        var net = new NativeNet(new LinuxSys(), true);
        SocketHandle listener = listener(net);
        var stop = new AtomicInteger();
        try (Scheduler scheduler =
                Scheduler.builder().workers(1).maxSpareCarriers(0).start()) {
            Fiber<Boolean> first = Fiber.go(scheduler, () -> {
                assertThrows(
                        SocketTimeoutException.class, () -> listener.accept(1_000_000)); // its group watches it now
                return true;
            });
            assertTrue(first.get(20, TimeUnit.SECONDS));
            Fiber<Boolean> busy = Fiber.go(scheduler, () -> {
                while (stop.get() == 0) Thread.onSpinWait();
                return true;
            });
            Thread client = Thread.ofPlatform().start(() -> {
                try {
                    SocketHandle stream = net.openStream(listener.localAddress(), false);
                    while (!listener.isAwaited(Gate.READ)) Thread.onSpinWait();
                    stream.connect(listener.localAddress(), 0);
                    stream.closeNow();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            listener.accept(20_000_000_000L).closeNow();
            client.join();
            stop.set(1);
            assertTrue(busy.get(20, TimeUnit.SECONDS));
        }
        listener.closeNow();
    }

    @Test
    void theLayoutOfEventsFollowsTheProcessor() {
        assertEquals(12, Linux.epollEventBytes("amd64"));
        assertEquals(12, Linux.epollEventBytes("x86_64"));
        assertEquals(16, Linux.epollEventBytes("aarch64"));
    }

    /** Data and end come together; a short read must not hide the end. And an edge between a try and the wait is not lost. */
    @Test
    void aShortReadHidesNeitherTheEndNorWhatCameMeanwhile() throws Exception {
        var net = new NativeNet(new LinuxSys(), true);
        SocketHandle listener = listener(net);
        for (int i = 0; i < 500; i++) {
            SocketHandle client = net.openStream(listener.localAddress(), false);
            client.connect(listener.localAddress(), 0);
            SocketHandle server = listener.accept(0);
            int pieces = 1 + i % 4;
            boolean slow = i % 2 == 0;
            Thread writing = Thread.ofPlatform().start(() -> {
                try {
                    for (int p = 0; p < pieces; p++) {
                        client.write(ByteBuffer.allocate(10), 0);
                        if (slow) Thread.yield();
                    }
                    client.shutdown(false);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            int sum = 0;
            ByteBuffer buffer = ByteBuffer.allocate(64);
            for (int count; (count = server.read(buffer.clear(), 10_000_000_000L)) >= 0; ) sum += count;
            assertEquals(10 * pieces, sum);
            writing.join();
            client.closeNow();
            server.closeNow();
        }
        listener.closeNow();
    }
}
