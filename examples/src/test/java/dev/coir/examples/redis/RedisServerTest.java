package dev.coir.examples.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.examples.server.Tool;
import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients of Redis, against the server as it is. */
@Timeout(120)
class RedisServerTest {
    private static String tool(String name, Server server, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(name, "-h", "127.0.0.1", "-p"));
        command.add(String.valueOf(server.address().getPort()));
        command.addAll(List.of(args));
        return Tool.run(command.toArray(new String[0]));
    }

    private static String cli(Server server, String... args) throws Exception {
        return tool("redis-cli", server, args).strip();
    }

    private static Server start(Fiber.Kind kind) throws Exception {
        return RedisServer.start(new Options("127.0.0.1", 0, 2, kind));
    }

    @ParameterizedTest
    @EnumSource
    void redisCliIsServed(Fiber.Kind kind) throws Exception {
        try (Server server = start(kind)) {
            assertEquals("PONG", cli(server, "PING"));
            assertEquals("OK", cli(server, "SET", "greeting", "hello, world", "EX", "100"));
            assertEquals("hello, world", cli(server, "GET", "greeting"));
            assertEquals("100", cli(server, "TTL", "greeting"));
            assertEquals("1", cli(server, "INCR", "n"));
            assertEquals("hello, world\n1", cli(server, "MGET", "greeting", "n"));
            assertEquals("2", cli(server, "DBSIZE"));
            assertTrue(cli(server, "INFO").contains("connected_clients:1"));
            assertTrue(cli(server, "BREW", "tea").startsWith("ERR unknown command 'BREW'"));
            assertEquals("OK", cli(server, "FLUSHALL"));
            assertEquals("", cli(server, "GET", "greeting"));
            String large = "x".repeat(100_000);
            assertEquals("OK", cli(server, "SET", "large", large));
            assertEquals(large, cli(server, "GET", "large"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void redisBenchmarkFindsNoErrors(Fiber.Kind kind) throws Exception {
        try (Server server = start(kind)) {
            for (String pipeline : new String[] {"1", "16"}) {
                String said = tool(
                        "redis-benchmark",
                        server,
                        "--csv",
                        "-n",
                        "5000",
                        "-c",
                        "50",
                        "-P",
                        pipeline,
                        "-r",
                        "1000",
                        "-t",
                        "ping_inline,ping_mbulk,set,get,incr,mset");
                assertFalse(said.contains("rror") || said.contains("WARN"), said);
                for (String each : List.of("PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)")) {
                    assertTrue(said.contains("\"" + each + "\","), said);
                }
            }
        }
    }
}
