package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.testing.Crowd;
import dev.coir.testing.NativeSleep;
import dev.coir.testing.Watchdog;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that blocks its thread does not hold up the others: the worker goes on with another thread. */
@ExtendWith(Watchdog.class)
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
class HandoffTest {
    @TempDir
    Path folder;

    private static <T> Fiber<T> start(Scheduler scheduler, Kind kind, Callable<T> body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body);
    }

    /** Four block until the fifth has ticked ten times: on one worker that needs four handoffs. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fibersThatReadFromAFifoDoNotHoldUpTheTicker(Kind kind) throws Exception {
        List<Path> fifos = new ArrayList<>();
        for (int i = 0; i < 4; i++) fifos.add(fifo("fifo" + i));
        try (var scheduler = Scheduler.start(1)) {
            List<Fiber<Integer>> readers = new ArrayList<>();
            for (Path fifo : fifos) {
                readers.add(start(scheduler, kind, () -> {
                    try (var in = new FileInputStream(fifo.toFile())) {
                        return in.read();
                    }
                }));
            }
            ticks(scheduler, 10).join();
            for (Path fifo : fifos) {
                try (var out = new FileOutputStream(fifo.toFile())) {
                    out.write(7);
                }
            }
            for (Fiber<Integer> reader : readers) assertEquals(7, reader.join());
        }
    }

    private Path fifo(String name) throws Exception {
        Path path = folder.resolve(name);
        assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
        assertTrue(Files.exists(path));
        return path;
    }

    private static Fiber<Void> ticks(Scheduler scheduler, int count) {
        return Fiber.go(scheduler, () -> {
            for (int i = 0; i < count; i++) Fiber.sleep(Duration.ofMillis(1));
            return null;
        });
    }

    /** In native code the thread looks as if it ran; its processor time tells. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fibersInsideNativeCallsDoNotHoldUpTheTicker(Kind kind) {
        try (var scheduler = Scheduler.start(1)) {
            var left = new AtomicInteger(4);
            List<Fiber<Void>> sleepers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sleepers.add(start(scheduler, kind, () -> {
                    NativeSleep.micros(300_000);
                    left.decrementAndGet();
                    return null;
                }));
            }
            ticks(scheduler, 10).join();
            assertEquals(4, left.get(), "the ticker waited for a sleeper");
            sleepers.forEach(Fiber::join);
        }
    }

    private static volatile CountDownLatch mayInitialise = new CountDownLatch(0);

    private static final class SlowToInitialise {
        static {
            try {
                mayInitialise.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static void touch() {}
    }

    /** A virtual thread cannot leave its carrier inside a class initialiser. */
    @Test
    void aFiberThatWaitsInAClassInitialiserDoesNotHoldUpOthers() {
        mayInitialise = new CountDownLatch(1);
        try (var scheduler = Scheduler.start(1)) {
            Fiber<Void> pinned = start(scheduler, Kind.VIRTUAL, () -> {
                SlowToInitialise.touch();
                return null;
            });
            ticks(scheduler, 10).join();
            mayInitialise.countDown();
            pinned.join();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aDeclaredCallIsHandedOffAtOnce(Kind kind) throws Exception {
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .timeSlice(Duration.ofDays(1)) // so the monitor does nothing
                .start()) {
            var release = new CountDownLatch(4);
            List<Fiber<Integer>> blocked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int result = i;
                blocked.add(start(
                        scheduler,
                        kind,
                        () -> Fiber.blocking(() -> {
                            release.countDown();
                            release.await();
                            return result;
                        })));
            }
            for (int i = 0; i < 4; i++) assertEquals(i, blocked.get(i).join());
        }
    }

    /** Light fibers cannot leave their thread: they wait for it, whoever has its slot meanwhile. */
    @Test
    void lightFibersOfABlockedThreadWaitForItAndThenGoOn() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var release = new CountDownLatch(1);
            var begun = new CountDownLatch(8);
            var steps = new AtomicInteger();
            List<Fiber<Thread>> bound = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                bound.add(start(scheduler, Kind.LIGHT, () -> {
                    begun.countDown();
                    Thread own = Thread.currentThread();
                    while (steps.get() == 0) Fiber.sleep(Duration.ofMillis(1));
                    for (int k = 0; k < 100; k++) Fiber.yield();
                    assertEquals(own, Thread.currentThread());
                    return own;
                }));
            }
            begun.await();
            Fiber<Thread> blocking = start(
                    scheduler,
                    Kind.LIGHT,
                    () -> Fiber.blocking(() -> {
                        release.await();
                        return Thread.currentThread();
                    }));
            // These begin on the thread that stands in, and stay with it.
            Fiber<Thread> elsewhere = start(scheduler, Kind.LIGHT, () -> {
                while (steps.get() == 0) Fiber.yield();
                return Thread.currentThread();
            });
            ticks(scheduler, 3).join();
            release.countDown();
            Thread blockedOn = blocking.join();
            steps.set(1);
            for (Fiber<Thread> each : bound) assertEquals(blockedOn, each.join());
            assertTrue(elsewhere.join() != blockedOn);
        }
    }

    /** Each waits for the other, on one worker: neither can run on top of the other. */
    @Test
    void plainTasksThatWaitForEachOtherOnOneWorkerFinish() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var toFirst = new AtomicReference<Fiber<Integer>>();
            var toSecond = new AtomicReference<Fiber<Integer>>();
            var gates = new CountDownLatch(2);
            Fiber<Integer> first = Fiber.builder().on(scheduler).unstarted(() -> 1);
            Fiber<Integer> second = Fiber.builder().on(scheduler).unstarted(() -> 2);
            toFirst.set(first);
            toSecond.set(second);
            var sum = new AtomicInteger();
            var done = new CountDownLatch(2);
            scheduler.execute(() -> {
                gates.countDown();
                sum.addAndGet(toFirst.get().join());
                done.countDown();
            });
            scheduler.execute(() -> {
                gates.countDown();
                toFirst.get().start();
                sum.addAndGet(toSecond.get().join());
                done.countDown();
            });
            gates.await();
            scheduler.execute(() -> toSecond.get().start());
            done.await();
            assertEquals(3, sum.get());
        }
    }

    /** Tasks that wait a thousand deep need no deep stack: each waits on a thread of its own, up to the limit. */
    @Test
    void waitingTasksStandOnThreadsOfTheirOwn() throws Exception {
        try (var scheduler = Scheduler.builder().workers(1).maxSpareCarriers(16).start()) {
            var done = new CountDownLatch(100);
            var last = new CountDownLatch(1);
            for (int i = 0; i < 100; i++) {
                scheduler.execute(() -> {
                    assertEquals(1, Fiber.go(scheduler, () -> 1).join());
                    done.countDown();
                });
            }
            scheduler.execute(last::countDown);
            done.await();
            last.await();
        }
    }

    @Test
    void whenNoThreadIsLeftItIsReportedOnceAndTheCallIsMadeAllTheSame() throws Exception {
        List<Reports.Exhaustion> reported = new ArrayList<>();
        var reports = new Reports() {
            @Override
            public synchronized void sparesExhausted(Exhaustion exhaustion) {
                reported.add(exhaustion);
            }
        };
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .maxSpareCarriers(0)
                .reports(reports)
                .start()) {
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        7, Fiber.go(scheduler, () -> Fiber.blocking(() -> 7)).join());
            }
        }
        synchronized (reports) {
            assertEquals(1, reported.size());
            assertTrue(reported.getFirst().toString().contains("maxSpareCarriers"), reported::toString);
        }
    }

    @Test
    void closeWaitsForABlockedCall() throws Exception {
        var release = new CountDownLatch(1);
        var inside = new CountDownLatch(1);
        var scheduler = Scheduler.start(1);
        Fiber<Integer> blocked = Fiber.go(
                scheduler,
                () -> Fiber.blocking(() -> {
                    inside.countDown();
                    release.await();
                    return 5;
                }));
        inside.await();
        var closing = Crowd.start("closing", i -> scheduler.close());
        release.countDown();
        closing.get();
        assertEquals(5, blocked.join());
    }
}
