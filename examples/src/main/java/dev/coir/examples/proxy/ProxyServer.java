package dev.coir.examples.proxy;

import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import dev.coir.net.TcpStream;
import dev.coir.scope.Scope;
import dev.coir.scope.ScopeFailedException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * Passes connections on to another address. Each has two pumps, one for each way, and the end of one way is carried
 * through while the other goes on: a client may send its request, end its side, and still get the answer.
 */
public final class ProxyServer {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private ProxyServer() {}

    public static Server start(Options options, SocketAddress target) throws IOException {
        return Server.start(options, client -> {
            try (TcpStream server = TcpStream.connect(target, PATIENCE).noDelay(true)) {
                join(client, server, options.kind());
            }
        });
    }

    private static void join(TcpStream client, TcpStream server, Fiber.Kind kind) throws InterruptedException {
        try (var scope = Scope.<Boolean>open().kind(kind)) {
            scope.fork(() -> pump(client, server));
            scope.fork(() -> pump(server, client));
            scope.join();
        } catch (ScopeFailedException broken) {
            // one way broke, and the scope has ended the other
        }
    }

    private static boolean pump(TcpStream from, TcpStream to) throws IOException {
        Pump.run(from, to);
        to.shutdownOutput();
        return true;
    }
}
