package dev.coir.examples.http;

import dev.coir.examples.server.Linger;
import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Says hello in HTTP/1.1, to as many clients as come: keep-alive, pipelining, and a proper answer to improper requests. */
public final class HttpServer {
    private HttpServer() {}

    public static Server start(Options options) throws IOException {
        var answers = new Answers(Instant.now());
        Server server = Server.start(options, client -> {
            new HttpConnection(client, answers).serve();
            Linger.over(client);
        });
        server.go("clock", () -> renewEverySecond(answers));
        return server;
    }

    private static void renewEverySecond(Answers answers) {
        try {
            while (true) {
                Fiber.sleep(Duration.ofSeconds(1));
                answers.renew(Instant.now());
            }
        } catch (InterruptedException over) {
            // the server ends
        }
    }
}
