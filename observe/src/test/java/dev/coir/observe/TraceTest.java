package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.channel.Channel;
import dev.coir.executor.Scheduler;
import dev.coir.executor.SchedulerStats;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.fiber.Fiber.Status;
import dev.coir.observe.Scene.Stage;
import dev.coir.observe.TraceReader.Event;
import dev.coir.sync.Latch;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TraceTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("trace.json");
    }

    @AfterEach
    void off() {
        assertFalse(Trace.isOn());
    }

    @ParameterizedTest
    @CsvSource({"VIRTUAL,0", "VIRTUAL,1", "VIRTUAL,2", "VIRTUAL,8", "LIGHT,0", "LIGHT,1", "LIGHT,2", "LIGHT,8"})
    void aFiberIsABarOnItsThreadAndItsWaitsAndEventsLieInItsOwnRow(Kind kind, int workers) throws Exception {
        try (var ground = new Ground(workers);
                var trace = Trace.to(file())) {
            assertTrue(Trace.isOn());
            Fiber<?> fiber = ground.start(kind, "the one", () -> {
                try (var outer = Trace.event("outer")) {
                    try (var inner = Trace.event("inner")) {
                        ground.gate.await();
                    }
                    Trace.mark("done");
                }
                return 1;
            });
            Ground.await(() -> fiber.status() == Status.WAITING);
            ground.gate.countDown();
            ground.scheduler.awaitIdle(); // its last slice has ended
        }
        var read = new TraceReader(file());
        assertEquals(0, read.lost);
        List<Event> row = read.row(Stage.FIBERS, "the one");
        Event outer = only(row, "outer");
        Event inner = only(row, "inner");
        Event wait = only(row, "waits: count of a Latch");
        assertTrue(inner.within(outer), row::toString);
        assertTrue(wait.within(inner), row::toString);
        assertTrue(only(row, "done").within(outer), row::toString);
        only(row, "started");
        only(row, "ended");
        List<Event> slices = read.events.stream()
                .filter(each -> each.category().equals("fiber") && each.name().equals("the one"))
                .sorted(Comparator.comparingLong(Event::from))
                .toList();
        assertEquals(2, slices.size(), slices::toString);
        assertEquals(Stage.THREADS.pid, slices.getFirst().pid());
        assertEquals(
                "waits: count of a Latch", slices.getFirst().args().get("then").textValue());
        assertEquals("ended", slices.getLast().args().get("then").textValue());
        assertTrue(slices.getFirst().from() <= outer.from()
                && outer.to() <= slices.getLast().to());
    }

    private static Event only(List<Event> row, String name) {
        List<Event> found =
                row.stream().filter(each -> each.name().equals(name)).toList();
        assertEquals(1, found.size(), () -> name + " in " + row);
        return found.getFirst();
    }

    @ParameterizedTest
    @CsvSource({"VIRTUAL,1", "VIRTUAL,2", "LIGHT,1", "LIGHT,2"})
    void whoWakesWhomIsAnArrow(Kind kind, int workers) throws Exception {
        int values = 50;
        try (var ground = new Ground(workers);
                var trace = Trace.to(file())) {
            Channel<Integer> channel = Channel.rendezvous();
            Fiber<?> sender = ground.start(kind, "sends", () -> {
                for (int i = 0; i < values; i++) channel.send(i);
                return 1;
            });
            Fiber<?> receiver = ground.start(kind, "receives", () -> {
                for (int i = 0; i < values; i++) channel.receive();
                return 1;
            });
            sender.get();
            receiver.get();
        }
        var read = new TraceReader(file());
        assertTrue(read.count(each -> each.phase().equals("s")) >= values / 2, read.events::toString);
    }

    @Test
    void eventsOfThreadsThatAreNoFibersHaveRowsOfTheirOwn() throws Exception {
        try (var ground = new Ground(1);
                var trace = Trace.to(file())) {
            Thread platform = Thread.ofPlatform()
                    .name("plain")
                    .start(() -> Trace.event("p").close());
            Thread virtual = Thread.ofVirtual()
                    .name("light")
                    .start(() -> Trace.event("v").close());
            platform.join();
            virtual.join();
            var ran = new CountDownLatch(1);
            ground.scheduler.execute(() -> {
                Trace.event("t").close();
                ran.countDown();
            });
            ran.await();
        }
        var read = new TraceReader(file());
        only(read.row(Stage.THREADS, "plain"), "p");
        only(read.row(Stage.VIRTUAL_THREADS, "light"), "v");
        Event task = read.events.stream()
                .filter(each -> each.category().equals("task"))
                .findAny()
                .orElseThrow();
        assertEquals("task of dev.coir.observe.TraceTest", task.name());
        Event inTask = read.events.stream()
                .filter(each -> each.name().equals("t"))
                .findAny()
                .orElseThrow();
        assertEquals(task.tid(), inTask.tid());
        assertTrue(inTask.within(task));
    }

    @Test
    void aThreadThatIsHandedOffAndOneThatSleepsAreShown() throws Exception {
        try (var ground = new Ground(1);
                var trace = Trace.to(file())) {
            long parkedBefore = parked(ground.scheduler);
            Fiber<?> blocks = ground.start(
                    Kind.LIGHT,
                    "blocks",
                    () -> Fiber.blocking(() -> {
                        while (!ground.stop.get()) Thread.onSpinWait();
                        return 1;
                    }));
            ground.start(Kind.LIGHT, "meanwhile", () -> 1).get();
            ground.stop.set(true);
            blocks.get();
            Ground.await(() -> parked(ground.scheduler) > parkedBefore);
            ground.start(Kind.LIGHT, "wakes it", () -> 1).get();
        }
        var read = new TraceReader(file());
        assertTrue(read.count(each -> each.category().equals("hand-off")) >= 1, read.events::toString);
        assertTrue(read.count(each -> each.category().equals("idle")) >= 1, read.events::toString);
        only(read.row(Stage.FIBERS, "blocks"), "waits: a blocking call");
    }

    private static long parked(Scheduler scheduler) {
        return scheduler.stats().workers().stream()
                .mapToLong(SchedulerStats.WorkerStats::parked)
                .sum();
    }

    @Test
    void aTraceThatBeginsAndEndsInTheMiddleSaysSo() throws Exception {
        var through = new Latch(1);
        try (var ground = new Ground(1)) {
            Fiber<?> fiber = ground.start(Kind.VIRTUAL, "long", () -> {
                ground.gate.await();
                var open = Trace.event("never closed");
                through.await();
                open.close();
                open.close();
                return 1;
            });
            Ground.await(() -> fiber.status() == Status.WAITING);
            var trace = Trace.to(file());
            ground.gate.countDown();
            Ground.await(() -> fiber.status() == Status.WAITING);
            trace.close();
            through.countDown();
            fiber.get();
        }
        List<Event> row = new TraceReader(file()).row(Stage.FIBERS, "long");
        assertEquals("not recorded", only(row, "waits").args().get("beginning").textValue());
        assertEquals(
                "after the trace", only(row, "never closed").args().get("end").textValue());
        assertEquals(
                "after the trace",
                only(row, "waits: count of a Latch").args().get("end").textValue());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatIsOverwrittenIsCountedAndSaid(Kind kind) throws Exception {
        int yields = 5_000;
        Trace trace;
        try (var ground = new Ground(1)) {
            trace = Trace.to(file(), 64);
            ground.start(kind, "yields", () -> {
                        try (var whole = Trace.event("whole")) {
                            for (int i = 0; i < yields; i++) {
                                try (var step = Trace.event("step")) {
                                    Fiber.yield();
                                }
                            }
                        }
                        return 1;
                    })
                    .get();
            trace.close();
        }
        var read = new TraceReader(file());
        assertEquals(trace.lost(), read.lost);
        assertTrue(read.lost > 2L * yields, () -> "lost " + read.lost);
        Event said = read.events.stream()
                .filter(each -> each.name().endsWith("earlier events of this thread were overwritten"))
                .findAny()
                .orElseThrow();
        assertTrue(said.name().startsWith(Long.toString(read.lost)), said::toString);
        only(read.row(Stage.FIBERS, "yields"), "whole"); // its end came last, and is enough
    }

    @Test
    void eventsClosedInTheWrongOrderAreMadeToFit() throws Exception {
        try (var trace = Trace.to(file())) {
            var first = Trace.event("first");
            var second = Trace.event("second");
            first.close();
            Thread.onSpinWait();
            second.close();
        }
        var read = new TraceReader(file());
        Event second = read.events.stream()
                .filter(each -> each.name().equals("second"))
                .findAny()
                .orElseThrow();
        assertTrue(second.args().has("cut"), second::toString);
    }

    @Test
    void whileItIsOffAnEventIsNothing() {
        assertSame(Trace.event("a"), Trace.event("b"));
        Trace.event("a").close();
        Trace.mark("m");
        assertEquals(
                "name",
                assertThrows(NullPointerException.class, () -> Trace.event(null))
                        .getMessage());
        assertEquals(
                "name",
                assertThrows(NullPointerException.class, () -> Trace.mark(null)).getMessage());
        assertEquals(
                "file",
                assertThrows(NullPointerException.class, () -> Trace.to(null)).getMessage());
    }

    @Test
    void onlyOneTraceAtATime() throws Exception {
        Path other = folder.resolve("other.json");
        Files.writeString(other, "keep me");
        try (var trace = Trace.to(file())) {
            var refusal = assertThrows(IllegalStateException.class, () -> Trace.to(other));
            assertTrue(refusal.getMessage().contains(file().toString()), refusal::getMessage);
            assertTrue(refusal.getMessage().contains("close it"), refusal::getMessage);
        }
        assertEquals("keep me", Files.readString(other));
        Trace.to(other).close();
        new TraceReader(other);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedAtOnceAndNothingIsOn() {
        Path nowhere = folder.resolve("missing").resolve("trace.json");
        var refusal = assertThrows(UncheckedIOException.class, () -> Trace.to(nowhere));
        assertTrue(refusal.getMessage().contains(nowhere.toString()), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("a folder that exists"), refusal::getMessage);
        assertFalse(Trace.isOn());
    }

    @Test
    void badNumbersAreRefusedWithTheValue() {
        for (int bad : new int[] {-1, 0, 15, Integer.MAX_VALUE}) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> Trace.to(file(), bad));
            assertEquals("eventsPerThread: " + bad + " (expected: 16 to 16777216)", refusal.getMessage());
        }
    }

    @Test
    void manyMayCloseItAndItIsClosedOnce() throws Exception {
        var trace = Trace.to(file());
        var threads = new ArrayList<Thread>();
        var failures = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    trace.close();
                    new TraceReader(file()); // complete when close returns
                } catch (Throwable failure) {
                    failures.incrementAndGet();
                }
            }));
        }
        for (Thread each : threads) each.join();
        assertEquals(0, failures.get());
        assertEquals(0, trace.lost());
        assertEquals(file(), trace.file());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFiberMayTrace(Kind kind) throws Exception {
        try (var ground = new Ground(2)) {
            ground.start(kind, "traces", () -> {
                        try (var trace = Trace.to(file());
                                var event = Trace.event("inside")) {
                            Fiber.yield();
                            assertThrows(IllegalStateException.class, () -> Trace.to(file()));
                        }
                        return 1;
                    })
                    .get();
        }
        only(new TraceReader(file()).row(Stage.FIBERS, "traces"), "inside");
    }
}
