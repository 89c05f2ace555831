package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Party;
import dev.coir.net.internal.Faults;
import dev.coir.net.internal.NativeNet;
import dev.coir.net.internal.Net;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The write of an exchange when it is left to the carrier: who makes it, when, and what becomes of it. */
@Timeout(60)
class ExchangeTest {
    private static final int ENOSPC = 28;
    private static final int ENOBUFS = 105;
    private static final Faults faults = new Faults();
    private static final Net net = new NativeNet(faults.sys(), true, "blocking");

    @BeforeEach
    void reset() {
        faults.reset();
    }

    /** Our end, which a fiber has read from so that its next read would wait; and the other, used by this thread. */
    private static StreamGround.Pair talking(Scheduler scheduler, Fiber.Kind kind) throws Exception {
        try (TcpListener listener = TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0))) {
            TcpStream ours = TcpStream.connect(net, listener.localAddress(), Duration.ofSeconds(10));
            TcpStream theirs = listener.accept();
            theirs.write(StreamGround.bytes("hello"));
            assertEquals(5, (int) get(go(scheduler, kind, () -> ours.read(ByteBuffer.allocate(9)))));
            return new StreamGround.Pair(ours, theirs);
        }
    }

    private static <T> Fiber<T> go(Scheduler scheduler, Fiber.Kind kind, Callable<T> body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body);
    }

    private static <T> T get(Fiber<T> fiber) throws Exception {
        return fiber.get(20, TimeUnit.SECONDS);
    }

    private static void burn(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) Thread.onSpinWait();
    }

    /** An event that comes late makes one of them write at once, and so does a machine that stands still; but not each time. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void writesFollowEachOtherWhenAllThatAreReadyHaveHadTheirTurn(Fiber.Kind kind) throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) expected.add(i < 10 ? "turn" : "send");
        List<String> said = List.of();
        for (int round = 0; round < 20 && !said.equals(expected); round++) said = turnsAndWrites(kind);
        assertEquals(expected, said);
    }

    /** In which order ten fibers of one worker have their turn, and their exchanges write. */
    private static List<String> turnsAndWrites(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            List<StreamGround.Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 10; i++) pairs.add(talking(scheduler, kind));
            List<String> said = new CopyOnWriteArrayList<>();
            faults.always("send", (arguments, call) -> {
                said.add("send");
                return call.call(arguments);
            });
            List<Fiber<Integer>> fibers = new ArrayList<>();
            go(
                            scheduler,
                            kind,
                            () -> { // while this one runs, no other does
                                for (StreamGround.Pair pair : pairs) {
                                    fibers.add(go(scheduler, kind, () -> {
                                        said.add("turn");
                                        return pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9));
                                    }));
                                }
                                return null;
                            })
                    .join();
            while (said.size() < 20) Thread.onSpinWait();
            List<String> before = List.copyOf(said);
            faults.reset();
            for (StreamGround.Pair pair : pairs) pair.server().write(StreamGround.bytes("!"));
            for (Fiber<Integer> each : fibers) assertEquals(1, get(each));
            for (StreamGround.Pair pair : pairs) pair.close();
            return before;
        }
    }

    /** Input that comes before the write has had its turn: who waits writes itself, and then finds the input. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void whatComesBeforeTheWriteIsReadAfterIt(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            for (int round = 0; round < 20; round++) {
                try (StreamGround.Pair pair = talking(scheduler, kind)) {
                    Fiber<Integer> exchanging = get(go(scheduler, kind, () -> {
                        Fiber<Integer> first = go(
                                scheduler,
                                kind,
                                () -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
                        for (int i = 0; i < 2; i++) {
                            boolean writes = i == 0;
                            go(
                                    scheduler,
                                    kind,
                                    () -> { // never nothing to run: events come in passing, and wake the first
                                        if (writes) pair.server().write(StreamGround.bytes("!"));
                                        for (int turn = 0; turn < 20; turn++) {
                                            burn(Duration.ofNanos(100_000));
                                            Fiber.yield();
                                        }
                                        return null;
                                    });
                        }
                        return first;
                    }));
                    assertEquals(1, get(exchanging));
                    assertEquals(1, pair.server().read(ByteBuffer.allocate(9)));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void aBufferForOneThreadOnlyIsWrittenByThat(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            Fiber<Integer> exchanging = go(scheduler, kind, () -> {
                try (Arena confined = Arena.ofConfined()) {
                    return pair.client().exchange(confined.allocate(10).asByteBuffer(), ByteBuffer.allocate(9));
                }
            });
            go(scheduler, kind, () -> {
                burn(Duration.ofMillis(60)); // so that the monitor tries
                return null;
            });
            assertEquals(10, pair.server().read(ByteBuffer.allocate(99)));
            pair.server().write(StreamGround.bytes("!"));
            assertEquals(1, get(exchanging));
        }
    }

    /** Between the call and the write lie 1.5 seconds, between that and the answer one, and it may take two. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void theTimeForTheAnswerBeginsWithTheWrite(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            pair.client().readTimeout(Duration.ofSeconds(2));
            faults.next("send", (arguments, call) -> {
                burn(Duration.ofMillis(1500));
                return call.call(arguments);
            });
            Fiber<Integer> exchanging =
                    go(scheduler, kind, () -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
            assertEquals(1, pair.server().read(ByteBuffer.allocate(9)));
            burn(Duration.ofSeconds(1));
            pair.server().write(StreamGround.bytes("!"));
            assertEquals(1, get(exchanging));
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void aFailureThatNobodyWasToldOfIsNotThatOfTheNext(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                var listener =
                        new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); // no call of this end is to fail
                TcpStream ours = TcpStream.connect(net, listener.getLocalSocketAddress(), Duration.ofSeconds(10));
                Socket theirs = listener.accept()) {
            theirs.getOutputStream().write('0');
            Fiber<Integer> exchanging = go(scheduler, kind, () -> {
                ours.read(ByteBuffer.allocate(9));
                var sent = new CountDownLatch(1);
                faults.next("epollCtl", (arguments, call) -> {
                    sent.await(); // the monitor sends meanwhile, in vain
                    return -ENOSPC;
                });
                faults.next("send", (arguments, call) -> {
                    sent.countDown();
                    return (long) -ENOBUFS;
                });
                assertThrows(
                        IOException.class, () -> ours.exchange(StreamGround.bytes("lost"), ByteBuffer.allocate(9)));
                ours.write(StreamGround.bytes("one"));
                ours.read(ByteBuffer.allocate(9));
                return ours.exchange(StreamGround.bytes("two"), ByteBuffer.allocate(9));
            });
            for (int i = 1; i <= 2; i++) {
                assertEquals(3, theirs.getInputStream().readNBytes(3).length);
                theirs.getOutputStream().write('0' + i);
            }
            assertEquals(1, get(exchanging));
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void anInterruptIsKeptWhenTheWriteFails(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(2);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            Fiber<Boolean> exchanging = go(scheduler, kind, () -> {
                Fiber<?> self = Fiber.current();
                faults.next("send", (arguments, call) -> {
                    Party.interrupt(self);
                    return (long) -ENOBUFS;
                });
                assertThrows(
                        IOException.class,
                        () -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
                return Party.takeInterrupt(self);
            });
            assertTrue(get(exchanging));
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void aFiberOfAnotherExecutorWritesAtOnceWhoeverDrivesThat(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            var task = new FutureTask<Integer>(() -> {
                var manual = new ManualExecutor();
                Fiber<Integer> inside = Fiber.builder()
                        .on(manual)
                        .kind(kind)
                        .start(() -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
                long before = faults.count("send");
                manual.drain();
                assertEquals(before + 1, faults.count("send")); // though this slice goes on
                pair.server().write(StreamGround.bytes("!"));
                while (!inside.isDone()) {
                    manual.drain();
                    Fiber.yield();
                }
                return inside.join();
            });
            scheduler.execute(task);
            assertEquals(1, task.get());
        }
    }

    private interface Use {
        int run() throws IOException;
    }

    /**
     * Uses something where the stack ends, and then with ever more room, until there is enough. Not at every level: the JVM tries to save all
     * frames each time, and thousands of interpreted ones take milliseconds.
     */
    @SuppressWarnings("InfiniteRecursion") // as far as there is stack
    private static int atTheEndOfTheStack(int level, Use use) throws IOException {
        try {
            return atTheEndOfTheStack(level + 1, use) + 1;
        } catch (StackOverflowError end) {
            if (level % 20 != 0) throw end;
            return use.run();
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void whoHasNoRoomToWaitLeavesTheStreamUsable(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.builder()
                        .workers(1)
                        .workerStackSize(256 << 10)
                        .start();
                StreamGround.Pair pair = talking(scheduler, kind)) {
            pair.client().readTimeout(Duration.ofMillis(1));
            List<Use> uses = List.of(
                    () -> pair.client().read(ByteBuffer.allocate(9)),
                    () -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
            for (Use use : uses) {
                Fiber<Integer> trying = go(scheduler, kind, () -> {
                    assertThrows(
                            SocketTimeoutException.class, use::run); // first with room: nothing to load or link later
                    assertThrows(SocketTimeoutException.class, () -> atTheEndOfTheStack(0, use));
                    for (Use again : uses) assertThrows(SocketTimeoutException.class, again::run);
                    return 0;
                });
                assertEquals(0, get(trying));
            }
            assertFalse(pair.client().isBusy());
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void whatHasComeIsReadAfterAWriteThatFailed(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            Fiber<Integer> reading = get(go(scheduler, kind, () -> {
                Fiber<Integer> first = go(scheduler, kind, () -> {
                    pair.client().shutdownOutput();
                    assertThrows(
                            IOException.class,
                            () -> pair.client().exchange(StreamGround.bytes("?"), ByteBuffer.allocate(9)));
                    return pair.client().read(ByteBuffer.allocate(9));
                });
                go(scheduler, kind, () -> {
                    pair.server().write(StreamGround.bytes("!"));
                    burn(Duration.ofMillis(60)); // the monitor polls, and sends in vain
                    return null;
                });
                return first;
            }));
            assertEquals(1, get(reading));
        }
    }

    /** Somebody else reads, or writes: an exchange is a write and then a read in line. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void exchangesOnOneStreamTakeTurns(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(2);
                StreamGround.Pair pair = talking(scheduler, kind)) {
            List<Fiber<Integer>> fibers = new ArrayList<>();
            for (int i = 0; i < 20; i++)
                fibers.add(go(
                        scheduler,
                        kind,
                        () -> pair.client().exchange(StreamGround.bytes("abc"), ByteBuffer.allocate(1))));
            ByteBuffer all = ByteBuffer.allocate(60);
            while (all.hasRemaining()) pair.server().read(all);
            assertEquals("abc".repeat(20), new String(all.array(), java.nio.charset.StandardCharsets.UTF_8));
            pair.server().write(ByteBuffer.allocate(20));
            for (Fiber<Integer> each : fibers) assertEquals(1, get(each));
            assertFalse(pair.client().isBusy());
        }
    }
}
