package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.net.internal.Net;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Two ends of a connection, for those who test what streams promise; afterwards nothing of it is left. */
@Timeout(60)
abstract class StreamGround {
    static final byte[] MUCH = new byte[32 << 20]; // more than the system keeps for a connection

    @Parameter
    Ground.Spec spec;

    @TempDir
    Path folder;

    Ground ground;
    private Map<String, String> openBefore;

    abstract Net net();

    @BeforeEach
    void open() throws Exception {
        try (var warm = new Ground.Spec(Ground.Who.THREADS, 0).open()) { // starts the watcher that stays
            try (TcpListener listener = listen(loopback())) {
                Future<Integer> reading = warm.go(() -> {
                    try (TcpStream server = listener.accept()) {
                        return server.read(ByteBuffer.allocate(1));
                    }
                });
                connect(listener.localAddress()).close();
                assertEquals(-1, Ground.get(reading));
            }
        }
        openBefore = Descriptors.open();
        ground = spec.open();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        ground.close();
        Descriptors.awaitAtMost(openBefore);
    }

    static SocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    TcpListener listen(SocketAddress address) throws IOException {
        return TcpListener.builder(net()).bind(address);
    }

    TcpStream connect(SocketAddress address) throws IOException {
        return TcpStream.connect(net(), address, Duration.ofSeconds(10));
    }

    /** Two ends of one connection. */
    record Pair(TcpStream client, TcpStream server) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    Pair pair() throws Exception {
        try (TcpListener listener = listen(loopback())) {
            Future<TcpStream> accepted = ground.go(listener::accept);
            TcpStream client = connect(listener.localAddress());
            return new Pair(client, Ground.get(accepted));
        }
    }

    /** Two ends that have heard from each other: the next read of each would wait. */
    Pair talking() throws Exception {
        Pair pair = pair();
        for (TcpStream each : List.of(pair.client, pair.server)) {
            (each == pair.client ? pair.server : pair.client).write(bytes("hello"));
            assertEquals(5, Ground.get(ground.go(() -> each.read(ByteBuffer.allocate(9)))));
        }
        return pair;
    }

    /** How many bytes come until the other end is shut. */
    static int readToTheEnd(TcpStream stream) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        int sum = 0;
        for (int count = 0; count >= 0; count = stream.read(buffer.clear())) sum += count;
        return sum;
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until the other party is inside a wait, as far as one can see: the listener of the call says so. */
    static void awaitParked(CountDownLatch about) throws Exception {
        about.await();
    }

    interface Call {
        Object on(TcpStream stream) throws IOException;
    }

    void assertCloseWakes(Call call) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Pair pair = i % 2 == 0 ? pair() : talking()) {
                var about = new CountDownLatch(1);
                Future<?> inside = ground.go(() -> {
                    about.countDown();
                    return call.on(pair.server);
                });
                awaitParked(about);
                for (int spins = 0; spins < i * 1000; spins++) Thread.onSpinWait();
                pair.server.close();
                assertThrows(ClosedChannelException.class, () -> Ground.get(inside)); // the asynchronous one, if inside
                assertThrows(ClosedChannelException.class, () -> call.on(pair.server));
                assertFalse(pair.server.isOpen());
            }
        }
    }

    static boolean isInside(TcpStream stream) {
        return stream.isBusy();
    }
}
