package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lean load generator counts whole answers, and does not count a server's mistakes: it ends with a word about them. */
@Timeout(60)
class LeanLoadTest {
    private static final int ANSWER = RequestEnds.ANSWER.length;

    private static @Nullable Path program;

    /** What a server does about a request: the how manieth over all connections, the first being 1. */
    private interface Answering {
        void answer(Socket client, int request) throws IOException;
    }

    @BeforeAll
    static void build(@TempDir Path folder) throws Exception {
        for (String each : List.of("taskset", "g++")) {
            assumeTrue(Tools.missing(each).isEmpty(), () -> each + " is missing: " + Tools.cure(each));
        }
        program = NativeHello.load(folder);
    }

    private static Load load(int connections) {
        if (program == null) throw new IllegalStateException("not built");
        return Load.lean(program, connections, 0);
    }

    /** Loads a server for a moment that answers as it is told. @return how many requests it has seen */
    private static int run(int connections, Answering answering) throws Exception {
        var requests = new AtomicInteger();
        try (var listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> accept(listener, answering, requests));
            Load.Run run = load(connections).run(listener.getLocalPort(), 0.2);
            assertTrue(run.rate() > 0, run.toString());
            assertTrue(run.busy() > 0 && run.busy() <= 1.1, run.toString());
            // what was answered after the time is not counted, nor is the first, which tells the length
            assertTrue(run.rate() * 0.2 <= requests.get(), run + " of " + requests);
        }
        return requests.get();
    }

    private static void accept(ServerSocket listener, Answering answering, AtomicInteger requests) {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client, answering, requests));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private static void serve(Socket client, Answering answering, AtomicInteger requests) {
        try (client) {
            client.setTcpNoDelay(true);
            var ends = new RequestEnds();
            for (int next = client.getInputStream().read();
                    next >= 0;
                    next = client.getInputStream().read()) {
                if (ends.endsWith((byte) next)) answering.answer(client, requests.incrementAndGet());
            }
        } catch (IOException gone) {
            // the load has ended
        }
    }

    private static void assertFails(String why, Answering answering) {
        var failure = assertThrows(IOException.class, () -> run(3, answering));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.endsWith("failed: " + why + "\n"), message);
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static void hello(Socket client) throws IOException {
        client.getOutputStream().write(RequestEnds.ANSWER);
    }

    /** Each connection has one request at a time, so with one there are never more requests than answers and one. */
    @Test
    void everyConnectionHasOneRequestUnderWay() throws Exception {
        var answered = new AtomicInteger();
        run(1, (client, request) -> {
            assertEquals(request - 1, answered.getAndIncrement());
            hello(client);
        });
        run(20, (client, request) -> hello(client));
    }

    @Test
    void answersAreCountedHoweverTheyAreCut() throws Exception {
        int seen = run(2, (client, request) -> {
            OutputStream out = client.getOutputStream();
            int cut = 1 + request % (ANSWER - 1);
            out.write(RequestEnds.ANSWER, 0, cut);
            out.write(RequestEnds.ANSWER, cut, ANSWER - cut);
        });
        assertTrue(seen > 0);
    }

    @Test
    void aFirstAnswerInSinglesBytesTellsTheLengthToo() throws Exception {
        run(1, (client, request) -> {
            for (byte each : RequestEnds.ANSWER) client.getOutputStream().write(each);
        });
    }

    @Test
    void aServerThatClosesIsAMistake() {
        assertFails("a server that closes, or whose answer is too long", (client, request) -> client.close());
        assertFails("a server that closes", (client, request) -> {
            if (request <= 10) hello(client);
            else client.shutdownOutput();
        });
    }

    @Test
    void anotherAnswerIsAMistake() {
        assertFails("an answer that is not HTTP/1.1 200", (client, request) -> send(client, "HTTP/1.1 500 Oops\r\n"));
        assertFails("an answer that is not HTTP/1.1 200", (client, request) -> {
            if (request <= 10) hello(client);
            else send(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        });
    }

    @Test
    void anAnswerWithoutALengthIsAMistake() {
        assertFails("an answer without a Content-Length", (client, request) -> send(client, "HTTP/1.1 200 OK\r\n\r\n"));
    }

    @Test
    void moreBytesThanAnAnswerHasAreAMistake() {
        assertFails("more bytes than an answer has", (client, request) -> {
            hello(client);
            if (request > 10) hello(client);
        });
    }

    @Test
    void whereNobodyListensItFails() throws Exception {
        int port;
        try (var probe = new ServerSocket(0)) {
            port = probe.getLocalPort();
        }
        var failure = assertThrows(IOException.class, () -> load(1).run(port, 0.1));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.endsWith("failed: connect: Connection refused\n"), message);
    }

    @Test
    void wrongArgumentsAreRefused() {
        var failure = assertThrows(IOException.class, () -> load(0).run(1, 1));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.endsWith("failed: usage: load PORT CONNECTIONS SECONDS\n"), message);
    }
}
