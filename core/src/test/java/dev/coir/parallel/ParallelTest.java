package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Barrier;
import dev.coir.sync.Latch;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {
    /** Runs a body in a fiber of each kind on a scheduler of its own. */
    static void inFibers(int workers, Runnable body) {
        Scheduler scheduler = Schedulers.start(workers);
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            Fiber.builder().on(scheduler).kind(kind).start(body).join();
        }
        Schedulers.close(scheduler);
    }

    private static void meet(Barrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void allBodiesRunAtOnce(int workers) {
        inFibers(workers, () -> {
            var barrier = new Barrier(5); // who waits for the others shows that they run at once
            Runnable body = () -> meet(barrier);
            Parallel.run(body, body, body, body, body);
            Parallel.run();
            Parallel.run(() -> {});
        });
        var barrier = new Barrier(3);
        Parallel.run(
                () -> meet(barrier), () -> meet(barrier), () -> meet(barrier)); // a plain thread, the common scheduler
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void everyNumberOfARangeIsTakenOnce(int workers) {
        inFibers(workers, () -> {
            for (int size : new int[] {0, 1, 2, 1000, 5000, 30_000}) {
                var seen = new AtomicIntegerArray(size);
                Parallel.forEach(-7, size - 7, i -> seen.incrementAndGet(i + 7));
                for (int i = 0; i < size; i++) assertEquals(1, seen.get(i));
            }
            Parallel.forEach(5, 5, i -> {
                throw new AssertionError("empty");
            });
            Parallel.forEach(5, Integer.MIN_VALUE, i -> {
                throw new AssertionError("empty");
            });
            var ends = new AtomicInteger();
            Parallel.forEach(Integer.MAX_VALUE - 3, Integer.MAX_VALUE, i -> ends.incrementAndGet());
            assertEquals(3, ends.get());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void everyItemOfAnIterableIsTakenOnce(int workers) {
        inFibers(workers, () -> {
            var sum = new AtomicLong();
            List<Integer> items = IntStream.range(0, 3000).boxed().toList();
            Parallel.forEach(items, item -> {
                if (item % 100 == 0) Fiber.yield();
                sum.addAndGet(item);
            });
            assertEquals(3000L * 2999 / 2, sum.get());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theyMayBeNestedAndWait(int workers) {
        inFibers(workers, () -> {
            var count = new AtomicInteger();
            Parallel.forEach(
                    0,
                    10,
                    i -> Parallel.forEach(0, 10, j -> {
                        try {
                            Fiber.sleep(Duration.ofMillis(1));
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                        Parallel.run(count::incrementAndGet, count::incrementAndGet);
                    }));
            assertEquals(200, count.get());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theFirstFailureLeavesAfterAllHaveEnded(int workers) {
        inFibers(workers, () -> {
            var ended = new AtomicInteger();
            var barrier = new Barrier(3);
            IntFunction<Runnable> failing = number -> () -> {
                meet(barrier);
                ended.incrementAndGet();
                throw new IllegalStateException("failure " + number);
            };
            var thrown = assertThrows(
                    IllegalStateException.class,
                    () -> Parallel.run(failing.apply(1), failing.apply(2), failing.apply(3)));
            assertEquals(3, ended.get());
            assertEquals(2, thrown.getSuppressed().length);
            var error = new AssertionError("why");
            Runnable throwing = () -> {
                throw error;
            };
            assertSame(error, assertThrows(AssertionError.class, () -> Parallel.run(throwing)));
            var begun = new AtomicInteger();
            assertThrows(
                    IllegalStateException.class,
                    () -> Parallel.forEach(0, Integer.MAX_VALUE, i -> {
                        if (begun.incrementAndGet() > 100) throw new IllegalStateException("enough");
                    }));
            Iterable<Integer> endless = () -> IntStream.generate(() -> 1).iterator();
            assertThrows(
                    IllegalStateException.class,
                    () -> Parallel.forEach(endless, i -> {
                        throw new IllegalStateException("enough");
                    }));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whereThereIsNoRoomTheCallerDoesTheWork(int workers) {
        Scheduler scheduler =
                Schedulers.start(Scheduler.builder().workers(workers).runQueueCapacity(2));
        var count = new AtomicInteger();
        Fiber.go(scheduler, () -> Parallel.forEach(0, 200, i -> count.incrementAndGet()))
                .join();
        assertEquals(200, count.get());
        Schedulers.close(scheduler);
    }

    /** It does not wait for what never begins, and it does wait for what has begun. */
    @ParameterizedTest
    @ValueSource(strings = {"bodies", "range", "items", "roots", "nodes"})
    void anExecutorThatBreaksEndsItWithWhatItThrew(String way) {
        var broken = new OutOfMemoryError("no more threads");
        var broke = new CompletableFuture<Void>();
        var turns = new AtomicInteger();
        Executor executor = task -> {
            if (turns.incrementAndGet() == 3) { // the first is for the caller, the second for one of the parts
                broke.complete(null);
                throw broken;
            }
            Thread.ofPlatform().daemon().start(task);
        };
        var begun = new AtomicInteger();
        var ended = new AtomicInteger();
        Runnable part = () -> {
            begun.incrementAndGet();
            broke.join();
            ended.incrementAndGet();
        };
        Fiber<OutOfMemoryError> caller =
                Fiber.go(executor, () -> assertThrows(OutOfMemoryError.class, () -> runThree(way, part)));
        assertSame(broken, caller.join());
        assertEquals(begun.get(), ended.get());
    }

    private static void runThree(String way, Runnable part) {
        switch (way) {
            case "bodies" -> Parallel.run(part, part, part);
            case "range" -> Parallel.forEach(0, 3, _ -> part.run());
            case "items" -> Parallel.forEach(List.of(1, 2, 3), _ -> part.run());
            default -> {
                var dag = Dag.builder();
                Dag.Node[] first = way.equals("roots") ? new Dag.Node[0] : new Dag.Node[] {dag.node(() -> {})};
                for (int i = 0; i < 3; i++) dag.node(part, first);
                dag.build().run();
            }
        }
    }

    /** Fibers that the scheduler cancels before they begin are not waited for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aSchedulerThatShutsDownEndsIt(int workers) throws Exception {
        Scheduler scheduler = Schedulers.start(workers);
        var inside = new Latch(workers);
        Fiber<Object> caller = Fiber.builder().on(scheduler).start(() -> {
            Parallel.forEach(0, 100, i -> {
                inside.countDown();
                try {
                    Fiber.sleep(Duration.ofDays(1));
                } catch (InterruptedException e) {
                    throw new CompletionException(e);
                }
            });
            return "all slept";
        });
        inside.await();
        scheduler.shutdownNow();
        Schedulers.close(scheduler);
        assertTrue(caller.isDone());
        assertNotEquals(Future.State.SUCCESS, caller.state());
    }
}
