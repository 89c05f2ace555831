package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.net.internal.Faults;
import dev.coir.net.internal.NativeNet;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections that end in every way, for a while, and files read meanwhile: descriptors, fibers, threads and heap stay flat,
 * during it and afterwards. {@code -Dcoir.dose=long} takes ten minutes. A failure names its seed: run it again with
 * {@code -Dcoir.seed=...}.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES) // the long dose takes ten
class SoakTest {
    private static final boolean LONG = System.getProperty("coir.dose", "short").equals("long");
    private static final Duration TIME = LONG ? Duration.ofMinutes(10) : Duration.ofSeconds(8);
    private static final int SAMPLES = LONG ? 40 : 8;
    private static final long SEED = Long.getLong("coir.seed", System.nanoTime());
    private static final int CLIENTS = 24;
    private static final Duration CONNECT_LIMIT = Duration.ofMinutes(5); // only what hangs takes so long

    // Each client has a connection, the server its other end, and both a fiber for each; a few ends are still being
    // closed.
    private static final int MOST_DESCRIPTORS = 4 * CLIENTS + 16;
    private static final int MOST_FIBERS = 5 * CLIENTS + 16;
    private static final int MOST_THREADS = 40; // two workers, the monitor, and spares for calls that block
    private static final long MOST_HEAP_GROWTH = 16_000_000;

    @TempDir
    static Path folder;

    private final Faults faults = new Faults();
    private final Map<String, Integer> ends = new ConcurrentHashMap<>(); // how connections failed at the server

    /** Half of all reads of files find nothing in memory, and go the way of those. */
    private final NativeNet net = new NativeNet(faults.sys(), true);

    private record Sample(int descriptors, int fibers, int threads, long heap) {
        static Sample take(Scheduler scheduler) throws IOException {
            System.gc();
            long heap =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            return new Sample(
                    Descriptors.open().size(),
                    scheduler == null ? 0 : scheduler.stats().suspendedFibers(),
                    liveThreads(),
                    heap);
        }

        private static int liveThreads() {
            return ManagementFactory.getThreadMXBean().getThreadCount();
        }
    }

    /** How long nothing of this process ran: on a crowded machine, time limits say little. */
    private static final class Stalls extends Thread {
        private volatile long longestNanos;
        private volatile boolean enough;

        @Override
        public void run() {
            for (long last = System.nanoTime(), now; !enough; last = now) {
                LockSupport.parkNanos(10_000_000);
                now = System.nanoTime();
                longestNanos = Math.max(longestNanos, now - last);
            }
        }

        long end() throws InterruptedException {
            enough = true;
            join();
            return longestNanos / 1_000_000;
        }
    }

    @Test
    void nothingGrowsWhileConnectionsEndInEveryWay() throws Exception {
        var reads = new AtomicInteger();
        faults.always(
                "preadNow",
                (arguments, call) -> reads.incrementAndGet() % 2 == 0 ? Long.valueOf(-11) : call.call(arguments));
        Files.write(folder.resolve("file"), new byte[100_000]);
        run(Duration.ofMillis(500), null); // loads what is loaded once
        Map<String, String> before = Descriptors.open();
        Sample first = Sample.take(null);
        List<Sample> samples = new ArrayList<>();
        var stalls = new Stalls();
        stalls.start();
        long conversations;

        try {
            conversations = run(TIME, samples);
        } finally {
            long longest = stalls.end();
            System.out.println("SoakTest: the longest stall of this process took " + longest + " ms");
        }
        Descriptors.awaitAtMost(before);
        Sample last = Sample.take(null);
        String story = conversations + " conversations, " + faults.count("uringEnter")
                + " hand-overs to a ring, failed at the server: " + ends + ", seed " + SEED + "; before: " + first
                + ", during: " + samples + ", after: " + last;
        System.out.println("SoakTest: " + story);
        assertTrue(conversations > 100, story);
        assertEquals(Set.of("SocketException"), ends.keySet(), story); // resets, and nothing else
        long early = samples.stream().mapToLong(Sample::heap).limit(3).max().orElseThrow();
        for (Sample each : samples) {
            assertTrue(each.descriptors <= first.descriptors + MOST_DESCRIPTORS, story);
            assertTrue(each.fibers <= MOST_FIBERS, story);
            assertTrue(each.threads <= first.threads + MOST_THREADS, story);
            assertTrue(each.heap <= early + MOST_HEAP_GROWTH, story);
        }
        assertTrue(last.threads <= first.threads, story);
        assertTrue(last.heap <= first.heap + MOST_HEAP_GROWTH, story);
    }

