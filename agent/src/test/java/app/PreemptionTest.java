package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.agent.boot.Poll;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.FiberLocal;
import dev.coir.internal.preempt.Preemption;
import dev.coir.internal.sched.Carrier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fibers that never wait give way when asked, on any line of their code. */
@Timeout(60)
class PreemptionTest {
    private static boolean virtual(Preempted.Body body) {
        return Preempted.during(Fiber.Kind.VIRTUAL, body);
    }

    @AfterEach
    void theFlagIsDownWhenNothingIsAsked() {
        assertEquals(0, Poll.pending());
    }

    @Test
    void theAgentIsFoundAndHasOpenedTheJdk() {
        assertTrue(Preemption.isAvailable());
        assertTrue(Poll.isWoven(PreemptionTest.class.getName()));
        assertEquals(null, Poll.class.getClassLoader());
    }

    @ParameterizedTest
    @EnumSource
    void codeWithoutLocksGivesWay(Fiber.Kind kind) {
        assertTrue(Preempted.during(kind, Runnable::run));
    }

    @ParameterizedTest
    @EnumSource
    void whoeverIsNotAskedRunsOn(Fiber.Kind kind) {
        assertFalse(Preempted.during(kind, point -> {
            for (int i = 0; i < 1000; i++) Preempted.spin();
        }));
    }

    private static volatile boolean stop;
    private static volatile int[] numbers = new int[1 << 20];

    /** Asks whoever runs on a carrier, every few milliseconds, as the monitor does. */
    private static Thread asking(Carrier carrier) {
        return Thread.ofPlatform().daemon().start(() -> {
            while (!stop) {
                Preemption.ask(carrier);
                java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
            }
            Preemption.withdraw(carrier);
        });
    }

    private static void endless(Fiber.Kind kind, Runnable work) throws Exception {
        stop = false;
        try (var scheduler = Preempted.unwatched(1)) {
            var running = new CompletableFuture<Carrier>();
            var busy = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                running.complete(Carrier.current());
                while (!stop) work.run();
            });
            Thread asker = asking(running.get());
            Fiber.go(scheduler, () -> {
                        stop = true;
                    })
                    .join();
            busy.join();
            asker.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEndlessLoopLetsOthersRun(Fiber.Kind kind) throws Exception {
        endless(kind, () -> {});
    }

    @ParameterizedTest
    @EnumSource
    void anEndlessSumOfAnArrayLetsOthersRun(Fiber.Kind kind) throws Exception {
        endless(kind, () -> {
            int[] a = numbers;
            for (int round = 0; !stop; round++) for (int i = 0; i < a.length; i++) a[i] += round;
        });
    }

