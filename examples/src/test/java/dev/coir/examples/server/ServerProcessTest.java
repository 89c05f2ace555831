package dev.coir.examples.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers as processes: how they start and end, and what happens at the limits of the system. */
@Timeout(180)
class ServerProcessTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);

    private static void ask(SocketChannel client) throws IOException {
        client.write(ByteBuffer.wrap(REQUEST));
    }

    private static String answer(SocketChannel client) throws IOException {
        byte[] bytes = new byte[1024];
        var in = ByteBuffer.wrap(bytes);
        String text = "";
        while (!text.endsWith("Hello, world!\n") && client.read(in) > 0) {
            text = new String(bytes, 0, in.position(), US_ASCII);
        }
        return text;
    }

    private static void assertServed(SocketChannel client) throws IOException {
        ask(client);
        String answer = answer(client);
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
    }

    private static void closeAll(List<SocketChannel> clients) throws IOException {
        for (SocketChannel each : clients) each.close();
    }

    private static int descriptorLimit() throws Exception {
        String limit = Tool.run("sh", "-c", "ulimit -Hn").strip();
        return limit.equals("unlimited") ? Integer.MAX_VALUE : Integer.parseInt(limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "virtual"})
    void aServerSaysWhereItListensAndEndsAtControlC(String kind) throws Exception {
        try (var server = ServerProcess.start(List.of(), "http", "--port", "0", "--kind", kind);
                SocketChannel client = SocketChannel.open(server.address())) {
            assertServed(client);
            assertEquals(130, server.interrupt());
            assertTrue(server.said().contains(kind + " fibers; try: curl -i " + server.url()), server.said());
            assertTrue(server.said().strip().endsWith("ended."), server.said());
            assertEquals(-1, client.read(ByteBuffer.allocate(1)), "the connection is ended in order");
        }
    }

    @Test
    void redisAndTheProxyStartToo() throws Exception {
        try (var redis = ServerProcess.start(List.of(), "redis", "--port", "0");
                var proxy = ServerProcess.start(
                        List.of(), "proxy", "127.0.0.1:" + redis.address().getPort(), "--port", "0");
                var client =
                        new Socket(proxy.address().getAddress(), proxy.address().getPort())) {
            client.getOutputStream().write("SET a 1\r\nINCR a\r\nQUIT\r\n".getBytes(US_ASCII));
            assertEquals(
                    "+OK\r\n:2\r\n+OK\r\n", new String(client.getInputStream().readAllBytes(), US_ASCII));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 http --port 70000",
                "2 http --workers 0",
                "2 http --kind heavy",
                "2 http --port",
                "2 http --colour red",
                "2 http --idle-seconds soon",
                "2 redis --idle-seconds 5",
                "2 proxy",
                "2 proxy nowhere",
                "1 http --port TAKEN"
            })
    void whatCannotBeIsRefusedWithTheCure(String line) throws Exception {
        try (var taken = new ServerSocket(0)) {
            String[] words =
                    line.replace("TAKEN", String.valueOf(taken.getLocalPort())).split(" ", -1);
            String[] args = new String[words.length - 1];
            System.arraycopy(words, 1, args, 0, args.length);
            Process process = ServerProcess.launch(List.of(), args);
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertEquals(Integer.parseInt(words[0]), process.waitFor(), said);
            assertTrue(said.contains("expected") || said.contains("--port"), said);
            assertFalse(said.contains("\tat "), said);
        }
    }

    /** Ten thousand that are idle, a hundred that are busy, and then some of the idle ones again. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "virtual"})
    void tenThousandIdleConnectionsHold(String kind) throws Exception {
        int idle = 10_000;
        assumeTrue(descriptorLimit() > idle + 500, "a limit of descriptors (ulimit -Hn) below 10,500");
        List<SocketChannel> clients = new ArrayList<>();
        String[] options = {"http", "--port", "0", "--workers", "2", "--kind", kind, "--idle-seconds", "3600"};
        try (var server = ServerProcess.start(List.of(), options)) {
            try (SocketChannel first = SocketChannel.open(server.address())) {
                assertServed(first);
            }
            long liveBefore = server.liveBytes();
            long residentBefore = server.residentBytes();
            for (int i = 0; i < idle; i++) {
                SocketChannel client = SocketChannel.open(server.address());
                clients.add(client);
                assertServed(client); // so it is accepted, has its buffers, and waits
            }
            long live = (server.liveBytes() - liveBefore) / idle;
            long resident = (server.residentBytes() - residentBefore) / idle;
            System.out.printf(
                    Locale.ROOT,
                    "%s fibers, %,d idle connections: %,d bytes of live objects each, %,d bytes of the process each%n",
                    kind,
                    idle,
                    live,
                    resident);
            assertTrue(live < 16_000, live + " bytes of live objects for each");

            List<SocketChannel> busy = new ArrayList<>();
            for (int i = 0; i < 100; i++) busy.add(SocketChannel.open(server.address()));
            for (int round = 0; round < 20; round++) {
                for (SocketChannel each : busy) ask(each);
                for (SocketChannel each : busy) assertTrue(answer(each).startsWith("HTTP/1.1 200 OK\r\n"));
            }
            closeAll(busy);
            for (int i = 0; i < idle; i += 100) assertServed(clients.get(i));
        } finally {
            closeAll(clients);
        }
    }

    /** Five hundred clients want to be served by a process that may have 64 descriptors. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "virtual"})
    void aServerWithoutDescriptorsSurvivesARush(String kind) throws Exception {
        List<String> limited = List.of("sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh");
        try (var server = ServerProcess.start(limited, "http", "--port", "0", "--workers", "2", "--kind", kind)) {
            InetSocketAddress address = server.address();
            for (int rush = 0; rush < 2; rush++) {
                List<SocketChannel> clients = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    clients.add(SocketChannel.open(address));
                    ask(clients.getLast());
                }
                assertTrue(answer(clients.getFirst()).startsWith("HTTP/1.1 200 OK\r\n"), "the first are served");
                closeAll(clients);
                try (SocketChannel after = SocketChannel.open(address)) {
                    assertServed(after);
                }
                assertTrue(server.isAlive());
            }
        }
    }

    /** A connection is registered once, and a busy server finds many requests with one look. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "virtual"})
    void requestsCostNoRegistrationAndShareThePolls(String kind, @TempDir Path folder) throws Exception {
        Tool.need("strace");
        Tool.need("h2load");
        int requests = 6_400;
        Path counts = folder.resolve("counts");
        try (var server = ServerProcess.start(List.of(), "http", "--port", "0", "--workers", "1", "--kind", kind)) {
            Tool.run("h2load", "--h1", "-n", "640", "-c", "64", server.url());
            Process strace = new ProcessBuilder(
                            "strace", "-f", "-c", "-o", counts.toString(), "-p", String.valueOf(server.pid()))
                    .redirectErrorStream(true)
                    .start();
            String first = strace.inputReader(UTF_8).readLine();
            assumeTrue(first != null && first.contains("attached"), "strace may not attach here: " + first);
            String said = Tool.run("h2load", "--h1", "-n", String.valueOf(requests), "-c", "64", server.url());
            new ProcessBuilder("kill", "-TERM", String.valueOf(strace.pid()))
                    .start()
                    .waitFor();
            strace.waitFor();
            assertTrue(said.contains(requests + " succeeded, 0 failed"), said);

            String table = Files.readString(counts);
            System.out.println(kind + " fibers, " + requests + " requests over 64 connections:\n" + table);
            assertTrue(calls(table, "epoll_ctl") <= 2 * 64, table);
            assertTrue(calls(table, "epoll_p?wait2?") < requests, table);
            assertTrue(calls(table, "sendto|write") >= requests, table);
        }
    }

    private static int calls(String table, String name) {
        Matcher row = Pattern.compile(
                        "(?m)^\\s*[0-9.]+\\s+[0-9.]+\\s+[0-9]+\\s+([0-9]+)\\s+(?:[0-9]+\\s+)?(?:" + name + ")$")
                .matcher(table);
        int calls = 0;
        while (row.find()) calls += Integer.parseInt(row.group(1));
        return calls;
    }
}
