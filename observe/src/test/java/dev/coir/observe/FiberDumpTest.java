package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Generator;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.task.Party;
import dev.coir.sync.Barrier;
import dev.coir.sync.Latch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiberDumpTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "VIRTUAL,8", "LIGHT,0", "LIGHT,1", "LIGHT,2", "LIGHT,8"})
    void aWaitingFiberIsShownWithWhatItWaitsForAndTheUsersLine(Kind kind, int workers) throws Exception {
        try (var ground = new Ground(workers)) {
            Fiber<?> fiber = ground.park(kind, "waits");
            FiberView view = Ground.view(FiberDump.of(ground.scheduler, LONG), "waits");
            assertEquals(fiber.id(), view.id());
            assertEquals(kind, view.kind());
            assertEquals(Status.WAITING, view.status());
            assertEquals(Optional.of("count of a Latch"), view.waitReason());
            assertEquals(Optional.empty(), view.stackMissing());
            assertFalse(view.cancelled());
            assertEquals(kind == Kind.LIGHT, view.thread().isPresent());
            List<String> frames = view.stack().stream()
                    .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                    .toList();
            assertEquals("dev.coir.sync.Latch.await", frames.getFirst(), frames::toString);
            assertEquals("dev.coir.observe.Ground.waitAtTheGate", frames.get(1), frames::toString);
            assertEquals(2, frames.size(), frames::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "LIGHT,0", "LIGHT,1", "LIGHT,2"})
    void whatRunsIsShownWithItsLineAndForHowLong(Kind kind, int workers) throws Exception {
        var spinning = new CompletableFuture<Boolean>();
        try (var ground = new Ground(workers)) {
            ground.start(kind, "spins", () -> spin(spinning, ground.stop));
            spinning.get();
            FiberDump dump = FiberDump.of(ground.scheduler);
            FiberView view = Ground.view(dump, "spins");
            assertEquals(Status.RUNNING, view.status());
            assertTrue(Ground.shows(view, "spin"), view::toString);
            assertEquals("lambda", view.stack().getLast().getMethodName().substring(0, 6), view::toString);
            WorkerView worker = running(dump);
            assertEquals(Optional.of("fiber spins #" + view.id()), worker.runs());
            if (workers > 0) // who watches the time is the monitor
            Ground.await(() -> running(FiberDump.of(ground.scheduler)).ranFor().toMillis() >= 20);
        }
    }

    private static WorkerView running(FiberDump dump) {
        return dump.workers().stream()
                .filter(each -> each.state() == WorkerView.State.RUNS)
                .findAny()
                .orElseThrow(() -> new AssertionError(dump));
    }

    private static boolean spin(CompletableFuture<Boolean> spinning, AtomicBoolean stop) {
        spinning.complete(true);
        while (!stop.get()) Thread.onSpinWait();
        return true;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theFramesOfAGeneratorInsideAFiberAreThere(Kind kind) throws Exception {
        try (var ground = new Ground(1)) {
            Fiber<?> fiber = ground.start(kind, "generates", () -> {
                Generator<Integer> numbers = Generator.of(sink -> {
                    awaitQuietly(ground.gate);
                    sink.yield(1);
                });
                return numbers.stream().toList();
            });
            Ground.await(() -> fiber.status() == Status.WAITING);
            FiberView view = Ground.view(FiberDump.of(ground.scheduler, LONG), "generates");
            assertTrue(Ground.shows(view, "awaitQuietly"), view::toString);
            assertTrue(view.stack().getLast().getMethodName().contains("theFramesOfAGenerator"), view::toString);
        }
    }

    private static void awaitQuietly(Latch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "LIGHT,0", "LIGHT,1", "LIGHT,2"})
    void aFiberMayAskAndSeesItself(Kind kind, int workers) throws Exception {
        try (var ground = new Ground(workers)) {
            for (Kind each : Kind.values()) for (int i = 0; i < 5; i++) ground.park(each, each + "-" + i);
            FiberDump dump = ground.start(kind, "asks", () -> FiberDump.of(ground.scheduler, LONG))
                    .get();
            assertEquals(11, dump.fibers().size(), dump::toString);
            FiberView self = Ground.view(dump, "asks");
            assertEquals("of", self.stack().getFirst().getMethodName(), self::toString);
            for (FiberView each : dump.fibers()) assertEquals(Optional.empty(), each.stackMissing(), dump::toString);
        }
    }

    /** It may be put on top of one that waits; that one's frames are not saved then, and walking them would crash the JVM. */
    @Test
    void aFiberOnTopOfAnotherMayAsk() throws Exception {
        try (var ground = new Ground(1)) {
            var wake = new Latch(1);
            Fiber<FiberDump> asks = ground.start(Kind.LIGHT, "asks", () -> {
                wake.await();
                return FiberDump.of(ground.scheduler, LONG);
            });
            Ground.await(() -> asks.status() == Status.WAITING);
            ground.start(Kind.LIGHT, "below", () -> {
                wake.countDown();
                return ground.waitAtTheGate();
            });
            FiberDump dump = asks.get();
            FiberView below = Ground.view(dump, "below");
            assertEquals(Status.WAITING, below.status());
            assertEquals(Optional.of("count of a Latch"), below.waitReason());
            if (below.stackMissing().isEmpty()) assertTrue(Ground.shows(below, "waitAtTheGate"), dump::toString);
            FiberView self = Ground.view(dump, "asks");
            assertFalse(Ground.shows(self, "waitAtTheGate"), dump::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aPlainTaskMayAsk(int workers) throws Exception {
        try (var ground = new Ground(workers)) {
            for (Kind each : Kind.values()) ground.park(each, "at the gate " + each);
            var told = new CompletableFuture<FiberDump>();
            ground.scheduler.execute(() -> told.complete(FiberDump.of(ground.scheduler, LONG)));
            FiberDump dump = told.get();
            for (Kind each : Kind.values())
                assertTrue(Ground.shows(Ground.view(dump, "at the gate " + each), "waitAtTheGate"), dump::toString);
            WorkerView asker = running(dump);
            assertTrue(asker.runs().orElseThrow().startsWith("task "), asker::toString);
            assertTrue(asker.stack().getLast().getMethodName().contains("aPlainTaskMayAsk"), asker::toString);
        }
    }

    /** S2 of Survey. Each asks for the stack of a fiber whose thread asks as well. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fibersOnAllThreadsAskAtOnce(Kind kind) throws Exception {
        int workers = 4;
        try (var ground = new Ground(workers)) {
            var threads = new HashSet<String>();
            for (int i = 0; threads.size() < workers; i++) {
                String name = "waits-" + i;
                Fiber<?> fiber = Fiber.builder()
                        .on(ground.scheduler)
                        .kind(Kind.LIGHT)
                        .local(true)
                        .name(name)
                        .start(() -> awaitQuietly(ground.gate));
                Ground.await(() -> fiber.status() == Status.WAITING);
                threads.add(Ground.view(FiberDump.of(ground.scheduler, LONG), name)
                        .thread()
                        .orElseThrow());
            }
            var arrived = new AtomicInteger();
            var dumps = new ArrayList<Fiber<FiberDump>>();
            for (int i = 0; i < workers; i++) {
                dumps.add(Fiber.builder()
                        .on(ground.scheduler)
                        .kind(kind)
                        .local(true)
                        .start(() -> {
                            arrived.incrementAndGet();
                            while (arrived.get() < workers) Thread.onSpinWait(); // each keeps its thread until it asks
                            return FiberDump.of(ground.scheduler, LONG);
                        }));
            }
            for (Fiber<FiberDump> each : dumps) {
                FiberDump dump = each.get();
                for (FiberView view : dump.fibers()) {
                    assertEquals(Optional.empty(), view.stackMissing(), dump::toString);
                    if (view.name().startsWith("waits-"))
                        assertTrue(Ground.shows(view, "awaitQuietly"), dump::toString);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aThreadThatIsBusyIsNotWaitedForForever(int workers) throws Exception {
        try (var ground = new Ground(Scheduler.builder().workers(workers).timeSlice(Duration.ofHours(1)), workers)) {
            var here = new CompletableFuture<Boolean>();
            // one that has been seen to wait, and then keeps its thread
            Fiber<?> busy = ground.start(Kind.LIGHT, "busy", () -> {
                Fiber<?> neighbour = Fiber.builder()
                        .kind(Kind.LIGHT)
                        .local(true)
                        .name("neighbour")
                        .start(() -> {
                            awaitQuietly(ground.gate);
                        });
                while (neighbour.status() != Status.WAITING) Fiber.yield();
                return spin(here, ground.stop);
            });
            here.get();
            FiberDump dump = FiberDump.of(ground.scheduler, Duration.ofMillis(5));
            FiberView neighbour = Ground.view(dump, "neighbour");
            assertEquals(List.of(), neighbour.stack());
            String why = neighbour.stackMissing().orElseThrow();
            assertTrue(why.contains("did not answer within 5 ms: it is busy with fiber busy #" + busy.id()), why);
            assertTrue(dump.toString().contains("stack not available: its thread"), dump::toString);
            ground.stop.set(true);
            busy.get();
            assertTrue(Ground.shows(Ground.view(FiberDump.of(ground.scheduler, LONG), "neighbour"), "awaitQuietly"));
        }
    }

    @Test
    void withoutPatienceOnlyTheStacksOfSuspendedLightFibersAreLeftOut() throws Exception {
        try (var ground = new Ground(1)) {
            for (Kind each : Kind.values()) ground.park(each, each.toString());
            FiberDump dump = FiberDump.of(ground.scheduler, Duration.ZERO);
            assertTrue(Ground.view(dump, "LIGHT").stackMissing().isPresent());
            assertTrue(Ground.shows(Ground.view(dump, "VIRTUAL"), "waitAtTheGate"));
        }
    }

    /** The thread is bound, and does something of its own: it answers when it next works. */
    @Test
    void aBoundThreadThatIsAwayIsNotWaitedForForever() throws Exception {
        try (var scheduler = Scheduler.start(0)) {
            var gate = new Latch(1);
            try (var binding = scheduler.bind()) {
                Fiber<?> fiber =
                        Fiber.builder().on(scheduler).kind(Kind.LIGHT).name("f").start(() -> awaitQuietly(gate));
                while (fiber.status() != Status.WAITING) Fiber.yield();
                FiberView seenFromOutside = CompletableFuture.supplyAsync(
                                () -> Ground.view(FiberDump.of(scheduler, Duration.ofMillis(5)), "f"))
                        .get();
                assertTrue(seenFromOutside.stackMissing().isPresent(), seenFromOutside::toString);
                FiberDump dump = FiberDump.of(scheduler, LONG); // the caller is that thread
                assertTrue(Ground.shows(Ground.view(dump, "f"), "awaitQuietly"), dump::toString);
                assertEquals(WorkerView.State.AWAY, dump.workers().getFirst().state());
                gate.countDown();
                fiber.join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberInABlockingCallIsShownWithTheCallAndItsThreadAsBlocked(Kind kind) throws Exception {
        Duration brief = Duration.ofMillis(5); // a blocked thread does not answer
        try (var ground = new Ground(1)) {
            ground.park(Kind.LIGHT, "waits");
            var inside = new CompletableFuture<Boolean>();
            ground.start(kind, "blocks", () -> Fiber.blocking(() -> spin(inside, ground.stop)));
            inside.get();
            FiberDump dump = FiberDump.of(ground.scheduler, brief);
            FiberView view = Ground.view(dump, "blocks");
            assertEquals(Optional.of("a blocking call"), view.waitReason());
            assertEquals(Status.WAITING, view.status());
            assertTrue(Ground.shows(view, "spin"), dump::toString);
            assertTrue(Ground.view(dump, "waits").stackMissing().isPresent(), dump::toString);
            assertEquals(
                    1,
                    dump.workers().stream()
                            .filter(each -> each.state() == WorkerView.State.BLOCKED)
                            .count(),
                    dump::toString);
        }
    }

    @Test
    void anInterruptIsKeptAndDoesNotCutTheDumpShort() throws Exception {
        try (var ground = new Ground(2)) {
            for (int i = 0; i < 8; i++) ground.park(Kind.LIGHT, "w" + i);
            Thread.currentThread().interrupt();
            FiberDump dump = FiberDump.of(ground.scheduler, LONG);
            assertTrue(Thread.interrupted());
            for (FiberView each : dump.fibers()) assertTrue(Ground.shows(each, "waitAtTheGate"), dump::toString);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberThatWasCancelledAndStillUnwindsIsShownAsSuch(Kind kind) throws Exception {
        try (var ground = new Ground(1)) {
            Fiber<?> fiber = ground.start(kind, "unwinds", () -> {
                try {
                    new Latch(1).await();
                } finally {
                    ground.gate.await();
                }
                return null;
            });
            Ground.await(() -> fiber.status() == Status.WAITING);
            fiber.cancel(true);
            Ground.await(() -> fiber.waitReason().isPresent() && fiber.status() == Status.WAITING);
            FiberView view = Ground.view(FiberDump.of(ground.scheduler, LONG), "unwinds");
            assertTrue(view.cancelled());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberThatHoldsALockOfItsThreadMayAsk(Kind kind) throws Exception {
        var lock = new Object();
        try (var ground = new Ground(2)) {
            for (int i = 0; i < 8; i++) ground.park(Kind.LIGHT, "w" + i);
            FiberDump dump = ground.start(kind, "asks", () -> {
                        synchronized (lock) {
                            return FiberDump.of(ground.scheduler, LONG);
                        }
                    })
                    .get();
            for (int i = 0; i < 8; i++) assertTrue(Ground.shows(Ground.view(dump, "w" + i), "waitAtTheGate"));
        }
    }

    @Test
    void fibersThatDoTheSameStandTogetherInTheText() throws Exception {
        try (var ground = new Ground(1)) {
            for (int i = 0; i < 12; i++) ground.park(Kind.VIRTUAL, "same-" + i);
            ground.park(Kind.LIGHT, "other");
            String text = FiberDump.of(ground.scheduler, LONG).toString();
            assertTrue(text.contains("1 thread, 13 fibers (13 WAITING)"), text);
            assertTrue(text.contains("\n12 fibers same-0 #"), text);
            assertTrue(
                    text.contains(
                            " and 2 more: VIRTUAL, waiting in count of a Latch\n    at dev.coir.sync.Latch.await"),
                    text);
            assertTrue(text.contains("\nfiber other #"), text);
            assertTrue(text.contains("\" sleeps\n") || text.contains("\" looks for work\n"), text);
        }
    }

    @Test
    void aDumpOfAClosingSchedulerShowsWhatIsLeft() throws Exception {
        var ground = new Ground(2);
        for (Kind each : Kind.values()) ground.park(each, each.toString());
        Thread closer = Thread.ofPlatform().start(ground.scheduler::close);
        Ground.await(() -> FiberDump.of(ground.scheduler).state().equals("CLOSING"));
        FiberDump dump = FiberDump.of(ground.scheduler, LONG);
        for (Kind each : Kind.values())
            assertTrue(Ground.shows(Ground.view(dump, each.toString()), "waitAtTheGate"), dump::toString);
        ground.gate.countDown();
        closer.join();
        ground.close();
    }

    /** B1 of Walk: nobody else can get at a bare stack. */
    @Test
    void anotherThreadIsRefusedTheStackOfALightFiber() throws Exception {
        try (var ground = new Ground(1)) {
            Fiber<?> fiber = ground.park(Kind.LIGHT, "waits");
            var refusal = assertThrows(WrongThreadException.class, () -> Party.bareFramesOf(fiber));
            assertTrue(refusal.getMessage().contains("ask that thread"), refusal::getMessage);
        }
    }

    @Test
    void badInputIsRefusedWithTheValueAndTheCure() throws Exception {
        try (var ground = new Ground(1)) {
            var negative = assertThrows(
                    IllegalArgumentException.class, () -> FiberDump.of(ground.scheduler, Duration.ofMillis(-1)));
            assertEquals("patience: PT-0.001S (expected: zero or more)", negative.getMessage());
            var nothing = assertThrows(NullPointerException.class, () -> FiberDump.of(null));
            assertEquals("scheduler", nothing.getMessage());
            nothing = assertThrows(NullPointerException.class, () -> FiberDump.of(ground.scheduler, null));
            assertEquals("patience", nothing.getMessage());
            FiberDump.of(ground.scheduler, Duration.ofSeconds(Long.MAX_VALUE)); // for ever, but nobody is asked
        }
    }

    @Test
    void whatHasNotBegunIsCounted() throws Exception {
        try (var ground = new Ground(1)) {
            var spinning = new CompletableFuture<Boolean>();
            ground.start(Kind.VIRTUAL, "spins", () -> spin(spinning, ground.stop));
            spinning.get();
            for (int i = 0; i < 7; i++) ground.start(Kind.VIRTUAL, "q", () -> 1);
            FiberDump dump = FiberDump.of(ground.scheduler);
            assertEquals(7, dump.queued(), dump::toString);
            assertEquals(1, dump.fibers().size(), dump::toString);
        }
    }

    @Test
    void theBarrierIsNamed() throws Exception {
        try (var ground = new Ground(1)) {
            var barrier = new Barrier(2);
            Fiber<?> one = ground.start(Kind.LIGHT, "one", barrier::await);
            Ground.await(() -> one.status() == Status.WAITING);
            FiberView view = Ground.view(FiberDump.of(ground.scheduler, LONG), "one");
            assertEquals("dev.coir.sync.Barrier", view.stack().getFirst().getClassName(), view::toString);
            barrier.await();
        }
    }
}
