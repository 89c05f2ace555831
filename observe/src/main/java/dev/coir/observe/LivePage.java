package dev.coir.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.coir.executor.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A page that shows a scheduler at work, for a browser: what each worker does, how much is run, stolen and queued, and every
 * fiber with what it waits for and where. The same for tools: {@code /stats.json}, {@code /dump.json}, {@code /dump.txt}, and
 * {@code /metrics} in the text format of Prometheus.
 *
 * {@snippet :
 * try (var page = LivePage.of(scheduler)) {
 *     System.out.println(page.address());
 *     ...
 * }
 * }
 *
 * <p>It is served by a thread of its own, not by the scheduler's: a page about a scheduler that is stuck must come. It shows names and
 * stacks to whoever can reach it, so by default only this machine can.
 */
public final class LivePage implements AutoCloseable {
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
    private final Scheduler scheduler;
    private final HttpServer server;
    private final ExecutorService thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LivePage(Scheduler scheduler, HttpServer server) {
        this.scheduler = scheduler;
        this.server = server;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("coir-live-page").factory());
    }

    /**
     * Serves a page on a port that is free, for this machine only.
     *
     * @param scheduler whose page
     * @return the page, served until it is closed
     */
    public static LivePage of(Scheduler scheduler) {
        return of(scheduler, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /**
     * Serves a page at an address. Whoever can reach it sees the names and stacks of all fibers.
     *
     * @param scheduler whose page
     * @param at where; port 0: one that is free
     * @return the page, served until it is closed
     * @throws UncheckedIOException when the address cannot be had
     */
    public static LivePage of(Scheduler scheduler, InetSocketAddress at) {
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(at, "at");
        try {
            var page = new LivePage(scheduler, HttpServer.create(at, 0));
            page.start();
            return page;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no live page at " + at + "; choose another address, or port 0 for a free one", e);
        }
    }

    private void start() {
        serve("/", "text/html", LivePage::page);
        serve("/stats.json", "application/json", () -> StatsText.json(scheduler.stats()));
        serve("/metrics", "text/plain; version=0.0.4", () -> StatsText.metrics(scheduler.stats()));
        serve("/crowds.json", "application/json", () -> Crowds.json(FiberDump.of(scheduler)));
        serve("/dump.json", "application/json", () -> FiberDump.of(scheduler).toJson());
        serve("/dump.txt", "text/plain", () -> FiberDump.of(scheduler).toString());
        server.setExecutor(thread);
        server.start();
    }

    private static String page() {
        try (InputStream in = Objects.requireNonNull(LivePage.class.getResourceAsStream("live.html"), "live.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(String path, String type, Supplier<String> content) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path))
                    answer(exchange, 404, "text/plain", "no such page\n");
                else if (!exchange.getRequestMethod().equals("GET"))
                    answer(exchange, 405, "text/plain", "this page can only be read\n");
                else if (!isForUs(exchange)) answer(exchange, 403, "text/plain", "ask by the page's own address\n");
                else answer(exchange, 200, type, content.get());
            }
        });
    }

    /** A site elsewhere may give its own name this address, and then ask in a visitor's browser: names are not answered to. */
    private boolean isForUs(HttpExchange exchange) {
        if (!server.getAddress().getAddress().isLoopbackAddress()) return true;
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null) return true;
        String name = host.replaceFirst(":\\d+$", "");
        return name.equals("localhost") || name.equals("[::1]") || name.matches("127(\\.\\d+){3}");
    }

    private static void answer(HttpExchange exchange, int status, String type, String content) throws IOException {
        byte[] body = content.getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type + (type.contains(";") ? "" : "; charset=utf-8"));
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    /**
     * Where it is.
     *
     * @return for a browser
     */
    public URI address() {
        InetSocketAddress at = server.getAddress();
        String host = at.getAddress().isAnyLocalAddress()
                ? "localhost"
                : at.getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort() + "/");
    }

    /** Serves it no longer. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) return;
        server.stop(0);
        thread.shutdownNow();
    }

    @Override
    public String toString() {
        return "LivePage[" + address() + (closed.get() ? ", closed]" : "]");
    }
}
