package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.net.internal.Faults;
import dev.coir.net.internal.NativeNet;
import dev.coir.net.internal.Net;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fault that the system may show, injected, and what becomes of it. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class FaultTest {
    private static final int ENOSPC = 28;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int EPIPE = 32;
    private static final int EPROTO = 71;
    private static final int EADDRINUSE = 98;
    private static final int ECONNABORTED = 103;
    private static final int ECONNRESET = 104;
    private static final int ENOBUFS = 105;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTUNREACH = 113;
    private static final int EBADF = 9;

    @TempDir
    Path folder;

    @Parameter
    Ground.Spec spec;

    private static final Faults faults = new Faults();
    private static final Net net = new NativeNet(faults.sys(), false, "blocking");
    private Ground ground;

    @BeforeEach
    void open() {
        faults.reset();
        ground = spec.open();
    }

    @AfterEach
    void close() throws Exception {
        ground.close();
    }

    private TcpListener listen() throws IOException {
        return TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private TcpStream connect(SocketAddress address) throws IOException {
        return TcpStream.connect(net, address, Duration.ofSeconds(10));
    }

    private StreamGround.Pair pair() throws Exception {
        try (TcpListener listener = listen()) {
            TcpStream client = connect(listener.localAddress());
            return new StreamGround.Pair(client, listener.accept());
        }
    }

    private static String read(TcpStream stream, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining()) if (stream.read(buffer) < 0) break;
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }

    @Test
    void interruptedCallsAreMadeAgain() throws Exception {
        faults.fail("connect", EINTR)
                .fail("accept", EINTR, EINTR)
                .fail("recv", EINTR, EINTR)
                .fail("send", EINTR)
                .fail("epollWait", EINTR, EINTR);
        try (StreamGround.Pair pair = pair()) {
            Future<String> reading = ground.go(() -> read(pair.server(), 5));
            Future<Integer> writing = ground.go(() -> pair.client().write(StreamGround.bytes("hello")));
            assertEquals(5, Ground.get(writing));
            assertEquals("hello", Ground.get(reading));
        }
    }

    @Test
    void shortReadsAndWritesLoseNothing() throws Exception {
        faults.shorten("recv", 3, 1).shorten("send", 3, 3).shortenMessages(3);
        try (StreamGround.Pair pair = pair()) {
            String text = "a text that is moved in pieces, one byte here and three bytes there";
            Future<String> reading = ground.go(() -> read(pair.server(), text.length()));
            Future<Integer> writing = ground.go(() -> pair.client().write(StreamGround.bytes(text)));
            assertEquals(text.length(), Ground.get(writing));
            assertEquals(text, Ground.get(reading));
            Future<Long> gathering = ground.go(() -> pair.server()
                    .write(new ByteBuffer[] {StreamGround.bytes("gathered "), StreamGround.bytes("text")}));
            Future<String> gathered = ground.go(() -> read(pair.client(), 13));
            assertEquals(13, Ground.get(gathering));
            assertEquals("gathered text", Ground.get(gathered));
        }
    }

    /** What is left to a carrier is tried once; then whoever left it goes on. */
    @Test
    void exchangesThatFindNoRoomOrLittleLoseNothing() throws Exception {
        int writable = 4; // EPOLLOUT, again and again: room that was never missing brings no event
        faults.spuriousEvents(writable, new AtomicInteger())
                .shorten("send", 3, 3)
                .fail("send", EAGAIN, EINTR, EAGAIN);
        try (StreamGround.Pair pair = pair()) {
            String text = "a text that is moved three bytes at a time";
            Future<Integer> exchanging =
                    ground.go(() -> pair.client().exchange(StreamGround.bytes(text), ByteBuffer.allocate(9)));
            assertEquals(text, read(pair.server(), text.length()));
            pair.server().write(StreamGround.bytes("yes"));
            assertEquals("yes".length(), Ground.get(exchanging));
        }
    }

    @Test
    void anExchangeTimesOutThoughEventsComeInVain() throws Exception {
        int readable = 1;
        faults.spuriousEvents(readable, new AtomicInteger());
        try (StreamGround.Pair pair = pair()) {
            pair.server().write(StreamGround.bytes("hello"));
            pair.client().readTimeout(Duration.ofMillis(50));
            Future<Integer> exchanging = ground.go(() -> {
                assertEquals(5, pair.client().read(ByteBuffer.allocate(9)));
                return pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9));
            });
            assertThrows(SocketTimeoutException.class, () -> Ground.get(exchanging));
            assertEquals("?", read(pair.server(), 1));
        }
    }

    @Test
    void errorsOfExchangesNameThePeerAndTheCaller() throws Exception {
        for (int error : new int[] {EPIPE, ECONNRESET, ENOBUFS}) {
            try (StreamGround.Pair pair = pair()) {
                faults.fail("send", error);
                ByteBuffer out = StreamGround.bytes("lost");
                Future<Integer> exchanging = ground.go(() -> pair.client().exchange(out, ByteBuffer.allocate(9)));
                var failure = assertThrows(IOException.class, () -> Ground.get(exchanging));
                assertTrue(failure.getMessage()
                        .contains(pair.client().remoteAddress().toString()));
                assertTrue(Arrays.stream(failure.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("exchange")));
                assertEquals(4, out.remaining());
                Future<Integer> again = ground.go(() -> pair.client().exchange(out, ByteBuffer.allocate(9)));
                assertEquals("lost", read(pair.server(), 4));
                pair.server().write(StreamGround.bytes("found"));
                assertEquals(5, Ground.get(again));
            }
        }
    }

    private static ByteBuffer direct(byte[] all, int from, int count) {
        return ByteBuffer.allocateDirect(count).put(all, from, count).flip();
    }

    @Test
    void gatheredBuffersAreSentFromWhereTheyLie() throws Exception {
        byte[] all = new byte[3000];
        new Random(3).nextBytes(all);
        ByteBuffer[] parts = {direct(all, 0, 1000), direct(all, 1000, 0), direct(all, 1000, 2000)};
        List<Faults.Vector> seen = new ArrayList<>();
        faults.always("sendmsg", (arguments, call) -> {
            seen.addAll(Faults.vectors((MemorySegment) arguments[2]));
            return call.call(arguments);
        });
        List<Faults.Vector> expected = List.of(
                new Faults.Vector(MemorySegment.ofBuffer(parts[0]).address(), 1000),
                new Faults.Vector(MemorySegment.ofBuffer(parts[2]).address(), 2000));
        try (StreamGround.Pair pair = pair()) {
            Future<Long> writing = ground.go(() -> pair.server().write(parts));
            assertEquals(3000, Ground.get(writing));
            assertArrayEquals(all, Ground.get(ground.go(() -> readAll(pair.client(), 3000))));
        }
        assertEquals(expected, seen);
    }

    /** Short writes that end inside a buffer, on the heap and off it, and calls that fail in between. */
    @Test
    void gatheredWritesThatEndInsideABufferLoseNothing() throws Exception {
        byte[] all = new byte[400_000]; // more than is copied for a call, and more than one moves
        new Random(4).nextBytes(all);
        for (int most : new int[] {1, 7, 9999, 1_000_000}) {
            int size = most < 10 ? 600 * most : all.length;
            List<ByteBuffer> parts = new ArrayList<>();
            var random = new Random(most);
            for (int at = 0; at < size; ) {
                int count = Math.min(size - at, random.nextInt(size / 5)); // none at times
                parts.add(random.nextBoolean() ? direct(all, at, count) : ByteBuffer.wrap(all, at, count));
                at += count;
            }
            faults.shortenMessages(most).fail("sendmsg", EINTR, EAGAIN, EINTR);
            try (StreamGround.Pair pair = pair()) {
                Future<byte[]> reading = ground.go(() -> readAll(pair.client(), size));
                Future<Long> writing = ground.go(() -> pair.server().write(parts.toArray(ByteBuffer[]::new)));
                assertEquals(size, Ground.get(writing));
                assertArrayEquals(Arrays.copyOf(all, size), Ground.get(reading));
                for (ByteBuffer each : parts) assertFalse(each.hasRemaining());
            }
        }
    }

    @Test
    void noCallIsToldOfMoreBuffersThanTheSystemTakes() throws Exception {
        byte[] all = new byte[5000];
        new Random(5).nextBytes(all);
        ByteBuffer[] parts = new ByteBuffer[all.length];
        for (int i = 0; i < parts.length; i++) parts[i] = direct(all, i, 1);
        var most = new AtomicInteger();
        faults.always("sendmsg", (arguments, call) -> {
            int count = Faults.vectors((MemorySegment) arguments[2]).size();
            most.accumulateAndGet(count, Math::max);
            return call.call(arguments);
        });
        try (StreamGround.Pair pair = pair()) {
            Future<byte[]> reading = ground.go(() -> readAll(pair.client(), all.length));
            Future<Long> writing = ground.go(() -> pair.server().write(parts));
            assertEquals(all.length, Ground.get(writing));
            assertArrayEquals(all, Ground.get(reading));
        }
        assertEquals(1024, most.get()); // IOV_MAX
    }

    @Test
    void errorsOfGatheredWritesNameThePeer() throws Exception {
        for (int error : new int[] {ECONNRESET, EPIPE, ENOBUFS, 4711}) {
            try (StreamGround.Pair pair = pair()) {
                faults.fail("sendmsg", error);
                ByteBuffer[] parts = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
                Future<Long> writing = ground.go(() -> pair.server().write(parts));
                var failure = assertThrows(SocketException.class, () -> Ground.get(writing));
                String peer = pair.server().remoteAddress().toString();
                assertTrue(failure.getMessage().contains("writing to " + peer), failure.getMessage());
                assertEquals(1, parts[0].remaining());
            }
        }
    }

    private static byte[] readAll(TcpStream stream, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining()) if (stream.read(buffer) < 0) break;
        return buffer.array();
    }

    @Test
    void eventsThatHaveNotHappenedWakeNobodyForLong() throws Exception {
        var told = new AtomicInteger();
        faults.spuriousEvents(0x1 | 0x4, told);
        try (StreamGround.Pair pair = pair()) {
            Future<String> reading = ground.go(() -> read(pair.server(), 2));
            pair.client().write(StreamGround.bytes("o")); // ends a poll that began before
            while (told.get() < 20) Thread.yield();
            pair.client().write(StreamGround.bytes("k"));
            assertEquals("ok", Ground.get(reading));
            pair.server().readTimeout(Duration.ofMillis(5));
            Future<Integer> again = ground.go(() -> pair.server().read(ByteBuffer.allocate(1)));
            assertThrows(SocketTimeoutException.class, () -> Ground.get(again));
        } finally {
            faults.always("epollWait", (arguments, call) -> call.call(arguments));
        }
    }

    @Test
    void aConnectThatIsWokenForNothingGoesOn() throws Exception {
        faults.next("connect", (arguments, call) -> {
            call.call(arguments);
            return -115; // under way
        });
        faults.fail("getpeername", 107, 107); // not connected yet
        var told = new AtomicInteger();
        faults.spuriousEvents(0x4, told);
        try (TcpListener listener = listen()) {
            Future<TcpStream> connecting = ground.go(() -> connect(listener.localAddress()));
            try (TcpStream server = listener.accept();
                    TcpStream client = Ground.get(connecting)) {
                assertEquals(server.remoteAddress(), client.localAddress());
            }
            assertTrue(faults.count("getpeername") >= 3);
        } finally {
            faults.always("epollWait", (arguments, call) -> call.call(arguments));
        }
    }

    @Test
    void whatBecameOfAConnectIsThrownWithTheAddress() throws Exception {
        Map<Integer, Class<? extends IOException>> expected = Map.of(
                ECONNREFUSED, ConnectException.class,
                EHOSTUNREACH, NoRouteToHostException.class,
                ETIMEDOUT, SocketException.class);
        try (TcpListener listener = listen()) {
            for (var each : expected.entrySet()) {
                faults.next("connect", (arguments, call) -> {
                    call.call(arguments);
                    return -115;
                });
                faults.next("getsockopt", (arguments, call) -> {
                    ((MemorySegment) arguments[3]).set(ValueLayout.JAVA_INT, 0, each.getKey());
                    return 0;
                });
                Future<TcpStream> connecting = ground.go(() -> connect(listener.localAddress()));
                var failure = assertThrows(IOException.class, () -> Ground.get(connecting));
                assertInstanceOf(each.getValue(), failure);
                assertTrue(failure.getMessage().contains(listener.localAddress().toString()), failure.getMessage());
            }
        }
    }

    @Test
    void errorsOfReadsAndWritesNameThePeer() throws Exception {
        for (int error : new int[] {ECONNRESET, ETIMEDOUT, EHOSTUNREACH, ENOBUFS, EBADF, EPIPE, 4711}) {
            try (StreamGround.Pair pair = pair()) {
                faults.fail("recv", error).fail("send", error);
                Future<Integer> reading = ground.go(() -> pair.server().read(ByteBuffer.allocate(1)));
                Future<Integer> writing = ground.go(() -> pair.server().write(ByteBuffer.allocate(1)));
                String peer = pair.server().remoteAddress().toString();
                var read = assertThrows(SocketException.class, () -> Ground.get(reading));
                assertTrue(read.getMessage().contains("reading from " + peer), read.getMessage());
                var written = assertThrows(SocketException.class, () -> Ground.get(writing));
                assertTrue(written.getMessage().contains("writing to " + peer), written.getMessage());
            }
        }
    }

    @Test
    void acceptSkipsThoseWhoHaveLeftAndWaitsWhileThereAreNoDescriptors() throws Exception {
        try (TcpListener listener = listen()) {
            faults.fail("accept", ECONNABORTED, EPROTO, EMFILE, ENFILE, ENOBUFS, ENOMEM, EMFILE);
            Future<TcpStream> accepting = ground.go(listener::accept);
            try (TcpStream client = connect(listener.localAddress());
                    TcpStream server = Ground.get(accepting)) {
                assertEquals(client.localAddress(), server.remoteAddress());
            }
        }
    }

    @Test
    void closeEndsAnAcceptThatWaitsForDescriptors() throws Exception {
        TcpListener listener = listen();
        faults.always("accept", (arguments, call) -> -EMFILE);
        Future<TcpStream> accepting = ground.go(listener::accept);
        while (faults.count("accept") < 4) Thread.yield();
        listener.close();
        assertThrows(AsynchronousCloseException.class, () -> Ground.get(accepting));
    }

    @Test
    void otherErrorsOfAcceptAreThrown() throws Exception {
        try (TcpListener listener = listen()) {
            faults.fail("accept", EBADF);
            Future<TcpStream> accepting = ground.go(listener::accept);
            var failure = assertThrows(SocketException.class, () -> Ground.get(accepting));
            assertTrue(failure.getMessage().contains(listener.localAddress().toString()), failure.getMessage());
        }
    }

    @Test
    void aRegistrationThatIsRefusedIsThrownWithTheCureAndTheStreamStaysUsable() throws Exception {
        try (StreamGround.Pair pair = pair()) {
            Future<String> reading = ground.go(() -> {
                pair.client().readTimeout(Duration.ofMillis(1)); // opens the watcher, which registers something itself
                assertThrows(SocketTimeoutException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
                faults.fail("epollCtl", ENOSPC);
                var refused =
                        assertThrows(SocketException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
                assertTrue(refused.getMessage().contains("max_user_watches"), refused.getMessage());
                pair.client().write(StreamGround.bytes("!"));
                return read(pair.server(), 1);
            });
            assertEquals("!", Ground.get(reading));
        }
    }

    @Test
    void aSocketThatCannotBeOpenedOrBoundIsClosedAgain() throws Exception {
        Map<String, String> before = Descriptors.open();
        faults.fail("socket", EMFILE);
        var none = assertThrows(SocketException.class, () -> connect(new InetSocketAddress("127.0.0.1", 1)));
        assertTrue(none.getMessage().contains("ulimit -n"), none.getMessage());
        faults.fail("bind", EADDRINUSE);
        assertThrows(java.net.BindException.class, this::listen);
        faults.fail("listen", EADDRINUSE);
        assertThrows(java.net.BindException.class, this::listen);
        Descriptors.awaitAtMost(before);
    }

    @Test
    void datagramsAreTriedAgain() throws Exception {
        try (UdpSocket one = UdpSocket.bind(net, new InetSocketAddress("127.0.0.1", 0));
                UdpSocket two = UdpSocket.bind(net, new InetSocketAddress("127.0.0.1", 0))) {
            faults.fail("recvfrom", EINTR, EAGAIN).fail("sendto", EINTR);
            Future<SocketAddress> receiving = ground.go(() -> two.receive(ByteBuffer.allocate(1)));
            Future<Integer> sending = ground.go(() -> one.send(ByteBuffer.allocate(1), two.localAddress()));
            assertEquals(1, Ground.get(sending));
            assertEquals(one.localAddress(), Ground.get(receiving));
            faults.fail("sendto", ECONNREFUSED);
            Future<Integer> refused = ground.go(() -> one.send(ByteBuffer.allocate(1), two.localAddress()));
            assertThrows(SocketException.class, () -> Ground.get(refused));
        }
    }

    @Test
    void filesAreTriedAgainAndTheirErrorsNameThem() throws Exception {
        Path path = folder.resolve("file");
        Files.write(path, new byte[100]);
        Future<?> using = ground.go(() -> {
            try (AsyncFile file = AsyncFile.open(net, path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                faults.fail("preadNow", EAGAIN).fail("pread", EINTR).fail("pwrite", EINTR);
                assertEquals(10, file.read(ByteBuffer.allocate(10), 0));
                faults.shorten("pwrite", 2, 3);
                assertEquals(10, file.write(ByteBuffer.allocate(10), 0));
                faults.fail("preadNow", EAGAIN).fail("pread", 5);
                var broken = assertThrows(IOException.class, () -> file.read(ByteBuffer.allocate(1), 0));
                assertTrue(broken.getMessage().contains(path.toString()), broken.getMessage());
                faults.fail("pwrite", ENOSPC);
                assertThrows(IOException.class, () -> file.write(ByteBuffer.allocate(1), 0));
            }
            return true;
        });
        Ground.get(using);
    }
}
