package dev.coir.examples.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.examples.server.Tool;
import dev.coir.fiber.Fiber;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that people use, against the server as it is. */
@Timeout(120)
class HttpServerTest {
    @TempDir
    private Path folder;

    private interface Body {
        void with(String url) throws Exception;
    }

    private static void serve(Fiber.Kind kind, Body body) throws Exception {
        var options = new Options("127.0.0.1", 0, 2, kind);
        try (Server server = HttpServer.start(new HttpOptions(options, 60))) {
            body.with("http://127.0.0.1:" + server.address().getPort() + "/");
        }
    }

    private static String curl(String... args) throws Exception {
        String[] command = new String[args.length + 2];
        command[0] = "curl";
        command[1] = "-sS";
        System.arraycopy(args, 0, command, 2, args.length);
        return Tool.run(command);
    }

    @ParameterizedTest
    @EnumSource
    void curlIsServed(Fiber.Kind kind) throws Exception {
        serve(kind, url -> {
            String whole = curl("-i", url);
            assertTrue(whole.startsWith("HTTP/1.1 200 OK\r\nDate: "), whole);
            assertTrue(whole.endsWith("\r\n\r\nHello, world!\n"), whole);
            assertEquals("Hello, world!\n".repeat(3), curl(url, url, url));
            String head = curl("-I", url);
            assertTrue(head.contains("Content-Length: 14\r\n") && !head.contains("Hello"), head);
            assertTrue(curl("-i", "--http1.0", url).contains("Connection: close\r\n"));
            assertTrue(curl("-i", "-X", "BREW", url).startsWith("HTTP/1.1 501 "));
            assertTrue(curl("-i", "-H", "Host:", url).startsWith("HTTP/1.1 400 "));
            assertTrue(curl("-i", "-H", "Long: " + "x".repeat(9_000), url).startsWith("HTTP/1.1 431 "));
            assertTrue(curl("-i", url + "x".repeat(9_000)).startsWith("HTTP/1.1 414 "));
        });
    }

    @ParameterizedTest
    @EnumSource
    void curlMayUpload(Fiber.Kind kind) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[1024 * 1024]);
        Path large = Files.write(folder.resolve("large"), new byte[3 * 1024 * 1024]);
        serve(kind, url -> {
            String chunked = "Transfer-Encoding: chunked";
            assertEquals("Hello, world!\n", curl("--data-binary", "@" + file, url));
            assertEquals("Hello, world!\n", curl("-H", chunked, "--data-binary", "@" + file, url));
            assertEquals("Hello, world!\n", curl("-H", "Expect: 100-continue", "--data-binary", "@" + file, url));
            assertTrue(curl("-i", "--data-binary", "@" + large, url).contains("HTTP/1.1 413 "));
        });
    }

    @ParameterizedTest
    @EnumSource
    void wrkFindsNoErrors(Fiber.Kind kind) throws Exception {
        serve(kind, url -> {
            String said = Tool.run("wrk", "-t1", "-c64", "-d1s", url);
            assertFalse(said.contains("Socket errors") || said.contains("Non-2xx"), said);
            assertFalse(said.contains("\n  0 requests in"), said);
        });
    }

    @ParameterizedTest
    @EnumSource
    void h2loadFindsNoErrors(Fiber.Kind kind) throws Exception {
        serve(kind, url -> {
            for (String pipeline : new String[] {"1", "16"}) {
                String said = Tool.run("h2load", "--h1", "-n", "6400", "-c", "64", "-m", pipeline, url);
                String sum = "6400 total, 6400 started, 6400 done, 6400 succeeded, 0 failed, 0 errored, 0 timeout";
                assertTrue(said.contains(sum), said);
                assertTrue(said.contains("6400 2xx, 0 3xx, 0 4xx, 0 5xx"), said);
            }
        });
    }
}
