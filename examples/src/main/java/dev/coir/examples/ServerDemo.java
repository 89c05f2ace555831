package dev.coir.examples;

import dev.coir.examples.http.HttpOptions;
import dev.coir.examples.http.HttpServer;
import dev.coir.examples.proxy.ProxyServer;
import dev.coir.examples.redis.RedisServer;
import dev.coir.examples.server.Options;
import dev.coir.examples.server.Server;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Starts one of the example servers for real, says where it listens, and ends it at Ctrl-C. */
final class ServerDemo {
    static final List<String> NAMES = List.of("http", "redis", "proxy");

    static final String USAGE = """
            usage: demo http [options]
                   demo redis [options]
                   demo proxy HOST:PORT [options]
            """ + Options.USAGE + "\n" + HttpOptions.USAGE;

    private ServerDemo() {}

    /** Serves until the process is told to end. Returns only when it cannot start: with 2 for wrong arguments, else 1. */
    static int run(Screen screen, PrintStream err, String... args) throws InterruptedException {
        Server server;
        try {
            server = start(screen, args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(USAGE);
            return 2;
        } catch (BindException e) {
            err.println(e.getMessage() + " (choose another port with --port, or any with --port 0)");
            return 1;
        } catch (IOException e) {
            err.println("the server does not start: " + e.getMessage());
            return 1;
        }
        serveUntilTold(screen, server);
        return 0;
    }

    private static Server start(Screen screen, String... args) throws IOException {
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        return switch (args[0]) {
            case "http" -> {
                HttpOptions options = HttpOptions.at(8080).with(rest);
                Server server = HttpServer.start(options);
                String url = "http://" + shown(server.address()) + "/";
                screen.title("HTTP/1.1 hello server at " + url);
                screen.say(options.server().summary() + "; try: curl -i " + url);
                yield server;
            }
            case "redis" -> {
                Options options = Options.at(6380).with(rest);
                Server server = RedisServer.start(options);
                InetSocketAddress address = server.address();
                screen.title("Redis-protocol server at " + shown(address));
                screen.say(options.summary() + "; try: redis-cli -h "
                        + address.getAddress().getHostAddress() + " -p " + address.getPort());
                yield server;
            }
            default -> {
                if (rest.length == 0) throw new IllegalArgumentException("proxy: no target (expected: HOST:PORT)");
                InetSocketAddress target = target(rest[0]);
                Options options = Options.at(8081).with(Arrays.copyOfRange(rest, 1, rest.length));
                Server server = ProxyServer.start(options, target);
                screen.title("TCP proxy at " + shown(server.address()) + " to " + rest[0]);
                screen.say(options.summary());
                yield server;
            }
        };
    }

    private static InetSocketAddress target(String text) {
        int colon = text.lastIndexOf(':');
        try {
            String host = text.substring(0, Math.max(0, colon)).replace("[", "").replace("]", "");
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port > 0) return InetSocketAddress.createUnresolved(host, port);
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IllegalArgumentException("target: " + text + " (expected: HOST:PORT, like 127.0.0.1:8080)");
    }

    private static String shown(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static void serveUntilTold(Screen screen, Server server) throws InterruptedException {
        screen.say("Ctrl-C ends it.");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            screen.say("ended.");
        }));
        new CountDownLatch(1).await();
    }
}
