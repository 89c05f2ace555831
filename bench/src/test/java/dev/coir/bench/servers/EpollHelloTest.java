package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The floor of the hello servers does less than the others, and does it right: a floor that cheats would excuse anything. */
@Timeout(60)
class EpollHelloTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);

    private static @Nullable RunningServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        for (String each : List.of("taskset", "g++")) {
            assumeTrue(Tools.missing(each).isEmpty(), () -> each + " is missing: " + Tools.cure(each));
        }
        var floor = Contestant.floor(
                "bare epoll, C", List.of(NativeHello.epoll(folder).toString(), Contestant.PORT));
        server = RunningServer.start(floor, 0);
    }

    @AfterAll
    static void stop() {
        if (server != null) server.close();
    }

    private static InetSocketAddress address() {
        if (server == null) throw new IllegalStateException("not started");
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    private static Socket connect() throws IOException {
        var client = new Socket();
        client.connect(address());
        return client;
    }

    private static byte[] repeat(byte[] part, int times) {
        byte[] all = new byte[part.length * times];
        for (int i = 0; i < times; i++) System.arraycopy(part, 0, all, i * part.length, part.length);
        return all;
    }

    @Test
    void aRequestIsAnsweredWhereverItIsCut() throws Exception {
        try (var client = connect()) {
            client.setTcpNoDelay(true);
            for (int cut = 1; cut < REQUEST.length; cut++) {
                client.getOutputStream().write(REQUEST, 0, cut);
                client.getOutputStream().write(REQUEST, cut, REQUEST.length - cut);
                assertArrayEquals(RequestEnds.ANSWER, client.getInputStream().readNBytes(RequestEnds.ANSWER.length));
            }
        }
    }

    /** 128 requests of 32 bytes fill its buffer to the last byte: neither the read that it leaves out nor the one after loses any. */
    @Test
    void pipelinesAroundTheSizeOfItsBufferAreAnswered() throws Exception {
        byte[] request = "GET / HTTP/1.1\r\nHost: padded\r\n\r\n".getBytes(US_ASCII);
        assertEquals(32, request.length);
        try (var client = connect()) {
            for (int pipeline : new int[] {127, 128, 129, 256}) {
                client.getOutputStream().write(repeat(request, pipeline));
                assertArrayEquals(
                        repeat(RequestEnds.ANSWER, pipeline),
                        client.getInputStream().readNBytes(pipeline * RequestEnds.ANSWER.length));
            }
        }
    }

    /** A window of a few kilobytes: the server's socket gets full, and what is owed then comes in order and whole. */
    @Test
    void aSlowClientGetsEveryAnswer() throws Exception {
        int requests = 200_000;
        try (var client = new Socket()) {
            client.setReceiveBufferSize(4096); // before it is connected, when the window is agreed upon
            client.connect(address());
            var sent = CompletableFuture.runAsync(() -> {
                try {
                    client.getOutputStream().write(repeat(REQUEST, requests));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            byte[] answers = client.getInputStream().readNBytes(requests * RequestEnds.ANSWER.length);
            sent.join();
            assertArrayEquals(repeat(RequestEnds.ANSWER, requests), answers);
        }
    }

    @Test
    void whoEndsItsOutputGetsItsAnswersAndTheEnd() throws Exception {
        for (int i = 0; i < 100; i++) {
            try (var client = connect()) {
                client.getOutputStream().write(repeat(REQUEST, 3));
                client.shutdownOutput();
                assertArrayEquals(
                        repeat(RequestEnds.ANSWER, 3), client.getInputStream().readAllBytes());
            }
        }
    }

    @Test
    void manyClientsAreServedAtOnce() throws Exception {
        var clients = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 200; i++) clients.add(connect());
            for (Socket each : clients) each.getOutputStream().write(REQUEST);
            for (Socket each : clients)
                assertArrayEquals(RequestEnds.ANSWER, each.getInputStream().readNBytes(RequestEnds.ANSWER.length));
        } finally {
            for (Socket each : clients) each.close();
        }
    }
}
