package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.net.httpserver.HttpServer;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.sched.Carrier;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything of Java works inside a fiber of kind VIRTUAL. */
@ParameterizedClass
@ValueSource(ints = {1, 2})
class VirtualFiberJavaTest {
    @Parameter
    int workers;

    private Scheduler scheduler;

    @BeforeEach
    void startScheduler() {
        scheduler = Schedulers.start(workers);
    }

    @AfterEach
    void closeScheduler() {
        Schedulers.close(scheduler);
    }

    private interface Body {
        void run() throws Exception;
    }

    private Fiber<Void> go(Body body) {
        return Fiber.go(scheduler, () -> {
            body.run();
            return null;
        });
    }

    private void inCrowdOf(int size, Body body) {
        List<Fiber<Void>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) all.add(go(body));
        all.forEach(Fiber::join);
    }

    // ---- locks -----------------------------------------------------------------------------------------------------

    @Test
    void monitorsExcludeAlsoAcrossSuspensions() {
        var monitor = new Object();
        int[] counter = {0};
        inCrowdOf(20, () -> {
            for (int i = 0; i < 20; i++) {
                synchronized (monitor) {
                    int seen = counter[0];
                    if (i % 4 == 0) Fiber.yield();
                    if (i % 10 == 0) Thread.sleep(0, 1000);
                    counter[0] = seen + 1;
                }
            }
        });
        assertEquals(400, counter[0]);
    }

    @Test
    @SuppressWarnings({"WaitNotInLoop", "NotifyNotInSynchronized"})
    void fibersWaitForAndNotifyEachOther() {
        var monitor = new Object();
        int[] turn = {0};
        List<Fiber<Void>> both = new ArrayList<>();
        for (int who = 0; who < 2; who++) {
            int mine = who;
            both.add(go(() -> {
                for (int i = 0; i < 200; i++) {
                    synchronized (monitor) {
                        while (turn[0] % 2 != mine) monitor.wait();
                        turn[0]++;
                        monitor.notifyAll();
                    }
                }
            }));
        }
        both.forEach(Fiber::join);
        assertEquals(400, turn[0]);
    }

    @Test
    void aTimedWaitEnds() {
        var monitor = new Object();
        go(() -> {
                    synchronized (monitor) {
                        long begin = System.nanoTime();
                        while (System.nanoTime() - begin < 2_000_000) monitor.wait(1);
                    }
                })
                .join();
    }

    @Test
    void reentrantLocksAndConditionsWork() {
        var lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        int[] turn = {0};
        List<Fiber<Void>> three = new ArrayList<>();
        for (int who = 0; who < 3; who++) {
            int mine = who;
            three.add(go(() -> {
                for (int i = 0; i < 100; i++) {
                    lock.lock();
                    try {
                        while (turn[0] % 3 != mine) changed.await();
                        assertTrue(lock.isHeldByCurrentThread());
                        turn[0]++;
                        Fiber.yield();
                        changed.signalAll();
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        three.forEach(Fiber::join);
        assertEquals(300, turn[0]);
    }

    @Test
    void blockingQueuesAndLatchesWorkBetweenFibersAndThreads() throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
        var sum = new AtomicInteger();
        var done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            go(() -> {
                for (int j = 0; j < 50; j++) sum.addAndGet(queue.take());
                done.countDown();
            });
        }
        Fiber<Void> producer = go(() -> {
            for (int i = 1; i <= 100; i++) queue.put(i);
        });
        for (int i = 101; i <= 200; i++) queue.put(i);
        producer.join();
        done.await();
        assertEquals(20_100, sum.get());
    }

    // ---- the thread ------------------------------------------------------------------------------------------------

    @Test
    void threadLocalsBelongToTheFiber() {
        ThreadLocal<String> local = ThreadLocal.withInitial(() -> "initial");
        var number = new AtomicInteger();
        inCrowdOf(50, () -> {
            assertEquals("initial", local.get());
            String mine = "of " + number.incrementAndGet();
            local.set(mine);
            for (int i = 0; i < 5; i++) {
                Fiber.yield();
                assertEquals(mine, local.get());
            }
        });
        assertEquals("initial", local.get());
    }

    @Test
    void scopedValuesStayBoundAcrossSuspensions() {
        ScopedValue<Integer> value = ScopedValue.newInstance();
        var number = new AtomicInteger();
        inCrowdOf(50, () -> {
            int mine = number.incrementAndGet();
            assertFalse(value.isBound());
            ScopedValue.where(value, mine).run(() -> {
                for (int i = 0; i < 5; i++) {
                    assertEquals(mine, value.get());
                    Fiber.yield();
                }
                ScopedValue.where(value, -mine).run(() -> {
                    Fiber.yield();
                    assertEquals(-mine, value.get());
                });
                assertEquals(mine, value.get());
            });
            assertFalse(value.isBound());
        });
    }

    @Test
    void threadSleepDoesNotHoldTheWorker() {
        long begin = System.nanoTime();
        inCrowdOf(200, () -> Thread.sleep(10));
        long took = System.nanoTime() - begin;
        assertTrue(took >= 10_000_000, () -> took + " ns");
        assertTrue(took < 200 * 10_000_000L / 2, () -> took + " ns");
    }

    @Test
    void interruptsReachTheThreadAndBack() throws Exception {
        var interrupted = new CountDownLatch(3);
        Fiber<Void> sleeping = go(() -> {
            assertThrows(InterruptedException.class, () -> Thread.sleep(100_000));
            interrupted.countDown();
        });
        Fiber<Void> waiting = go(() -> {
            assertThrows(InterruptedException.class, () -> new CountDownLatch(1).await());
            interrupted.countDown();
        });
        Fiber<Void> parked = go(() -> {
            while (!Thread.currentThread().isInterrupted()) LockSupport.park();
            assertThrows(InterruptedException.class, () -> Fiber.sleep(java.time.Duration.ofDays(1)));
            assertFalse(Thread.currentThread().isInterrupted());
            interrupted.countDown();
        });
        for (Fiber<Void> each : List.of(sleeping, waiting, parked)) {
            Thread thread = each.thread().orElseThrow();
            Crowd.untilWaiting(thread);
            thread.interrupt();
        }
        interrupted.await();
        Fiber<Void> self = go(() -> {
            Thread.currentThread().interrupt();
            assertTrue(Thread.interrupted());
            assertFalse(Thread.interrupted());
        });
        self.join();
    }

    @Test
    void statusKnowsTheWaitsOfTheJdk() {
        var monitor = new Object();
        var free = new CountDownLatch(1);
        Fiber<Void> latched = go(free::await);
        Fiber<Void> napping = go(() -> {
            assertThrows(InterruptedException.class, () -> Thread.sleep(100_000));
        });
        Crowd.until(() -> latched.status() == Status.WAITING);
        Crowd.until(() -> napping.status() == Status.TIMED_WAITING);
        Fiber<Void> blocked;
        synchronized (monitor) {
            blocked = go(() -> {
                synchronized (monitor) {
                    assertNotNull(Fiber.current());
                }
            });
            Fiber<Void> seen = blocked;
            Crowd.until(() -> seen.status() == Status.WAITING);
        }
        blocked.join();
        free.countDown();
        latched.join();
        napping.cancel(true);
    }

    // ---- input and output ------------------------------------------------------------------------------------------

    @Test
    void jdkSocketsEcho() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Fiber<Void> serving = go(() -> {
                List<Fiber<Void>> connections = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    Socket socket = server.accept();
                    connections.add(go(() -> echo(socket)));
                }
                connections.forEach(Fiber::join);
            });
            List<Fiber<String>> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                int number = i;
                clients.add(Fiber.go(scheduler, () -> ask(server.getLocalPort(), "hello " + number)));
            }
            for (int i = 0; i < 10; i++)
                assertEquals("hello " + i, clients.get(i).join());
            serving.join();
        }
    }

    private static void echo(Socket socket) throws IOException {
        try (socket) {
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = lines.readLine() + "\n";
            socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String ask(int port, String text) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Fiber.yield();
            socket.getOutputStream().write((text + "\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    @Test
    void aFiberBlockedInASocketIsInterruptible() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Fiber<Void> accepting = go(() -> assertThrows(IOException.class, server::accept));
            Crowd.untilWaiting(accepting.thread().orElseThrow());
            accepting.cancel(true);
            Crowd.until(() -> accepting.status() == Status.DONE);
        }
    }

    @Test
    void theHttpClientTalksToAServerThatRunsInFibers() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        try (var service = Fibers.executorService(scheduler)) {
            server.setExecutor(service);
            server.createContext("/", exchange -> {
                byte[] body = ("asked for " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
                Fiber.yield();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            try (HttpClient client = HttpClient.newBuilder().executor(service).build()) {
                List<Fiber<String>> asking = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    URI uri = URI.create(
                            "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                                    + server.getAddress().getPort() + "/" + i);
                    asking.add(Fiber.go(
                            scheduler,
                            () -> client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                    .body()));
                }
                for (int i = 0; i < 5; i++)
                    assertEquals("asked for /" + i, asking.get(i).join());
            }
            server.stop(0);
        }
    }

    // ---- futures ---------------------------------------------------------------------------------------------------

    @Test
    void completableFuturesRunOnTheSchedulerAndAreJoined() {
        assertEquals(
                42,
                Fiber.go(
                                scheduler,
                                () -> CompletableFuture.supplyAsync(() -> 20, scheduler)
                                        .thenApplyAsync(x -> x + 1, scheduler)
                                        .thenCombine(CompletableFuture.supplyAsync(() -> 21), Integer::sum)
                                        .join())
                        .join());
    }

    // ---- seeing it -------------------------------------------------------------------------------------------------

    @Test
    void anExceptionNamesTheFramesOfTheUser() {
        Fiber<Void> fiber = go(() -> {
            Fiber.yield();
            namedInTheTrace();
        });
        Throwable cause = assertThrows(CompletionException.class, fiber::join).getCause();
        List<String> methods = Arrays.stream(cause.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
        assertEquals("namedInTheTrace", methods.getFirst());
        assertTrue(methods.stream().anyMatch(name -> name.contains("anExceptionNamesTheFramesOfTheUser")));
    }

    private static void namedInTheTrace() throws IOException {
        throw new IOException("here");
    }

    @Test
    void theStackOfAWaitingFiberCanBeRead() {
        var gate = new CountDownLatch(1);
        Fiber<Void> fiber = go(() -> waitHere(gate));
        Crowd.until(() -> fiber.status() == Status.WAITING);
        assertTrue(Arrays.stream(fiber.thread().orElseThrow().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("waitHere")));
        gate.countDown();
        fiber.join();
    }

    private static void waitHere(CountDownLatch gate) throws InterruptedException {
        gate.await();
    }

    @Test
    void theThreadDumpOfTheJdkListsTheFiberByName(@TempDir Path folder) throws Exception {
        var gate = new CountDownLatch(1);
        Fiber<Void> fiber = Fiber.builder()
                .on(scheduler)
                .name("the fiber in the dump")
                .start(() -> {
                    waitHere(gate);
                    return null;
                });
        Crowd.until(() -> fiber.status() == Status.WAITING);
        Path file = folder.resolve("threads.json");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
        String dump = Files.readString(file);
        assertTrue(dump.contains("the fiber in the dump"), () -> dump);
        assertTrue(dump.contains("VirtualFiberJavaTest.waitHere"), () -> dump);
        gate.countDown();
        fiber.join();
    }

    // ---- other virtual threads -------------------------------------------------------------------------------------

    @Test
    void virtualThreadsStartedInsideRunOnOurWorkers() throws Exception {
        Deque<Carrier> carriers = new ConcurrentLinkedDeque<>();
        Deque<Fiber<?>> fibers = new ConcurrentLinkedDeque<>();
        Runnable look = () -> {
            for (int i = 0; i < 3; i++) {
                carriers.add(Carrier.current());
                Fiber<?> current = Fiber.current();
                if (current != null) fibers.add(current);
                Thread.yield();
            }
        };
        Fiber<Void> fiber = go(() -> {
            Thread child = Thread.startVirtualThread(() -> {
                look.run();
                try {
                    Thread.startVirtualThread(look).join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            child.join();
            try (var service = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 10; i++) service.submit(look);
            }
        });
        fiber.join();
        assertEquals(36, carriers.size());
        carriers.forEach(carrier -> assertSame(scheduler, carrier.core().owner()));
        assertEquals(List.of(), List.copyOf(fibers), "they are no fibers themselves");
    }

    @Test
    void inAVirtualThreadStartedInsideGoMeansTheSameScheduler() {
        var executor = new CompletableFuture<Object>();
        go(() -> Thread.startVirtualThread(() -> executor.complete(
                        Fiber.go(() -> Fiber.current().executor()).join())))
                .join();
        assertSame(scheduler, executor.join());
    }

    @Test
    void aVirtualThreadStartedInsideOutlivesFiberAndScheduler() throws Exception {
        var gate = new CountDownLatch(1);
        var finished = new CompletableFuture<Carrier>();
        var thread = new CompletableFuture<Thread>();
        Fiber<Void> fiber = go(() -> thread.complete(Thread.startVirtualThread(() -> {
            try {
                gate.await();
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            finished.complete(Carrier.current());
        })));
        fiber.join();
        Crowd.untilWaiting(thread.get());
        scheduler.close();
        gate.countDown();
        assertSame(Scheduler.common(), finished.get().core().owner());
        thread.get().join();
    }

    /** The scheduler stops at the very moment at which threads that nobody counts become runnable. */
    @Test
    void noVirtualThreadIsLostWhileTheSchedulerStops() throws Exception {
        for (int round = 0; round < 100; round++) {
            Scheduler brief = Schedulers.start(workers);
            var gate = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            Fiber.go(brief, () -> {
                        for (int i = 0; i < 5; i++) {
                            threads.add(Thread.startVirtualThread(() -> {
                                try {
                                    gate.await();
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                                for (int j = 0; j < 5; j++) Thread.yield();
                            }));
                        }
                    })
                    .join();
            threads.forEach(Crowd::untilWaiting);
            Crowd.run(2, index -> {
                if (index == 0) brief.close();
                else gate.countDown();
            });
            for (Thread each : threads) each.join();
            Schedulers.close(brief);
        }
    }

    @Test
    void outsideThereIsNoCarrier() {
        assertNull(Carrier.current());
    }
}