    private long run(Duration time, List<Sample> samples) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        var conversations = new AtomicLong();
        try (Scheduler scheduler = Scheduler.start(2);
                TcpListener listener = TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0));
                AsyncFile file = AsyncFile.open(net, folder.resolve("file"), StandardOpenOption.READ)) {
            Fiber<?> server = Fiber.go(scheduler, () -> serve(scheduler, listener));
            List<Fiber<Boolean>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                var random = new Random(SEED + i);
                Fiber.Kind kind = i % 2 == 0 ? Fiber.Kind.VIRTUAL : Fiber.Kind.LIGHT;
                clients.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    while (System.nanoTime() < end) {
                        converse(scheduler, listener.localAddress(), random);
                        if (random.nextInt(4) == 0) readFile(scheduler, file, random);
                        conversations.incrementAndGet();
                    }
                    return true;
                }));
            }
            for (int i = 1; samples != null && i <= SAMPLES; i++) {
                long until = end - time.toNanos() * (SAMPLES - i) / (SAMPLES + 1);
                LockSupport.parkNanos(Math.max(0, until - System.nanoTime()));
                samples.add(Sample.take(scheduler));
            }
            for (Fiber<Boolean> each : clients) {
                assertTrue(each.get(time.toSeconds() + 60, TimeUnit.SECONDS), "seed " + SEED);
            }
            listener.close();
            server.cancel(true);
        }
        return conversations.get();
    }

    private Object serve(Scheduler scheduler, TcpListener listener) throws IOException {
        for (int i = 0; ; i++) {
            TcpStream stream = listener.accept();
            Fiber.Kind kind = i % 2 == 0 ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
            boolean byStreams = i % 3 == 0;
            Fiber.builder().on(scheduler).kind(kind).start(() -> {
                try (stream) {
                    return byStreams ? stream.inputStream().transferTo(stream.outputStream()) : echo(stream);
                } catch (IOException end) {
                    ends.merge(end.getClass().getSimpleName(), 1, Integer::sum);
                    return -1L;
                }
            });
        }
    }

    private static long echo(TcpStream stream) throws IOException {
        long sum = 0;
        ByteBuffer in = ByteBuffer.allocate(8192);
        ByteBuffer out = ByteBuffer.allocate(8192).flip();
        while (stream.exchange(out, in.clear()) >= 0) {
            sum += in.position();
            ByteBuffer sent = out;
            out = in.flip();
            in = sent;
        }
        return sum;
    }

    /** One connection, with an end chosen at random. What is echoed must be what was sent, whatever happens. */
    private void converse(Scheduler scheduler, SocketAddress to, Random random) throws Exception {
        try (TcpStream stream = TcpStream.connect(net, to, CONNECT_LIMIT)) {
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

    private static void readFile(Scheduler scheduler, AsyncFile file, Random random) {
        long position = random.nextInt(90_000);
        Fiber<Integer> reading = Fiber.go(scheduler, () -> file.read(ByteBuffer.allocate(4096), position));
        if (random.nextInt(3) == 0) {
            if (random.nextBoolean()) Fiber.yield();
            reading.cancel(true);
            while (reading.status() != Fiber.Status.DONE) Fiber.yield();
        } else {
            assertEquals(4096, reading.join(), "seed " + SEED);
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
        ByteBuffer back = ByteBuffer.allocate(sent.length);
        if (writing == null) assertTrue(stream.exchange(ByteBuffer.wrap(sent), back) >= 0, "seed " + SEED);
        while (back.hasRemaining()) assertTrue(stream.read(back) >= 0, "seed " + SEED);
        assertEquals(ByteBuffer.wrap(sent), back.flip(), "seed " + SEED);
        if (writing != null) writing.join();
    }
}
