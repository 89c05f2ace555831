package dev.coir.internal.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.sync.Latch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TracingTest {
    private final RecordingSink sink = new RecordingSink();

    @AfterEach
    void off() {
        Tracing.end(sink);
        assertFalse(Tracing.isOn());
    }

    /** Compiled code takes the answer for a constant, and must be thrown away when it changes: T1. */
    @Test
    void codeThatWasCompiledWhileOffSeesTheSwitchAndTheSwitchBack() {
        for (int round = 0; round < 20; round++) {
            assertEquals(0, timesOn(50_000));
            assertTrue(Tracing.tryBegin(sink));
            assertEquals(50_000, timesOn(50_000));
            Tracing.end(sink);
        }
    }

    private static int timesOn(int asked) {
        int on = 0;
        for (int i = 0; i < asked; i++) if (Tracing.isOn()) on++;
        return on;
    }

    @Test
    void aLoopThatRunsMeanwhileSeesTheSwitch() throws Exception {
        var seen = new CompletableFuture<Boolean>();
        var spinning = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> {
            for (long i = 0; !Tracing.isOn(); i++) {
                if (i == 10_000_000) spinning.countDown(); // compiled by now, in the middle of the loop
            }
            seen.complete(true);
        });
        spinning.await();
        assertTrue(Tracing.tryBegin(sink));
        assertTrue(seen.get());
    }

    @Test
    void onlyOneSinkAtATimeAndOnlyTheCurrentOneEndsIt() {
        var other = new RecordingSink();
        assertTrue(Tracing.tryBegin(sink));
        assertFalse(Tracing.tryBegin(other));
        Tracing.end(other);
        assertTrue(Tracing.isOn());
        Tracing.end(sink);
        assertFalse(Tracing.isOn());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFibersLifeIsTold(Kind kind) {
        assertTrue(Tracing.tryBegin(sink));
        try (var scheduler = Scheduler.start(1)) {
            var gate = new Latch(1);
            Fiber<Object> waiting = Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .name("w")
                    .start(() -> {
                        gate.await();
                        return null;
                    });
            while (waiting.status() != Fiber.Status.WAITING) Thread.onSpinWait();
            gate.countDown();
            waiting.join();
        }
        Tracing.end(sink);
        List<String> told = sink.told;
        for (String each : List.of("waits count of a Latch", "unparked", "waited", "ended", "sleeps", "slept", "end"))
            assertTrue(told.contains(each), () -> each + " in " + told);
        assertTrue(told.indexOf("waits count of a Latch") < told.indexOf("unparked"), told::toString);
        assertEquals(
                2,
                told.stream().filter(each -> each.startsWith("begin Fiber[w")).count(),
                told::toString);
        assertEquals(
                1,
                told.stream().filter(each -> each.startsWith("start Fiber[w")).count(),
                told::toString);
        long begun = told.stream().filter(each -> each.startsWith("begin ")).count();
        assertEquals(begun, told.stream().filter("end"::equals).count(), told::toString);
    }

    @Test
    void nothingIsToldWhileItIsOff() {
        try (var scheduler = Scheduler.start(1)) {
            Fiber.go(scheduler, () -> {}).join();
        }
        assertEquals(List.of(), sink.told);
    }
}
