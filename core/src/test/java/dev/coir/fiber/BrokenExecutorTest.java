package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber.Status;
import dev.coir.internal.Rethrow;
import dev.coir.sync.Latch;
import dev.coir.testing.Crowd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fiber that has begun can end, whatever becomes of its executor; one that has not begun can be started again. */
class BrokenExecutorTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                IllegalStateException.class,
                OutOfMemoryError.class,
                StackOverflowError.class,
                RejectedExecutionException.class
            })
    void whoWakesAFiberOfABrokenExecutorNoticesNothingAndTheFiberGoesOn(Class<? extends Throwable> failure) {
        var broken = new AtomicBoolean();
        Executor executor = command -> {
            if (broken.get()) throw Rethrow.asIs(made(failure));
            new Thread(command).start();
        };
        var gate = new Latch(1);
        Fiber<Integer> fiber = Fiber.go(executor, () -> {
            gate.await();
            return 42;
        });
        Crowd.until(() -> fiber.status() == Fiber.Status.WAITING);
        broken.set(true);
        gate.countDown();
        assertEquals(42, fiber.join());
    }

    /** Also with the one the JDK throws when a thread is started twice. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                IllegalStateException.class,
                OutOfMemoryError.class,
                IllegalThreadStateException.class,
                IOException.class,
                RejectedExecutionException.class
            })
    void whatTheExecutorThrowsLeavesTheStartAndTheFiberCanBeStartedAgain(Class<? extends Throwable> failure) {
        var manual = new ManualExecutor();
        var broken = new AtomicBoolean(true);
        Executor executor = command -> {
            if (broken.get()) throw Rethrow.asIs(made(failure));
            manual.execute(command);
        };
        Fiber<Integer> fiber = Fiber.builder().on(executor).name("again").unstarted(() -> 7);
        for (int i = 0; i < 3; i++) {
            assertEquals("broken", assertThrows(failure, fiber::start).getMessage());
            assertEquals(Status.NEW, fiber.status());
            assertFalse(fiber.isDone());
        }
        assertThrows(failure, () -> Fiber.go(executor, () -> 8));
        broken.set(false);
        fiber.start();
        assertEquals(Status.QUEUED, fiber.status());
        assertThrows(IllegalStateException.class, fiber::start);
        assertEquals(1, manual.drain());
        assertEquals(7, fiber.join());
        assertEquals("again", fiber.name());
    }

    /** As a pool does that takes the task into its queue and then cannot make a thread for it. */
    @Test
    void aTaskThatTheExecutorKeptThoughItThrewDoesNothing() {
        var manual = new ManualExecutor();
        var broken = new AtomicBoolean(true);
        Executor executor = command -> {
            manual.execute(command);
            if (broken.get()) throw new OutOfMemoryError("unable to create a thread");
        };
        var ran = new AtomicInteger();
        Fiber<Integer> fiber = Fiber.builder().on(executor).unstarted(ran::incrementAndGet);
        assertThrows(OutOfMemoryError.class, fiber::start);
        assertEquals(1, manual.drain());
        assertEquals(Status.NEW, fiber.status());
        assertThrows(OutOfMemoryError.class, fiber::start);
        broken.set(false);
        fiber.start();
        assertEquals(2, manual.drain());
        assertEquals(1, fiber.join());
        assertEquals(1, ran.get());
    }

    /** Nobody could start such a fiber again, nor take back what it has done. */
    @Test
    void anExecutorThatThrowsAfterTheFiberHasBegunDoesNotEndIt() {
        List<Throwable> reported = new ArrayList<>();
        Executor executor = command -> {
            command.run();
            throw new IllegalStateException("too late");
        };
        var gate = new Latch(1);
        var began = new AtomicBoolean();
        Thread caller = Thread.currentThread();
        caller.setUncaughtExceptionHandler((_, thrown) -> reported.add(thrown));
        Fiber<Integer> fiber = Fiber.go(executor, () -> {
            began.set(true);
            gate.await();
            return 9;
        });
        assertTrue(began.get());
        assertEquals("too late", reported.getFirst().getMessage());
        gate.countDown();
        assertEquals(9, fiber.join());
    }

    /** Each of them is either the one that starts it, or hears what the executor threw, or that another has started it. */
    @Test
    void manyWhoStartAFiberAtOnceOverAnExecutorThatIsBrokenAtTimesStartItOnce() throws Exception {
        for (int round = 0; round < 200; round++) {
            var calls = new AtomicInteger();
            Executor executor = command -> {
                if (calls.incrementAndGet() < 3) throw new IllegalStateException("broken");
                new Thread(command).start();
            };
            var ran = new AtomicInteger();
            Fiber<Integer> fiber = Fiber.builder().on(executor).unstarted(ran::incrementAndGet);
            var starts = new AtomicInteger();
            Crowd.run(4, _ -> {
                while (starts.get() == 0) {
                    try {
                        fiber.start();
                        starts.incrementAndGet();
                    } catch (IllegalStateException refused) {
                        Thread.yield();
                    }
                }
            });
            assertEquals(1, fiber.join());
            assertEquals(1, ran.get());
            assertEquals(1, starts.get());
        }
    }

    private static Throwable made(Class<? extends Throwable> failure) {
        try {
            return failure.getConstructor(String.class).newInstance("broken");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such failure", e);
        }
    }
}
