package dev.coir.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LivePageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static HttpResponse<String> get(LivePage page, String path) throws Exception {
        return ask(HttpRequest.newBuilder(page.address().resolve(path)).build());
    }

    private static HttpResponse<String> ask(HttpRequest request) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static JsonNode json(LivePage page, String path) throws Exception {
        var answer = get(page, path);
        assertEquals(200, answer.statusCode());
        return JSON.readTree(answer.body());
    }

    @Test
    void thePageIsOneFileThatLoadsNothingFromElsewhere() throws Exception {
        try (var scheduler = Scheduler.start(1);
                var page = LivePage.of(scheduler)) {
            var answer = get(page, "/");
            assertEquals(200, answer.statusCode());
            assertEquals(
                    "text/html; charset=utf-8",
                    answer.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(answer.headers()
                    .firstValue("Content-Security-Policy")
                    .orElseThrow()
                    .startsWith("default-src 'none'"));
            assertTrue(answer.body().contains("<title>Coir</title>"));
            assertFalse(answer.body().contains("https://"), "nothing from other sites");
        }
    }

    @Test
    void statsAreThoseOfTheScheduler() throws Exception {
        try (var scheduler = Scheduler.builder().name("mill \"one\"").workers(2).start();
                var page = LivePage.of(scheduler)) {
            List<Fiber<?>> fibers = new ArrayList<>();
            for (int i = 0; i < 100; i++) fibers.add(Fiber.go(scheduler, () -> Fiber.yield()));
            fibers.forEach(Fiber::join);
            JsonNode stats = json(page, "/stats.json");
            assertEquals("mill \"one\"", stats.get("scheduler").asText());
            assertEquals(2, stats.get("workers").size());
            long ran = 0;
            for (JsonNode each : stats.get("workers")) ran += each.get("ran").asLong();
            assertTrue(ran >= 200, stats::toString);
        }
    }

    @Test
    void metricsAreInTheFormatOfPrometheus() throws Exception {
        try (var scheduler = Scheduler.builder().name("a\\b\"c\nd").workers(2).start();
                var page = LivePage.of(scheduler)) {
            var answer = get(page, "/metrics");
            assertEquals(
                    "text/plain; version=0.0.4",
                    answer.headers().firstValue("Content-Type").orElseThrow());
            String sample =
                    "coir_[a-z_]+\\{scheduler=\"a\\\\\\\\b\\\\\"c\\\\nd\"(,group=\"\\d+\",worker=\"\\d+\")?} \\d+";
            String comment = "# (HELP coir_[a-z_]+ .+|TYPE coir_[a-z_]+ (gauge|counter))";
            answer.body().lines().forEach(line -> assertTrue(line.matches(sample + "|" + comment), line));
            assertTrue(answer.body().endsWith("\n"));
            assertTrue(answer.body().contains("coir_ran_total{"), answer::body);
        }
    }

    @Test
    void fibersThatDoTheSameAreOneCrowd() throws Exception {
        try (var scheduler = Scheduler.start(2);
                var page = LivePage.of(scheduler)) {
            var gate = new Latch(1);
            for (Fiber.Kind kind : Fiber.Kind.values()) {
                for (int i = 0; i < 500; i++) {
                    Fiber.builder()
                            .on(scheduler)
                            .kind(kind)
                            .name(kind + " " + i)
                            .start(() -> {
                                gate.await();
                                return null;
                            });
                }
            }
            scheduler.awaitIdle();
            JsonNode found = json(page, "/crowds.json");
            assertEquals(2, found.get("crowds").size(), found::toString);
            for (JsonNode crowd : found.get("crowds")) {
                assertEquals(500, crowd.get("count").asInt());
                assertEquals("WAITING", crowd.get("status").asText());
                assertEquals("count of a Latch", crowd.get("reason").asText());
                assertEquals(5, crowd.get("names").size());
                assertTrue(crowd.get("stack").toString().contains("LivePageTest"), crowd::toString);
            }
            assertEquals(0, found.get("left").asInt());
            assertEquals(1_000, json(page, "/dump.json").get("fibers").size());
            assertTrue(get(page, "/dump.txt").body().contains("500 fibers"));
            gate.countDown();
        }
    }

    @Test
    void aPageAboutASchedulerThatIsStuckComes() throws Exception {
        var release = new AtomicBoolean();
        try (var scheduler = Scheduler.start(1);
                var page = LivePage.of(scheduler)) {
            var began = new CountDownLatch(1);
            scheduler.execute(() -> {
                began.countDown();
                while (!release.get()) Thread.onSpinWait();
            });
            began.await();
            assertEquals(
                    "RUNS",
                    json(page, "/crowds.json")
                            .get("workers")
                            .get(0)
                            .get("state")
                            .asText());
            release.set(true);
        }
    }

    @Test
    void aSchedulerThatHasClosedIsShownAsSuch() throws Exception {
        var scheduler = Scheduler.start(1);
        try (var page = LivePage.of(scheduler)) {
            scheduler.close();
            assertEquals("STOPPED", json(page, "/crowds.json").get("state").asText());
            assertEquals(200, get(page, "/stats.json").statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/dump", "/dump.json/more", "/../etc/passwd"})
    void whatIsNotThereIsNotFound(String path) throws Exception {
        try (var scheduler = Scheduler.start(1);
                var page = LivePage.of(scheduler)) {
            assertEquals(404, get(page, path).statusCode());
        }
    }

    @Test
    void itCanOnlyBeRead() throws Exception {
        try (var scheduler = Scheduler.start(1);
                var page = LivePage.of(scheduler)) {
            var post = HttpRequest.newBuilder(page.address())
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            assertEquals(405, ask(post).statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example"})
    void aSiteThatBorrowsTheAddressIsRefused(String host) throws Exception {
        try (var scheduler = Scheduler.start(1);
                var page = LivePage.of(scheduler)) {
            assertTrue(raw(page.address(), host).startsWith("HTTP/1.1 403"));
            assertTrue(raw(page.address(), "localhost:1").startsWith("HTTP/1.1 200"));
        }
    }

    private static String raw(URI address, String host) throws IOException {
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(("GET /stats.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws Exception {
        try (var scheduler = Scheduler.start(1);
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
            var refused = assertThrows(UncheckedIOException.class, () -> LivePage.of(scheduler, at));
            assertTrue(refused.getMessage().contains(":" + taken.getLocalPort()), refused::getMessage);
        }
    }

    @Test
    void closedItIsGoneAndItsThreadToo() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var page = LivePage.of(scheduler);
            assertEquals(200, get(page, "/").statusCode());
            Thread thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(each -> each.getName().equals("coir-live-page"))
                    .findFirst()
                    .orElseThrow();
            page.close();
            page.close();
            thread.join();
            assertThrows(IOException.class, () -> get(page, "/"));
            assertTrue(page.toString().endsWith("closed]"), page::toString);
        }
    }

    @Test
    void nullIsRefusedByName() {
        assertEquals(
                "scheduler",
                assertThrows(NullPointerException.class, () -> LivePage.of(null))
                        .getMessage());
    }
}
