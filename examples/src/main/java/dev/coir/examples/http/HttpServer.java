package dev.coir.examples.http;

import dev.coir.examples.server.IdleWatch;
import dev.coir.examples.server.Linger;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import dev.coir.net.TcpStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Says hello in HTTP/1.1, to as many clients as come: keep-alive, pipelining, and a proper answer to improper requests. */
public final class HttpServer {
    private HttpServer() {}

    public static Server start(HttpOptions options) throws IOException {
        var answers = new Answers(Instant.now());
        var idle = new IdleWatch(options.idleSeconds());
        Server server = start(options, answers, idle);
        server.go("clock", () -> tickEverySecond(answers, idle));
        return server;
    }

    /** A server whose clock is somebody else's. */
    static Server start(HttpOptions options, Answers answers, IdleWatch idle) throws IOException {
        Duration patience = Duration.ofSeconds(options.idleSeconds());
        return Server.start(options.server(), client -> {
            client.writeTimeout(patience); // costs nothing but while a write waits
            serve(client, answers, idle);
            Linger.over(client);
        });
    }

    private static void serve(TcpStream client, Answers answers, IdleWatch idle) throws IOException {
        try (var watched = idle.add(client::shutdownInput)) {
            new HttpConnection(client, answers, watched).serve();
        }
    }

    private static void tickEverySecond(Answers answers, IdleWatch idle) {
        try {
            while (true) {
                Fiber.sleep(Duration.ofSeconds(1));
                answers.renew(Instant.now());
                idle.tick();
            }
        } catch (InterruptedException over) {
            // the server ends
        }
    }
}
