package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.sched.Carrier;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import dev.coir.testing.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plain threads that work for a scheduler while they wait. */
class BindingTest {
    private final List<Scheduler> started = new ArrayList<>();

    private Scheduler start(Scheduler.Builder settings) {
        Scheduler scheduler = Schedulers.start(settings);
        started.add(scheduler);
        return scheduler;
    }

    private Scheduler start(int workers) {
        return start(Scheduler.builder().workers(workers));
    }

    @AfterEach
    void closeAll() {
        started.forEach(Schedulers::close);
    }

    // ---- no workers ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Kind.class)
    void withoutWorkersTheBoundThreadRunsWhatItWaitsFor(Kind kind) {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            Thread self = Thread.currentThread();
            Fiber<Thread> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                Fiber.yield();
                return VirtualThreads.carrier();
            });
            assertFalse(fiber.isDone());
            assertSame(self, fiber.join());
            assertNull(Fiber.current());
        }
        assertNull(Carrier.current());
    }

    /** Who asks again and again keeps a LIGHT fiber from running that began on its thread: only yield can let it. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aBoundThreadThatYieldsRunsWhatWaitsForIt(Kind kind) {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            var gate = new CompletableFuture<String>();
            Fiber<String> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(gate));
            while (fiber.status() != Status.WAITING) Fiber.yield();
            gate.complete("woken");
            while (!fiber.isDone()) Fiber.yield();
            assertEquals("woken", fiber.join());
            Fiber.yield(); // nothing to run: it returns
        }
    }

    @Test
    void aPlainTaskThatYieldsRunsFibersOfItsThread() throws Exception {
        Scheduler scheduler = start(1);
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber = Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> Fiber.await(gate));
        Crowd.until(() -> fiber.status() == Status.WAITING);
        var asks = new FutureTask<>(() -> {
            gate.complete("woken");
            while (!fiber.isDone()) Fiber.yield();
            return fiber.join();
        });
        scheduler.execute(asks);
        assertEquals("woken", asks.get());
    }

    @Test
    void withoutABindingNothingRuns() {
        Scheduler scheduler = start(0);
        var ran = new AtomicInteger();
        scheduler.execute(ran::incrementAndGet);
        Fiber<Integer> fiber = Fiber.go(scheduler, ran::incrementAndGet);
        assertThrows(TimeoutException.class, () -> fiber.get(1, TimeUnit.MILLISECONDS));
        assertEquals(0, ran.get());
        scheduler.bind().close();
        assertEquals(2, ran.get());
        assertTrue(fiber.isDone());
    }

    @Test
    void whatIsQueuedRunsAtTheEndOfTheLastBinding() {
        for (Scheduler.Policy policy : Scheduler.Policy.values()) {
            Scheduler scheduler = start(Scheduler.builder().workers(0).policy(policy));
            var ran = new AtomicInteger();
            try (var _ = scheduler.bind()) {
                for (int i = 0; i < 1000; i++) scheduler.execute(ran::incrementAndGet);
                for (int i = 0; i < 10; i++) {
                    Fiber.go(scheduler, () -> {
                        for (int j = 0; j < 5; j++) Fiber.yield();
                        ran.incrementAndGet();
                    });
                }
                assertEquals(0, ran.get());
            }
            assertEquals(1010, ran.get());
        }
    }

    /** What a bound thread wakes stands in a place of its own until it works; it must not be forgotten there. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberThatTheBoundThreadHasJustWokenRunsAtTheEndOfTheBinding(Kind kind) {
        Scheduler scheduler = start(0);
        var gate = new CompletableFuture<String>();
        Fiber<String> fiber;
        try (var _ = scheduler.bind()) {
            fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> Fiber.await(gate));
            Fiber.go(scheduler, () -> {}).join();
            Fiber<Void> second = Fiber.go(scheduler, () -> {});
            second.join();
            assertEquals(Status.WAITING, fiber.status());
            gate.complete("woken");
        }
        assertTrue(fiber.isDone(), fiber::toString);
        assertEquals("woken", fiber.join());
    }

    @Test
    void lightFibersThatStartedOnTheBoundThreadAreFinishedAtItsEnd() {
        Scheduler scheduler = start(0);
        var elsewhere = new CompletableFuture<String>();
        Fiber<String> sleeping;
        Fiber<String> woken;
        try (var _ = scheduler.bind()) {
            sleeping = Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> {
                Fiber.sleep(Duration.ofMillis(5));
                return "slept";
            });
            woken = Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> Fiber.await(elsewhere));
            Fiber.builder().on(scheduler).kind(Kind.LIGHT).start(() -> {}).join();
            Crowd.start("wakes", i -> {
                Crowd.until(() -> woken.status() == Status.WAITING);
                elsewhere.complete("woken from outside");
            });
        }
        assertEquals("slept", sleeping.join());
        assertEquals("woken from outside", woken.join());
    }

    @Test
    void localFibersOfTheBoundThreadAreFinishedAtItsEnd() {
        for (Kind kind : Kind.values()) {
            Scheduler scheduler = start(1);
            Fiber<Thread> fiber;
            try (var _ = scheduler.bind()) {
                fiber = Fiber.builder().on(scheduler).kind(kind).local(true).start(() -> {
                    Fiber.sleep(Duration.ofMillis(2));
                    Fiber.yield();
                    return VirtualThreads.carrier();
                });
                assertThrows(TimeoutException.class, () -> fiber.get(1, TimeUnit.NANOSECONDS));
            }
            assertTrue(fiber.isDone(), fiber::toString);
            assertSame(Thread.currentThread(), fiber.join());
        }
    }

    /** Who closes a scheduler that has no threads has to do the work that is left, or to be told. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void closeWithoutAnyThreadRunsWhatIsLeft(Kind kind) {
        Scheduler scheduler = start(0);
        var ran = new AtomicInteger();
        scheduler.execute(ran::incrementAndGet);
        Fiber<Integer> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
            Fiber.sleep(Duration.ofMillis(1));
            return ran.incrementAndGet();
        });
        scheduler.close();
        assertEquals(2, ran.get());
        assertTrue(fiber.isDone());
        assertNull(Carrier.current());
    }

    @Test
    void aBoundThreadThatAwaitsIdlenessWorks() throws Exception {
        Scheduler scheduler = start(0);
        var ran = new AtomicInteger();
        try (var _ = scheduler.bind()) {
            for (int i = 0; i < 10; i++) {
                scheduler.execute(ran::incrementAndGet);
                Fiber.go(scheduler, () -> {
                    Fiber.yield();
                    ran.incrementAndGet();
                });
            }
            scheduler.awaitIdle();
            assertEquals(20, ran.get());
            Fiber<?> parked = Fiber.go(scheduler, () -> Fiber.await(new CompletableFuture<>()));
            assertTrue(scheduler.awaitIdle(Duration.ofDays(1)));
            assertEquals(Status.WAITING, parked.status());
            parked.cancel(true);
        }
    }

    // ---- several bound threads -------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Scheduler.Policy.class)
    void severalBoundThreadsShareTheWork(Scheduler.Policy policy) throws Exception {
        Scheduler scheduler = start(Scheduler.builder().workers(0).policy(policy));
        var enough = new CompletableFuture<Void>();
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        List<FutureTask<Void>> bound = new ArrayList<>();
        var ready = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            bound.add(Crowd.start("bound " + i, index -> {
                try (var _ = scheduler.bind()) {
                    ready.countDown();
                    Fiber.await(enough);
                }
            }));
        }
        ready.await();
        var together = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            scheduler.execute(() -> {
                used.add(Thread.currentThread());
                together.countDown();
                while (together.getCount() != 0) Thread.onSpinWait();
            });
        }
        together.await();
        assertEquals(3, used.size());
        var ran = new AtomicInteger();
        List<Fiber<Integer>> fibers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            var kind = i % 2 == 0 ? Kind.LIGHT : Kind.VIRTUAL;
            fibers.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                Fiber.yield();
                return ran.incrementAndGet();
            }));
        }
        fibers.forEach(Fiber::join);
        enough.complete(null);
        for (FutureTask<Void> each : bound) each.get();
        assertEquals(300, ran.get());
    }

    @Test
    void boundThreadsComeAndGoWhileOthersSpawn() throws Exception {
        Scheduler scheduler = start(0);
        var ran = new AtomicInteger();
        Crowd.run(4, index -> {
            for (int i = 0; i < 50; i++) {
                try (var _ = scheduler.bind()) {
                    var kind = (i + index) % 2 == 0 ? Kind.LIGHT : Kind.VIRTUAL;
                    Fiber<?> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                        Fiber.yield();
                        ran.incrementAndGet();
                    });
                    scheduler.execute(ran::incrementAndGet);
                    if (i % 3 != 0) fiber.join();
                }
            }
        });
        scheduler.bind().close();
        assertEquals(400, ran.get());
    }

    @Test
    void boundThreadsAndWorkersMix() throws Exception {
        Scheduler scheduler = start(2);
        var ran = new AtomicInteger();
        Crowd.run(3, index -> {
            try (var _ = scheduler.bind()) {
                List<Fiber<Integer>> fibers = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    var kind = i % 2 == 0 ? Kind.LIGHT : Kind.VIRTUAL;
                    fibers.add(Fiber.builder().on(scheduler).kind(kind).start(() -> {
                        Fiber.yield();
                        if (ran.get() % 7 == 0) Fiber.sleep(Duration.ofNanos(50_000));
                        return ran.incrementAndGet();
                    }));
                }
                fibers.forEach(Fiber::join);
            }
        });
        assertEquals(300, ran.get());
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    @Test
    void aBoundThreadGivesUpWaitingInTime() {
        Scheduler scheduler = start(0);
        var gate = new CompletableFuture<String>();
        try (var _ = scheduler.bind()) {
            Fiber<String> fiber = Fiber.go(scheduler, () -> Fiber.await(gate));
            var ran = new AtomicInteger();
            scheduler.execute(ran::incrementAndGet);
            assertThrows(TimeoutException.class, () -> fiber.get(300, TimeUnit.MILLISECONDS));
            assertEquals(1, ran.get());
            gate.complete("later");
            assertEquals("later", fiber.join());
        }
    }

    @Test
    void aBoundThreadSleepsAndWorksMeanwhile() throws Exception {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            Fiber<String> fiber = Fiber.go(scheduler, () -> {
                Fiber.sleep(Duration.ofMillis(1));
                return "meanwhile";
            });
            long begin = System.nanoTime();
            Fiber.sleep(Duration.ofMillis(20));
            assertTrue(System.nanoTime() - begin >= 20_000_000);
            while (!fiber.isDone()) Fiber.sleep(Duration.ofMillis(20)); // the machine may have stood still meanwhile
            assertEquals("meanwhile", fiber.join());
        }
    }

    @Test
    void aBoundThreadIsInterruptible() throws Exception {
        Scheduler scheduler = start(0);
        var gate = new CompletableFuture<String>();
        var thread = new AtomicReference<Thread>();
        FutureTask<Void> bound = Crowd.start("bound", i -> {
            try (var _ = scheduler.bind()) {
                Fiber<String> fiber = Fiber.go(scheduler, () -> Fiber.await(gate));
                thread.set(Thread.currentThread());
                assertThrows(InterruptedException.class, fiber::get);
                assertFalse(Thread.currentThread().isInterrupted());
                gate.complete("after all");
                assertEquals("after all", fiber.get());
            }
        });
        Crowd.until(() -> thread.get() != null);
        Crowd.untilWaiting(thread.get());
        thread.get().interrupt();
        bound.get();
    }

    /** A virtual thread clears its carrier's interrupt when it comes and goes, and a LIGHT fiber shares the thread. */
    @ParameterizedTest
    @EnumSource
    void anInterruptOfABoundThreadIsNotTakenByTheFiberThatRunsThere(Kind kind) throws Exception {
        Scheduler scheduler = start(0);
        var thread = new AtomicReference<Thread>();
        var interrupted = new AtomicBoolean();
        var mayEnd = new CompletableFuture<String>();
        FutureTask<Void> bound = Crowd.start("bound", i -> {
            try (var _ = scheduler.bind()) {
                Fiber<String> fiber = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    thread.set(Carrier.current().thread());
                    while (!interrupted.get()) Thread.onSpinWait();
                    Fiber.yield();
                    return Fiber.await(mayEnd);
                });
                assertThrows(InterruptedException.class, fiber::get);
                assertFalse(Thread.currentThread().isInterrupted());
                mayEnd.complete("undisturbed");
                assertEquals("undisturbed", fiber.get());
            }
        });
        Crowd.until(() -> thread.get() != null);
        thread.get().interrupt();
        interrupted.set(true);
        bound.get();
    }

    /** The other way round: what is meant for the fiber is not taken by the thread. */
    @ParameterizedTest
    @EnumSource
    void anInterruptOfAFiberIsNotTakenByTheBoundThreadThatRunsIt(Kind kind) throws Exception {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            Fiber<String> restoring = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                Thread.currentThread().interrupt();
                Fiber.yield();
                assertThrows(InterruptedException.class, () -> Fiber.sleep(Duration.ofDays(1)));
                return "interrupted itself";
            });
            assertEquals("interrupted itself", restoring.get());
            var blocked = new CountDownLatch(1);
            Fiber<String> blocking = Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .start(() -> Fiber.blocking(() -> {
                        blocked.countDown();
                        Thread.sleep(Duration.ofDays(1));
                        return "not interrupted";
                    }));
            FutureTask<Void> canceller = Crowd.start("canceller", i -> {
                blocked.await();
                blocking.cancel(true);
            });
            assertThrows(CancellationException.class, blocking::get);
            canceller.get();
            assertFalse(Thread.currentThread().isInterrupted());
        }
    }

    @Test
    void aBoundThreadIsWokenFromOutside() throws Exception {
        Scheduler scheduler = start(0);
        for (int round = 0; round < 500; round++) {
            var stage = new CompletableFuture<Integer>();
            var ready = new CountDownLatch(1);
            int number = round;
            FutureTask<Void> waking = Crowd.start("wakes", i -> {
                ready.await();
                stage.complete(number);
            });
            try (var _ = scheduler.bind()) {
                ready.countDown();
                assertEquals(number, Fiber.await(stage));
            }
            waking.get();
        }
    }

    @Test
    void tasksOfABoundThreadMayWaitThemselves() throws Exception {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            var result = new CompletableFuture<String>();
            scheduler.execute(() -> result.complete(
                    Fiber.go(() -> Fiber.go(() -> "deep").join()).join()));
            assertEquals("deep", Fiber.await(result));
        }
        assertTrue(scheduler.awaitIdle(Duration.ofSeconds(10)), scheduler::toString);
    }

    @Test
    void nestedWaitsOfABoundThreadDoNotHideIdleness() throws Exception {
        Scheduler scheduler = start(0);
        var enough = new CompletableFuture<Void>();
        FutureTask<Void> bound = Crowd.start("bound", i -> {
            try (var _ = scheduler.bind()) {
                Fiber.await(enough);
            }
        });
        var done = new CompletableFuture<String>();
        scheduler.execute(() -> done.complete(Fiber.go(() -> "nested").join()));
        assertEquals("nested", done.get());
        scheduler.awaitIdle();
        enough.complete(null);
        bound.get();
    }

    @Test
    void goOnABoundThreadMeansItsScheduler() throws ExecutionException {
        Scheduler scheduler = start(0);
        try (var _ = scheduler.bind()) {
            assertSame(
                    Thread.currentThread(),
                    Fiber.go(() -> VirtualThreads.carrier()).join());
        }
    }

    // ---- misuse ----------------------------------------------------------------------------------------------------

    @Test
    void bindingTwiceIsRefused() {
        Scheduler scheduler = start(0);
        Scheduler other = start(1);
        try (var _ = scheduler.bind()) {
            for (Scheduler each : List.of(scheduler, other)) {
                var refusal = assertThrows(IllegalStateException.class, each::bind);
                assertEquals(
                        Thread.currentThread() + " runs tasks of a scheduler already: one binding per thread",
                        refusal.getMessage());
            }
        }
        scheduler.bind().close();
        other.bind().close();
    }

    @Test
    void bindingFromATaskIsRefused() throws Exception {
        Scheduler scheduler = start(1);
        var refusal = new CompletableFuture<Throwable>();
        scheduler.execute(() -> refusal.complete(assertThrows(IllegalStateException.class, scheduler::bind)));
        assertTrue(refusal.get().getMessage().endsWith("one binding per thread"));
        Fiber.builder()
                .on(scheduler)
                .kind(Kind.LIGHT)
                .start(() -> assertThrows(IllegalStateException.class, scheduler::bind))
                .join();
    }

    @Test
    void bindingAVirtualThreadIsRefused() throws Exception {
        Scheduler scheduler = start(0);
        Crowd.run(1, Thread.ofVirtual().factory(), i -> {
            var refusal = assertThrows(WrongThreadException.class, scheduler::bind);
            assertTrue(
                    refusal.getMessage().startsWith("bind from a virtual thread: only a platform thread can run tasks"),
                    refusal::getMessage);
        });
    }

    @Test
    void aBindingIsClosedByItsOwnThread() throws Exception {
        Scheduler scheduler = start(0);
        try (Binding binding = scheduler.bind()) {
            Thread self = Thread.currentThread();
            Crowd.onAnotherThread(i -> {
                var refusal = assertThrows(WrongThreadException.class, binding::close);
                assertEquals("a binding is closed by the thread that made it: " + self, refusal.getMessage());
            });
            binding.close();
            binding.close();
        }
    }

    @Test
    void aSchedulerWithBoundThreadsIsNotClosed() {
        Scheduler scheduler = start(Scheduler.builder().name("held").workers(1));
        try (var _ = scheduler.bind()) {
            var refusal = assertThrows(IllegalStateException.class, scheduler::close);
            assertEquals(
                    "close of scheduler held while 1 threads are bound to it: close their bindings first",
                    refusal.getMessage());
            assertEquals("open", Fiber.go(scheduler, () -> "open").join());
        }
    }

    @Test
    void aGroupHasRoomForSixtyFourThreads() {
        Scheduler scheduler = start(64);
        var refusal = assertThrows(IllegalStateException.class, scheduler::bind);
        assertTrue(refusal.getMessage().endsWith("has 64 workers already, bound threads included"));
        assertNull(Carrier.current());
    }
}
