package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.coir.channel.Channel;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An executor may run its tasks on virtual threads, which cannot carry the thread of a fiber. */
class VirtualThreadsUnderneathTest {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        executor.close();
    }

    private static <T> T within20s(Fiber<T> fiber) throws Exception {
        return fiber.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aFiberRunsOverThem() throws Exception {
        assertEquals(42, within20s(Fiber.go(executor, () -> {
            Fiber.yield();
            Fiber.sleep(Duration.ofMillis(1));
            return 42;
        })));
    }

    @Test
    void fibersStartAndWakeEachOther() throws Exception {
        assertEquals(4950, within20s(Fiber.go(executor, () -> {
            Channel<Integer> numbers = Channel.rendezvous();
            Fiber.go(() -> {
                for (int i = 0; i < 100; i++) numbers.send(i);
                numbers.close();
                return null;
            });
            int sum = 0;
            for (int each : numbers.untilClosed()) sum += each;
            return sum;
        })));
    }

    @Test
    void aStrandAboveThemRunsOneAtATime() throws Exception {
        Executor strand = Strand.over(executor);
        var inside = new AtomicBoolean();
        var together = new AtomicBoolean();
        List<Fiber<Integer>> fibers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            fibers.add(Fiber.go(strand, () -> {
                for (int round = 0; round < 20; round++) {
                    if (inside.getAndSet(true)) together.set(true);
                    Thread.onSpinWait();
                    inside.set(false);
                    Fiber.yield();
                }
                return 1;
            }));
        }
        int ended = 0;
        for (Fiber<Integer> each : fibers) ended += within20s(each);
        assertEquals(20, ended);
        assertFalse(together.get());
    }

    @Test
    void aServiceOverThemRunsTasksThatSubmitMore() throws Exception {
        try (ExecutorService service = Fibers.executorService(executor)) {
            List<Callable<Integer>> tasks = List.of(
                    () -> service.submit(() -> 1).get(),
                    () -> service.submit(() -> 2).get());
            int sum = 0;
            for (var each : service.invokeAll(tasks, 20, TimeUnit.SECONDS)) sum += each.get();
            assertEquals(3, sum);
        }
    }

    @Test
    void aVirtualThreadDrainsAManualExecutor() throws Exception {
        var manual = new ManualExecutor();
        Fiber<Integer> fiber = Fiber.go(manual, () -> {
            Fiber.yield();
            return 7;
        });
        assertEquals(2, executor.submit(manual::drain).get(20, TimeUnit.SECONDS));
        assertEquals(7, fiber.join());
    }

    @Test
    void aVirtualThreadWakesAFiberOverADirectExecutor() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        Fiber<Integer> fiber = Fiber.go(Runnable::run, () -> channel.receive());
        executor.submit(() -> {
            channel.send(5);
            return null;
        });
        assertEquals(5, within20s(fiber));
    }
}
