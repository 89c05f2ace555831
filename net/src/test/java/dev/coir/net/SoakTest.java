package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Connections that end in every way, for a while: descriptors, fibers and heap stay flat. {@code -Dcoir.dose=long} takes ten
 * minutes. A failure names its seed: run it again with {@code -Dcoir.seed=...}.
 */
class SoakTest {
    private static final boolean LONG = System.getProperty("coir.dose", "short").equals("long");
    private static final Duration TIME = LONG ? Duration.ofMinutes(10) : Duration.ofSeconds(4);
    private static final long SEED = Long.getLong("coir.seed", System.nanoTime());
    private static final int CLIENTS = 24;

    @Test
    void nothingGrowsWhileConnectionsEndInEveryWay() throws Exception {
        run(Duration.ofMillis(500)); // loads what is loaded once
        Map<String, String> before = Descriptors.open();
        long heap = usedHeap();
        long conversations = run(TIME);
        Descriptors.awaitAtMost(before);
        assertTrue(conversations > 100, "only " + conversations + " conversations, seed " + SEED);
        long grown = usedHeap() - heap;
        assertTrue(grown < 20_000_000, "the heap has grown by " + grown + " bytes, seed " + SEED);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long run(Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        var conversations = new AtomicLong();
        try (Scheduler scheduler = Scheduler.start(2);
                TcpListener listener = TcpListener.bind(new InetSocketAddress("127.0.0.1", 0))) {
            Fiber<?> server = Fiber.go(scheduler, () -> serve(scheduler, listener));
            List<Fiber<Boolean>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                var random = new Random(SEED + i);
                Fiber.Kind kind = i % 2 == 0 ? Fiber.Kind.VIRTUAL : Fiber.Kind.LIGHT;
                clients.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    while (System.nanoTime() < end) {
                        converse(scheduler, listener.localAddress(), random);
                        conversations.incrementAndGet();
                    }
                    return true;
                }));
            }
            for (Fiber<Boolean> each : clients) {
                assertTrue(each.get(time.toSeconds() + 60, TimeUnit.SECONDS), "seed " + SEED);
            }
            listener.close();
            server.cancel(true);
        }
        return conversations.get();
    }

    private static Object serve(Scheduler scheduler, TcpListener listener) throws IOException {
        for (int i = 0; ; i++) {
            TcpStream stream = listener.accept().readTimeout(Duration.ofSeconds(5));
            Fiber.Kind kind = i % 2 == 0 ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
            Fiber.builder().on(scheduler).kind(kind).start(() -> {
                try (stream) {
                    return stream.inputStream().transferTo(stream.outputStream());
                } catch (IOException reset) {
                    return -1L;
                }
            });
        }
    }

    /** One connection, with an end chosen at random. What is echoed must be what was sent, whatever happens. */
    private static void converse(Scheduler scheduler, SocketAddress to, Random random) throws Exception {
        try (TcpStream stream = TcpStream.connect(to, Duration.ofSeconds(20))) {
            int rounds = random.nextInt(5);
            for (int i = 0; i < rounds; i++) {
                byte[] sent = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 500)];
                random.nextBytes(sent);
                exchange(scheduler, stream, sent);
            }
            switch (random.nextInt(6)) {
                case 0 -> { // a reset
                    stream.setOption(StandardSocketOptions.SO_LINGER, 0);
                    stream.close();
                }
                case 1 -> { // a reset in the middle of an answer
                    stream.write(ByteBuffer.allocate(50_000));
                    stream.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                case 2 -> { // the polite way
                    stream.shutdownOutput();
                    assertEquals(-1, stream.read(ByteBuffer.allocate(1)), "seed " + SEED);
                }
                case 3 -> { // closed while somebody reads
                    Fiber<Integer> reading = Fiber.go(scheduler, () -> ended(stream));
                    if (random.nextBoolean()) Fiber.yield();
                    stream.close();
                    reading.join();
                }
                case 4 -> { // cancelled while it reads, and usable afterwards
                    Fiber<Integer> reading = Fiber.go(scheduler, () -> ended(stream));
                    if (random.nextBoolean()) Fiber.yield();
                    reading.cancel(true);
                    while (reading.status() != Fiber.Status.DONE) Fiber.yield(); // else it might take the answer
                    exchange(scheduler, stream, new byte[] {1, 2, 3});
                }
                default -> { // a time-out, and usable afterwards
                    stream.readTimeout(Duration.ofNanos(1000));
                    ended(stream);
                    stream.readTimeout(Duration.ZERO);
                    exchange(scheduler, stream, new byte[] {1, 2, 3});
                }
            }
        }
    }

    private static int ended(TcpStream stream) {
        try {
            return stream.read(ByteBuffer.allocate(0x10));
        } catch (IOException end) {
            return -2;
        }
    }

    private static void exchange(Scheduler scheduler, TcpStream stream, byte[] sent) throws Exception {
        Fiber<Integer> writing =
                sent.length < 1000 ? null : Fiber.go(scheduler, () -> stream.write(ByteBuffer.wrap(sent)));
        if (writing == null) stream.write(ByteBuffer.wrap(sent));
        ByteBuffer back = ByteBuffer.allocate(sent.length);
        while (back.hasRemaining()) assertTrue(stream.read(back) >= 0, "seed " + SEED);
        assertEquals(ByteBuffer.wrap(sent), back.flip(), "seed " + SEED);
        if (writing != null) writing.join();
    }
}