    private static int fibonacci(int n) {
        return n < 2 || stop ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    @ParameterizedTest
    @EnumSource
    void deepRecursionLetsOthersRun(Fiber.Kind kind) throws Exception {
        endless(kind, () -> fibonacci(1_000));
    }

    /** Nobody asks here but the scheduler's own monitor. */
    @ParameterizedTest
    @EnumSource
    void theMonitorMakesAnEndlessLoopLetOthersRun(Fiber.Kind kind) {
        stop = false;
        try (var scheduler = Scheduler.start(1)) {
            var busy = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                long rounds = 0;
                while (!stop) rounds++;
                return rounds;
            });
            Fiber.go(scheduler, () -> {
                        stop = true;
                    })
                    .join();
            assertTrue(busy.join() > 0);
        }
    }

    // ---- in the middle of things: a virtual thread keeps what it holds
    // -------------------------------------------------

    @Test
    void insideAMonitorAndALock() {
        var lock = new ReentrantLock();
        assertTrue(virtual(point -> {
            lock.lock();
            synchronized (this) {
                point.run();
                assertTrue(Thread.holdsLock(this));
                assertTrue(lock.isHeldByCurrentThread());
            }
            lock.unlock();
        }));
    }

    @Test
    void insideAComparatorThatIsCalledUnderALockOfTheJdk() {
        assertTrue(virtual(point -> {
            var queue = new PriorityBlockingQueue<Integer>(8, (a, b) -> {
                point.run();
                return a.compareTo(b);
            });
            Collections.addAll(queue, 3, 1, 2);
            assertEquals(1, queue.take());
        }));
    }

    @Test
    void insideInitialValuesOfLocals() {
        assertTrue(virtual(point -> {
            ThreadLocal<String> ofThread = ThreadLocal.withInitial(() -> {
                point.run();
                return "thread";
            });
            assertEquals("thread", ofThread.get());
        }));
        assertTrue(virtual(point -> {
            FiberLocal<String> ofFiber = FiberLocal.withInitial(() -> {
                point.run();
                return "fiber";
            });
            assertEquals("fiber", ofFiber.get());
        }));
    }

    private static Runnable atInitialisation = () -> {};

    private static final class Initialised {
        static final int VALUE;

        static {
            atInitialisation.run();
            VALUE = 7;
        }
    }

    @Test
    void aClassInitialiserIsPinnedAndRunsOn() {
        assertFalse(virtual(point -> {
            atInitialisation = point;
            assertEquals(7, Initialised.VALUE);
        }));
    }

    @Test
    void aCallbackOfAFinishedFiberGivesWayToo() {
        assertTrue(virtual(point -> {
            var first = Fiber.builder().unstarted(() -> "done");
            var told = first.toCompletableFuture().thenApply(text -> {
                point.run();
                return text;
            });
            first.start();
            assertEquals("done", told.get());
        }));
    }

    @Test
    void aPlainTaskRunsOnAndUsesTheRequestUp() throws Exception {
        try (var scheduler = Preempted.unwatched(1)) {
            var done = new CountDownLatch(1);
            scheduler.execute(() -> {
                Preemption.ask(Objects.requireNonNull(Carrier.current()));
                Preempted.spin();
                if (Poll.pending() == 0) done.countDown();
            });
            done.await();
        }
    }

    @Test
    void anUncaughtHandlerIsNoPlaceToGiveWay() throws Exception {
        var told = new CompletableFuture<Integer>();
        try (var scheduler = Scheduler.builder()
                .workers(1)
                .timeSlice(Duration.ofDays(1))
                .uncaughtHandler((thread, failure) -> {
                    Preemption.ask(Objects.requireNonNull(Carrier.current()));
                    told.complete(Preempted.spin());
                })
                .start()) {
            scheduler.execute(() -> {
                throw new IllegalStateException("planted");
            });
            told.get();
        }
    }

    /** Many preempted fibers share a counter under each kind of lock: nothing is lost. */
    @Test
    void locksKeepExcludingUnderAStormOfRequests() throws Exception {
        stop = false;
        var lock = new ReentrantLock();
        int[] counts = new int[2];
        try (var scheduler = Preempted.unwatched(2)) {
            List<Fiber<?>> fibers = new ArrayList<>();
            var asked = new AtomicInteger();
            for (int f = 0; f < 8; f++) {
                fibers.add(Fiber.go(scheduler, () -> {
                    for (int i = 0; i < 2_000; i++) {
                        Carrier carrier = Carrier.current();
                        if (carrier != null && i % 3 == 0) Preemption.ask(carrier);
                        asked.incrementAndGet();
                        synchronized (counts) {
                            int seen = counts[0];
                            Preempted.spin();
                            counts[0] = seen + 1;
                        }
                        lock.lock();
                        try {
                            int seen = counts[1];
                            Preempted.spin();
                            counts[1] = seen + 1;
                        } finally {
                            lock.unlock();
                        }
                    }
                }));
            }
            for (Fiber<?> each : fibers) each.join();
            assertEquals(16_000, asked.get());
            scheduler.awaitIdle();
        }
        assertEquals(16_000, counts[0]);
        assertEquals(16_000, counts[1]);
        stop = true;
        drain();
    }

    /** A carrier that has stopped may leave its last request behind; the monitor withdraws it, here nobody does. */
    private static void drain() {
        while (Poll.pending() > 0) Poll.lower();
    }
}
