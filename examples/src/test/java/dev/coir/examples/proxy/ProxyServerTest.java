package dev.coir.examples.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between a client and a server of the JDK's, that know nothing of it. */
@Timeout(120)
class ProxyServerTest {
    private final ServerSocket target;

    ProxyServerTest() throws IOException {
        target = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void closeTarget() throws IOException {
        target.close();
    }

    private Server start(Fiber.Kind kind) throws IOException {
        return ProxyServer.start(new Options("127.0.0.1", 0, 2, kind), target.getLocalSocketAddress());
    }

    private static Socket connect(Server server) throws IOException {
        return new Socket(server.address().getAddress(), server.address().getPort());
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfOneWayIsCarriedThroughWhileTheOtherGoesOn(Fiber.Kind kind) throws Exception {
        try (Server proxy = start(kind);
                Socket client = connect(proxy);
                Socket server = target.accept()) {
            client.getOutputStream().write("request".getBytes(US_ASCII));
            client.shutdownOutput();
            assertEquals("request", new String(server.getInputStream().readAllBytes(), US_ASCII));
            server.getOutputStream().write("answer".getBytes(US_ASCII));
            server.shutdownOutput();
            assertEquals("answer", new String(client.getInputStream().readAllBytes(), US_ASCII));
        }
    }

    @ParameterizedTest
    @EnumSource
    void megabytesGoThroughBothWaysAtOnce(Fiber.Kind kind) throws Exception {
        byte[] there = new byte[5_000_000];
        byte[] back = new byte[7_000_000];
        new Random(1).nextBytes(there);
        new Random(2).nextBytes(back);
        try (Server proxy = start(kind);
                Socket client = connect(proxy);
                Socket server = target.accept()) {
            CompletableFuture<byte[]> atServer = reading(server);
            CompletableFuture<byte[]> atClient = reading(client);
            CompletableFuture<?> sending = CompletableFuture.runAsync(() -> send(server, back));
            send(client, there);
            sending.get();
            assertArrayEquals(there, atServer.get(60, TimeUnit.SECONDS));
            assertArrayEquals(back, atClient.get(60, TimeUnit.SECONDS));
        }
    }

    private static CompletableFuture<byte[]> reading(Socket from) {
        var all = new CompletableFuture<byte[]>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                all.complete(from.getInputStream().readAllBytes());
            } catch (IOException e) {
                all.completeExceptionally(e);
            }
        });
        return all;
    }

    private static void send(Socket to, byte[] bytes) {
        try {
            to.getOutputStream().write(bytes);
            to.shutdownOutput();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The server reads nothing: after what the buffers of the system hold, the client can write no more. */
    @ParameterizedTest
    @EnumSource
    void aServerThatReadsNothingHoldsTheClientUp(Fiber.Kind kind) throws Exception {
        target.setReceiveBufferSize(64 * 1024);
        try (Server proxy = start(kind);
                SocketChannel client = SocketChannel.open()) {
            client.setOption(StandardSocketOptions.SO_SNDBUF, 64 * 1024);
            client.connect(proxy.address());
            try (Socket server = target.accept()) {
                client.configureBlocking(false);
                long sent = 0;
                long lastProgress = System.nanoTime();
                var piece = ByteBuffer.allocate(64 * 1024);
                while (System.nanoTime() - lastProgress < TimeUnit.SECONDS.toNanos(1)) {
                    int count = client.write(piece.clear());
                    if (count > 0) lastProgress = System.nanoTime();
                    sent += count;
                    assertTrue(sent < 64_000_000, "the proxy takes whatever it gets");
                }
                client.shutdownOutput();
                assertEquals(sent, server.getInputStream().readAllBytes().length, "and nothing of it is lost");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTargetThatIsNotThereEndsTheConnection(Fiber.Kind kind) throws Exception {
        target.close();
        try (Server proxy = start(kind);
                Socket client = connect(proxy)) {
            assertEquals(-1, client.getInputStream().read());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatBreaksOffEndsTheClientToo(Fiber.Kind kind) throws Exception {
        try (Server proxy = start(kind);
                Socket client = connect(proxy)) {
            Socket server = target.accept();
            server.setSoLinger(true, 0); // close by reset
            server.close();
            int end;
            try {
                end = client.getInputStream().read();
            } catch (IOException reset) {
                end = -1;
            }
            assertEquals(-1, end);
        }
    }
}
