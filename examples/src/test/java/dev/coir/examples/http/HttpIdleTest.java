package dev.coir.examples.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.IdleWatch;
import dev.coir.examples.server.MemoryChannel;
import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that keep a connection and say nothing, or too little. */
@Timeout(60)
class HttpIdleTest {
    private static final int LIMIT = 5;
    private static final String GET = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final String HALF = GET.substring(0, 20);
    private static final String REST = GET.substring(20);

    /** A client whose story was written down before: what it sends, and how many ticks it is silent in between. */
    private static final class SlowClient extends MemoryChannel {
        private final Queue<Object> story;
        private final IdleWatch watch;
        private final StringBuilder got = new StringBuilder();
        private boolean isEnded; // by the server

        SlowClient(IdleWatch watch, Object... story) {
            this.watch = watch;
            this.story = new ArrayDeque<>(Arrays.asList(story));
        }

        @Override
        public int read(ByteBuffer target) {
            while (true) {
                Object next = story.poll();
                if (next instanceof Integer ticks) for (int i = 0; i < ticks; i++) watch.tick();
                if (isEnded || next == null) return -1;
                if (!(next instanceof String piece)) continue;
                target.put(piece.getBytes(US_ASCII));
                return piece.length();
            }
        }

        @Override
        public int write(ByteBuffer source) {
            int length = source.remaining();
            got.append(US_ASCII.decode(source));
            return length;
        }
    }

    /** What a client gets: the statuses of the answers, and whether the server had enough of it. */
    private static String told(int limit, Object... story) throws IOException {
        var watch = new IdleWatch(limit);
        var client = new SlowClient(watch, story);
        try (var watched = watch.add(() -> client.isEnded = true)) {
            new HttpConnection(client, new Answers(Instant.EPOCH), watched).serve();
        }
        String statuses = client.got.toString().replaceAll("(?s)HTTP/1.1 (\\d+).*?\\r\\n\\r\\n[^\\n]*\\n", "$1 ");
        return statuses + (client.isEnded ? "ended" : "left");
    }

    @Test
    void whoSaysNothingIsLeftWithoutAWord() throws Exception {
        assertEquals("ended", told(LIMIT, LIMIT + 1, GET));
        assertEquals("200 left", told(LIMIT, LIMIT, GET));
    }

    @Test
    void whoIsAnsweredAndSaysNothingMoreIsLeftWithoutAWord() throws Exception {
        assertEquals("200 200 ended", told(LIMIT, GET, 3, GET, LIMIT + 1, GET));
    }

    @Test
    void halfARequestGets408() throws Exception {
        assertEquals("408 ended", told(LIMIT, HALF, LIMIT + 1, REST));
        assertEquals("408 ended", told(LIMIT, "G", LIMIT + 1));
        assertEquals("200 408 ended", told(LIMIT, GET + HALF, LIMIT + 1));
        assertEquals("408 ended", told(LIMIT, "\r\n", LIMIT + 1));
    }

    @Test
    void halfABodyGets408() throws Exception {
        String post = "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n";
        assertEquals("408 ended", told(LIMIT, post, LIMIT + 1, "0123456789"));
        assertEquals("200 left", told(LIMIT, post, LIMIT, "0123456789"));
        assertEquals("408 ended", told(LIMIT, post, 3, "01234", 3, "56789"));
    }

    @Test
    void aRequestByteByByteHasNoMoreTimeThanAnother() throws Exception {
        Object[] story = new Object[2 * GET.length()];
        for (int i = 0; i < GET.length(); i++) {
            story[2 * i] = GET.substring(i, i + 1);
            story[2 * i + 1] = 1;
        }
        assertEquals("408 ended", told(LIMIT, story));
        assertEquals("200 left", told(story.length, story));
        assertEquals("408 ended", told(LIMIT, "\r\n", 2, "\r\n", 2, "\r\n", 2, "\r\n", 2));
    }

    @Test
    void aRequestThatBeginsLateHasAllTheTimeThereIs() throws Exception {
        assertEquals("200 200 left", told(LIMIT, GET, LIMIT, HALF, LIMIT, REST));
    }

    @Test
    void aBusyClientMayStay() throws Exception {
        Object[] story = new Object[200];
        for (int i = 0; i < story.length; i += 2) {
            story[i] = GET;
            story[i + 1] = LIMIT - 1;
        }
        assertEquals("200 ".repeat(100) + "left", told(LIMIT, story));
    }

    @Test
    void withoutALimitNobodyIsEnded() throws Exception {
        assertEquals("200 left", told(0, 1_000, HALF, 1_000, REST));
    }

    @Test
    void theSecondsAreAnOption() {
        assertEquals(60, HttpOptions.at(1).idleSeconds());
        HttpOptions options = HttpOptions.at(1).with("--idle-seconds", "7", "--workers", "3");
        assertEquals(7, options.idleSeconds());
        assertEquals(3, options.server().workers());
        for (String[] wrong : new String[][] {{"--idle-seconds"}, {"--idle-seconds", "-1"}, {"--idle-seconds", "x"}}) {
            var refused = assertThrows(
                    IllegalArgumentException.class, () -> HttpOptions.at(1).with(wrong));
            String said = String.valueOf(refused.getMessage());
            assertTrue(said.contains("--idle-seconds"), said);
        }
    }

    // ---- over sockets -----------------------------------------------------------------------------------------------

    private static HttpOptions options(Fiber.Kind kind, int seconds) {
        return new HttpOptions(new Options("127.0.0.1", 0, 2, kind), seconds);
    }

    private static Socket connect(Server server) throws IOException {
        var socket = new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(50_000); // a read that hangs fails, which an interrupt would not make it do
        return socket;
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    @ParameterizedTest
    @EnumSource
    void silentClientsAreGoneAfterASecond(Fiber.Kind kind) throws Exception {
        try (Server server = HttpServer.start(options(kind, 1))) {
            try (Socket one = connect(server);
                    Socket two = connect(server)) {
                assertEquals("", readAll(one));
                assertEquals("", readAll(two));
            }
            while (server.connections() != 0) Thread.onSpinWait();
        }
    }

    /** The first answer shows that the server has read what came behind it in the same piece. */
    @ParameterizedTest
    @EnumSource
    void halfARequestGets408OverASocketToo(Fiber.Kind kind) throws Exception {
        var idle = new IdleWatch(LIMIT);
        try (Server server = HttpServer.start(options(kind, 60), new Answers(Instant.EPOCH), idle);
                Socket socket = connect(server)) {
            socket.getOutputStream().write((GET + HALF).getBytes(US_ASCII));
            assertEquals('H', socket.getInputStream().read());
            for (int i = 0; i <= LIMIT; i++) idle.tick();
            String rest = readAll(socket);
            assertTrue(rest.startsWith("TTP/1.1 200 OK"), rest);
            assertTrue(rest.contains("Hello, world!\nHTTP/1.1 408 Request Timeout\r\n"), rest);
            assertFalse(rest.contains("keep-alive"), rest);
        }
    }
}
