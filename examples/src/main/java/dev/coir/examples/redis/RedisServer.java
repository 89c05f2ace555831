package dev.coir.examples.redis;

import dev.coir.examples.server.Linger;
import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A key-value server that {@code redis-cli}, {@code redis-benchmark} and the client libraries of Redis can use. */
public final class RedisServer {
    private static final Duration BETWEEN_SWEEPS = Duration.ofMillis(100);

    private RedisServer() {}

    public static Server start(Options options) throws IOException {
        var clients = new AtomicInteger();
        var store = new Store(System::currentTimeMillis, new SecureRandom().nextLong(), clients::get);
        Server server = Server.start(options, client -> {
            clients.incrementAndGet();
            try {
                new RedisConnection(client, store).serve();
                Linger.over(client);
            } finally {
                clients.decrementAndGet();
            }
        });
        server.go("sweeper", () -> sweep(store));
        return server;
    }

    private static void sweep(Store store) {
        try {
            while (true) {
                Fiber.sleep(BETWEEN_SWEEPS);
                store.sweep();
            }
        } catch (InterruptedException over) {
            // the server ends
        }
    }
}
