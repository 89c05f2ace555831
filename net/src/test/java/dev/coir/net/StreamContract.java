package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What listeners and streams promise, whoever calls, whatever watches. */
abstract class StreamContract extends ExchangeContract {
    private void assertEchoes(SocketAddress address) throws Exception {
        try (TcpListener listener = listen(address)) {
            Future<?> server = ground.go(() -> {
                try (TcpStream stream = listener.accept()) {
                    return echo(stream);
                }
            });
            Future<String> client = ground.go(() -> {
                try (TcpStream stream = connect(listener.localAddress())) {
                    stream.write(bytes("hello"));
                    stream.shutdownOutput();
                    return new String(stream.inputStream().readAllBytes(), StandardCharsets.UTF_8);
                }
            });
            assertEquals("hello", Ground.get(client));
            assertEquals(5, Ground.get(server));
        }
    }

    private static int echo(TcpStream stream) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        int sum = 0;
        while (stream.read(buffer) >= 0) {
            sum += stream.write(buffer.flip());
            buffer.clear();
        }
        return sum;
    }

    @Test
    void whatIsSentOverIpv4ComesBack() throws Exception {
        assertEchoes(new InetSocketAddress("127.0.0.1", 0));
    }

    @Test
    void whatIsSentOverIpv6ComesBack() throws Exception {
        assertEchoes(new InetSocketAddress("::1", 0));
    }

    @Test
    void whatIsSentOverAUnixDomainSocketComesBack() throws Exception {
        assertEchoes(UnixDomainSocketAddress.of(folder.resolve("socket")));
    }

    @Test
    void aListenerAtEveryAddressIsReachedByBothFamilies() throws Exception {
        try (TcpListener listener = listen(new InetSocketAddress(0))) {
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            for (String host : new String[] {"127.0.0.1", "::1"}) {
                Future<TcpStream> accepted = ground.go(listener::accept);
                try (TcpStream client = connect(new InetSocketAddress(host, port));
                        TcpStream server = Ground.get(accepted)) {
                    assertEquals(client.localAddress(), server.remoteAddress());
                }
            }
        }
    }

    @Test
    void aMegabyteArrivesInOrderThroughBuffersOfEveryKind() throws Exception {
        byte[] data = new byte[1 << 20];
        new Random(7).nextBytes(data);
        try (Pair pair = pair()) {
            Future<Integer> writing = ground.go(() -> {
                ByteBuffer direct = ByteBuffer.allocateDirect(data.length / 2).put(data, 0, data.length / 2);
                int sum = pair.client().write(direct.flip());
                sum += pair.client()
                        .write(ByteBuffer.wrap(data, data.length / 2, data.length / 4)
                                .asReadOnlyBuffer());
                sum += pair.client()
                        .write(ByteBuffer.wrap(data, data.length * 3 / 4, data.length / 4)
                                .slice());
                pair.client().shutdownOutput();
                return sum;
            });
            Future<byte[]> reading = ground.go(() -> {
                ByteBuffer all = ByteBuffer.allocate(data.length + 1);
                ByteBuffer some = ByteBuffer.allocateDirect(5000);
                while (true) {
                    boolean direct = all.position() % 2 == 0;
                    int count = pair.server().read(direct ? some.clear() : all);
                    if (count < 0) return java.util.Arrays.copyOf(all.array(), all.position());
                    if (direct) all.put(some.flip());
                }
            });
            assertEquals(data.length, Ground.get(writing));
            assertArrayEquals(data, Ground.get(reading));
        }
    }

    @Test
    void aGatheringWriteKeepsTheOrderAndAScatteringReadFillsOneAfterTheOther() throws Exception {
        byte[] large = new byte[300_000];
        new Random(3).nextBytes(large);
        try (Pair pair = pair()) {
            ByteBuffer[] parts = {
                bytes("head"),
                ByteBuffer.allocate(0),
                ByteBuffer.wrap(large),
                ByteBuffer.allocateDirect(4).putInt(0, 42)
            };
            Future<Long> writing = ground.go(() -> pair.client().write(parts));
            ByteBuffer[] into = {ByteBuffer.allocate(4), ByteBuffer.allocate(large.length), ByteBuffer.allocate(4)};
            Future<?> reading = ground.go(() -> {
                while (into[2].hasRemaining()) pair.server().read(into);
                return null;
            });
            assertEquals(4 + large.length + 4, Ground.get(writing));
            Ground.get(reading);
            assertEquals("head", new String(into[0].array(), StandardCharsets.UTF_8));
            assertArrayEquals(large, into[1].array());
            assertEquals(42, into[2].getInt(0));
            for (ByteBuffer each : parts) assertFalse(each.hasRemaining());
        }
    }

    @Test
    void aReadIntoNothingReturnsAtOnce() throws Exception {
        try (Pair pair = talking()) {
            ByteBuffer none = ByteBuffer.allocate(0);
            assertEquals(0, Ground.get(ground.go(() -> pair.server().read(none))));
            assertEquals(0L, Ground.get(ground.go(() -> pair.server().read(new ByteBuffer[] {none, none}))));
            assertEquals(0L, Ground.get(ground.go(() -> pair.server().read(new ByteBuffer[0]))));
        }
    }

    @Test
    void aReadThatFindsNothingTimesOutAndTheStreamStaysUsable() throws Exception {
        try (Pair pair = pair()) {
            pair.server().readTimeout(Duration.ofMillis(20));
            Future<String> reading = ground.go(() -> {
                var timeout = assertThrows(
                        SocketTimeoutException.class, () -> pair.server().read(ByteBuffer.allocate(9)));
                pair.server().readTimeout(Duration.ZERO);
                pair.server().write(bytes("?"));
                ByteBuffer buffer = ByteBuffer.allocate(9);
                pair.server().read(buffer);
                assertTrue(timeout.getMessage()
                        .contains(pair.server().remoteAddress().toString()));
                return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
            });
            pair.client().read(ByteBuffer.allocate(1));
            pair.client().write(bytes("late"));
            assertEquals("late", Ground.get(reading));
        }
    }

    @Test
    void aWriteThatFindsNoRoomTimesOutAndTellsHowMuchItWrote() throws Exception {
        try (Pair pair = pair()) {
            pair.client().writeTimeout(Duration.ofMillis(20));
            Future<Integer> writing = ground.go(() -> {
                ByteBuffer much = ByteBuffer.wrap(MUCH);
                var timeout = assertThrows(
                        SocketTimeoutException.class, () -> pair.client().write(much));
                assertEquals(much.position(), timeout.bytesTransferred);
                pair.client().shutdownOutput();
                return much.position();
            });
            int written = Ground.get(writing);
            assertEquals(written, readToTheEnd(pair.server()));
        }
    }

    @Test
    void closeWakesWhoReads() throws Exception {
        assertCloseWakes(stream -> stream.read(ByteBuffer.allocate(1)));
    }

    @Test
    void closeWakesWhoWrites() throws Exception {
        assertCloseWakes(stream -> stream.write(ByteBuffer.wrap(MUCH)));
    }

    @Test
    void whoWaitsInsideGetsTheAsynchronousOne() throws Exception {
        try (Pair pair = pair()) {
            Future<?> inside = ground.go(() -> pair.server().read(ByteBuffer.allocate(1)));
            while (!isInside(pair.server())) Thread.yield();
            pair.server().close();
            assertThrows(AsynchronousCloseException.class, () -> Ground.get(inside));
        }
    }

    @Test
    void closeWakesWhoAccepts() throws Exception {
        TcpListener listener = listen(loopback());
        Future<?> accepting = ground.go(listener::accept);
        while (!listener.isBusy()) Thread.yield();
        listener.close();
        assertThrows(AsynchronousCloseException.class, () -> Ground.get(accepting));
        try (TcpListener again = listenAgain(listener.localAddress())) {
            assertEquals(listener.localAddress(), again.localAddress());
        }
    }

    private TcpListener listenAgain(SocketAddress address) throws IOException {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (true) {
            try {
                return listen(address);
            } catch (java.net.BindException stillThere) {
                if (System.nanoTime() > deadline) throw stillThere;
            }
        }
    }

    @Test
    void aSecondReaderWaitsForTheFirst() throws Exception {
        try (Pair pair = pair()) {
            Callable<Integer> readOne = () -> pair.server().read(ByteBuffer.allocate(1));
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) readers.add(ground.go(readOne));
            pair.client().write(bytes("abcd"));
            for (Future<Integer> each : readers) assertEquals(1, Ground.get(each));
        }
    }

    @Test
    void closeWakesThoseInLineAsWell() throws Exception {
        try (Pair pair = pair()) {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++)
                readers.add(ground.go(() -> pair.server().read(ByteBuffer.allocate(1))));
            while (!isInside(pair.server())) Thread.yield();
            pair.server().close();
            for (Future<Integer> each : readers) assertThrows(ClosedChannelException.class, () -> Ground.get(each));
        }
    }

    @Test
    void writersDoNotInterleave() throws Exception {
        int size = 1 << 19;
        try (Pair pair = pair()) {
            List<Future<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                byte[] data = new byte[size];
                java.util.Arrays.fill(data, (byte) i);
                writers.add(ground.go(() -> pair.client().write(ByteBuffer.wrap(data))));
            }
            byte[] all = new byte[4 * size];
            ByteBuffer buffer = ByteBuffer.wrap(all);
            while (buffer.hasRemaining()) pair.server().read(buffer);
            for (int i = 0; i < 4; i++) for (int j = 1; j < size; j++) assertEquals(all[i * size], all[i * size + j]);
            for (Future<Integer> each : writers) assertEquals(size, Ground.get(each));
        }
    }

    @Test
    void anInterruptEndsTheReadAndLeavesTheStreamUsable() throws Exception {
        try (Pair pair = pair()) {
            var self = new AtomicReference<Runnable>();
            Future<String> reading = ground.go(() -> {
                self.set(Interrupting.me());
                assertThrows(InterruptedIOException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
                pair.server().write(bytes("interrupted"));
                ByteBuffer buffer = ByteBuffer.allocate(10);
                pair.server().read(buffer);
                return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
            });
            while (self.get() == null) Thread.yield();
            self.get().run();
            ByteBuffer told = ByteBuffer.allocate(11);
            while (told.hasRemaining()) pair.client().read(told);
            pair.client().write(bytes("more"));
            assertEquals("more", Ground.get(reading));
        }
    }

    @Test
    void halfCloseLeavesTheOtherDirectionOpen() throws Exception {
        try (Pair pair = pair()) {
            pair.client().shutdownOutput();
            Future<?> server = ground.go(() -> {
                assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
                assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
                return pair.server().write(bytes("still here"));
            });
            Ground.get(server);
            ByteBuffer buffer = ByteBuffer.allocate(20);
            assertEquals(10, pair.client().read(buffer));
            Future<Integer> reading = ground.go(() -> pair.client().read(ByteBuffer.allocate(1)));
            while (!isInside(pair.client())) Thread.yield();
            pair.client().shutdownInput();
            assertEquals(-1, Ground.get(reading));
        }
    }

    /** It is not the other side that reads no more. */
    @Test
    void writingAfterItsOwnHalfCloseSaysSoAndNamesThePeer() throws Exception {
        try (Pair pair = pair()) {
            pair.client().shutdownOutput();
            List<Call> writes = List.of(
                    stream -> stream.write(bytes("late")),
                    stream -> stream.write(new ByteBuffer[] {bytes("too "), bytes("late")}),
                    stream -> {
                        stream.outputStream().write(1);
                        return true;
                    });
            for (Call each : writes) {
                Future<?> writing = ground.go(() -> each.on(pair.client()));
                var refused = assertThrows(SocketException.class, () -> Ground.get(writing));
                assertEquals(
                        "writing to " + pair.client().remoteAddress()
                                + ": this side has ended its output (shutdownOutput);"
                                + " write before that, or connect again",
                        refused.getMessage());
            }
            Future<Integer> reading = ground.go(() -> pair.client().read(ByteBuffer.allocate(20)));
            pair.server().write(bytes("still here"));
            assertEquals(10, Ground.get(reading));
        }
    }

    @Test
    void connectingWhereNobodyListensIsRefusedAndNamesThePlace() throws Exception {
        SocketAddress nobody;
        try (TcpListener listener = listen(loopback())) {
            nobody = listener.localAddress();
        }
        Future<TcpStream> connecting = ground.go(() -> connect(nobody));
        var refused = assertThrows(ConnectException.class, () -> Ground.get(connecting));
        assertTrue(refused.getMessage().contains(nobody.toString()), refused.getMessage());
    }

    @Test
    void connectTimesOutWhenNobodyAnswers() throws Exception {
        try (TcpListener full = TcpListener.builder(net()).backlog(1).bind(loopback())) {
            List<TcpStream> waiting = new ArrayList<>();
            Future<TcpStream> connecting = ground.go(() -> {
                while (true) { // until the backlog is full, and then no answer comes
                    waiting.add(TcpStream.connect(net(), full.localAddress(), Duration.ofMillis(100)));
                }
            });
            var timeout = assertThrows(SocketTimeoutException.class, () -> Ground.get(connecting));
            assertTrue(timeout.getMessage().contains(full.localAddress().toString()), timeout.getMessage());
            waiting.forEach(TcpStream::close);
        }
    }

    @Test
    void acceptTimesOut() throws Exception {
        try (TcpListener listener = listen(loopback()).acceptTimeout(Duration.ofMillis(10))) {
            Future<TcpStream> accepting = ground.go(listener::accept);
            assertThrows(SocketTimeoutException.class, () -> Ground.get(accepting));
        }
    }

    @Test
    void anAddressInUseIsNamed() throws Exception {
        try (TcpListener listener = listen(loopback())) {
            var inUse = assertThrows(java.net.BindException.class, () -> listen(listener.localAddress()));
            assertTrue(inUse.getMessage().contains(listener.localAddress().toString()), inUse.getMessage());
        }
    }

    @Test
    void listenersMayShareAPort() throws Exception {
        try (TcpListener one = TcpListener.builder(net()).reusePort(true).bind(loopback());
                TcpListener two = TcpListener.builder(net()).reusePort(true).bind(one.localAddress())) {
            assertEquals(one.localAddress(), two.localAddress());
        }
    }

    @Test
    void optionsAreKept() throws Exception {
        try (Pair pair = pair()) {
            pair.client().noDelay(true).keepAlive(true).setOption(StandardSocketOptions.SO_LINGER, 7);
            assertTrue(pair.client().getOption(StandardSocketOptions.TCP_NODELAY));
            assertTrue(pair.client().getOption(StandardSocketOptions.SO_KEEPALIVE));
            assertEquals(7, pair.client().getOption(StandardSocketOptions.SO_LINGER));
            pair.client().setOption(StandardSocketOptions.SO_LINGER, -1);
            assertEquals(-1, pair.client().getOption(StandardSocketOptions.SO_LINGER));
            pair.client().setOption(StandardSocketOptions.SO_RCVBUF, 50_000);
            assertEquals(50_000, pair.client().getOption(StandardSocketOptions.SO_RCVBUF));
        }
    }

    @Test
    void aResetBecomesAnExceptionThatNamesThePeer() throws Exception {
        try (Pair pair = pair()) {
            Future<?> reading = ground.go(() -> pair.server().read(ByteBuffer.allocate(1)));
            pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.client().close(); // with no lingering: a reset
            var reset = assertThrows(IOException.class, () -> Ground.get(reading));
            assertInstanceOf(java.net.SocketException.class, reset);
            assertTrue(reset.getMessage().contains(pair.server().remoteAddress().toString()), reset.getMessage());
            var broken = assertThrows(IOException.class, () -> pair.server().write(bytes("anybody?")));
            assertTrue(
                    broken.getMessage().contains(pair.server().remoteAddress().toString()), broken.getMessage());
        }
    }

    @Test
    void manyConnectionsAtOnceGetTheirOwnAnswers() throws Exception {
        int clients = 60;
        try (TcpListener listener = listen(loopback())) {
            Future<?> server = ground.go(() -> {
                for (int i = 0; i < clients; i++) {
                    TcpStream stream = listener.accept();
                    ground.go(() -> {
                        try (stream) {
                            return echo(stream);
                        }
                    });
                }
                return null;
            });
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                String name = "client " + i;
                all.add(ground.go(() -> converses(listener.localAddress(), name)));
            }
            for (Future<Boolean> each : all) assertTrue(Ground.get(each));
            Ground.get(server);
        }
    }

    private boolean converses(SocketAddress with, String name) throws IOException {
        try (TcpStream stream = connect(with)) {
            for (int i = 0; i < 20; i++) {
                String text = name + " " + i;
                stream.write(bytes(text));
                ByteBuffer buffer = ByteBuffer.allocate(text.length());
                while (buffer.hasRemaining()) if (stream.read(buffer) < 0) return false;
                if (!new String(buffer.array(), StandardCharsets.UTF_8).equals(text)) return false;
            }
            return true;
        }
    }
}
