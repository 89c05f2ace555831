package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber.Status;
import dev.coir.sync.Latch;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** V5 of VirtualFiber: a fiber's thread is made where the fiber runs, and nobody can tell. */
class VirtualThreadLaterTest {
    private static final int ROUNDS = 5_000;

    private final List<Scheduler> made = new ArrayList<>();

    private Scheduler start(int workers) {
        Scheduler scheduler = Schedulers.start(Scheduler.builder().workers(workers));
        made.add(scheduler);
        return scheduler;
    }

    @AfterEach
    void everythingEnds() throws Exception {
        for (Scheduler each : made) Schedulers.close(each);
    }

    /** Keeps the only worker busy until the gate opens, so that whatever is started stays queued. */
    private static AtomicBoolean occupy(Scheduler scheduler) {
        var gate = new AtomicBoolean();
        var busy = new AtomicBoolean();
        Fiber.go(scheduler, () -> {
            busy.set(true);
            while (!gate.get()) Thread.onSpinWait();
        });
        Crowd.until(busy::get);
        return gate;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoAsksForTheThreadOfAQueuedFiberGetsTheOneThatRunsAndItLives(boolean local) {
        Scheduler scheduler = start(1);
        AtomicBoolean gate = occupy(scheduler);
        Fiber<Thread> fiber = Fiber.builder()
                .on(scheduler)
                .local(local)
                .name("later")
                .start((Callable<Thread>) Thread::currentThread);
        assertEquals(Status.QUEUED, fiber.status());
        Thread asked = fiber.thread().orElseThrow();
        assertSame(asked, fiber.thread().orElseThrow());
        assertTrue(asked.isAlive());
        assertEquals("later", asked.getName());
        assertEquals(Status.QUEUED, fiber.status());
        assertThrows(IllegalThreadStateException.class, asked::start);
        assertThrows(IllegalStateException.class, fiber::start);
        gate.set(true);
        assertSame(asked, fiber.join());
    }

    @Test
    void whoAsksBeforeTheStartGetsTheThreadThatRuns() throws Exception {
        Scheduler scheduler = start(1);
        Fiber<Thread> fiber = Fiber.builder().on(scheduler).unstarted((Callable<Thread>) Thread::currentThread);
        assertEquals(Status.NEW, fiber.status());
        Thread asked = fiber.thread().orElseThrow();
        assertEquals(Thread.State.NEW, asked.getState());
        assertEquals(Status.NEW, fiber.status());
        fiber.start();
        assertSame(asked, fiber.join());
        asked.join();
        assertThrows(IllegalThreadStateException.class, asked::start);
    }

    @Test
    void whoStartsTheThreadStartsTheFiber() {
        Scheduler scheduler = start(1);
        Fiber<Integer> fiber = Fiber.builder().on(scheduler).unstarted(() -> 42);
        fiber.thread().orElseThrow().start();
        assertThrows(IllegalStateException.class, fiber::start);
        assertEquals(42, fiber.join());
    }

    /** Everything at once: started by two, asked for by two, and begun by a worker. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void howeverManyStartItAndAskForItsThreadItRunsOnceOnTheThreadTheyGot(int workers) throws Exception {
        Scheduler scheduler = start(workers);
        var fiber = new AtomicReference<Fiber<Thread>>();
        var ran = new AtomicInteger();
        var starts = new AtomicInteger();
        List<Thread> asked = Collections.synchronizedList(new ArrayList<>());
        var begin = new CyclicBarrier(
                4,
                () -> fiber.set(Fiber.builder().on(scheduler).unstarted(() -> {
                    ran.incrementAndGet();
                    return Thread.currentThread();
                })));
        var end = new CyclicBarrier(4, () -> {
            Thread own = fiber.get().join();
            for (Thread each : asked) assertSame(own, each);
            asked.clear();
        });
        Crowd.run(4, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                begin.await();
                Fiber<Thread> one = fiber.get();
                if (number % 2 == 0) {
                    asked.add(one.thread().orElseThrow());
                } else {
                    try {
                        one.start();
                        starts.incrementAndGet();
                    } catch (IllegalStateException second) {
                        asked.add(one.thread().orElseThrow());
                    }
                }
                end.await();
            }
        });
        assertEquals(List.of(ROUNDS, ROUNDS), List.of(ran.get(), starts.get()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsInterruptedBeforeItRunsFindsItself(boolean started) {
        Scheduler scheduler = start(1);
        AtomicBoolean gate = occupy(scheduler);
        Fiber<Boolean> fiber = Fiber.builder().on(scheduler).unstarted((Callable<Boolean>) Thread::interrupted);
        if (started) fiber.start();
        fiber.thread().orElseThrow().interrupt();
        if (!started) fiber.start();
        gate.set(true);
        assertTrue(fiber.join());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsCancelledWhileQueuedNeverRunsAndItsThreadEnds(boolean asked) throws Exception {
        Scheduler scheduler = start(1);
        AtomicBoolean gate = occupy(scheduler);
        var ran = new AtomicBoolean();
        Fiber<?> fiber = Fiber.go(scheduler, () -> ran.set(true));
        if (asked) assertTrue(fiber.thread().orElseThrow().isAlive());
        assertTrue(fiber.cancel(true));
        assertEquals(Status.DONE, fiber.status());
        gate.set(true);
        fiber.thread().orElseThrow().join();
        assertFalse(ran.get());
    }

    /** One that was cancelled in time does not run; one that runs learns of it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoIsCancelledAsItBeginsIsInterruptedOrNeverRuns(int workers) {
        Scheduler scheduler = start(workers);
        for (int i = 0; i < ROUNDS; i++) {
            var runs = new AtomicBoolean();
            var ended = new AtomicBoolean();
            Fiber<?> fiber = Fiber.go(scheduler, () -> {
                runs.set(true);
                while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
                ended.set(true);
            });
            for (int k = i % 64; k > 0; k--) Thread.onSpinWait();
            assertTrue(fiber.cancel(true));
            Crowd.until(() -> !fiber.thread().orElseThrow().isAlive());
            assertEquals(runs.get(), ended.get());
        }
    }

    @Test
    void aStartThatIsRefusedLeavesNothingAndCanBeRepeated() throws Exception {
        Scheduler scheduler = Schedulers.start(Scheduler.builder().workers(1).runQueueCapacity(2));
        made.add(scheduler);
        AtomicBoolean gate = occupy(scheduler);
        List<Fiber<?>> taken = new ArrayList<>();
        var last = Fiber.builder().on(scheduler).unstarted(() -> 7);
        assertThrows(RejectedExecutionException.class, () -> {
            while (true) taken.add(Fiber.go(scheduler, () -> {}));
        });
        assertThrows(RejectedExecutionException.class, last::start);
        assertEquals(Status.NEW, last.status());
        assertEquals(Thread.State.NEW, last.thread().orElseThrow().getState());
        assertThrows(RejectedExecutionException.class, last::start); // by its thread now, which the JDK ends
        assertEquals(Status.NEW, last.status());
        gate.set(true);
        for (Fiber<?> each : taken) each.join();
        last.start();
        assertEquals(7, last.join());
    }

    @Test
    void whatItsMakerHasIsInheritedAndWhatOthersHaveIsNot() throws Exception {
        var inherited = new InheritableThreadLocal<String>();
        Scheduler scheduler = start(2);
        try (var loader = new URLClassLoader(new URL[0])) {
            Callable<String> read = inherited::get;
            Callable<ClassLoader> loads = () -> Thread.currentThread().getContextClassLoader();
            assertNull(Fiber.go(scheduler, read).join());
            assertSame(
                    ClassLoader.getSystemClassLoader(),
                    Fiber.go(scheduler, loads).join());
            inherited.set("mine");
            Thread.currentThread().setContextClassLoader(loader);
            Fiber<String> value = Fiber.builder().on(scheduler).unstarted(read);
            List<Fiber<String>> batch = Fiber.builder().on(scheduler).startAll(List.of(read, read));
            Fiber<ClassLoader> by = Fiber.go(scheduler, loads);
            Fiber<String> grandchild = Fiber.go(scheduler, () -> Fiber.go(read).join());
            inherited.remove();
            Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
            assertEquals("mine", value.start().join());
            for (Fiber<String> each : batch) assertEquals("mine", each.join());
            assertSame(loader, by.join());
            assertEquals("mine", grandchild.join());
            assertNull(Fiber.go(scheduler, read).join());
        } finally {
            Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        }
    }

    /** The thread that makes it later may have locals of its own: those of a bound thread, here. */
    @Test
    void whoOnlyRunsItLeavesItNothing() throws Exception {
        var inherited = new InheritableThreadLocal<String>();
        Scheduler scheduler = start(0);
        Callable<String> read = inherited::get;
        var fiber = new AtomicReference<Fiber<String>>();
        Thread maker = new Thread(() -> fiber.set(Fiber.go(scheduler, read)));
        maker.start();
        maker.join();
        inherited.set("the runner's");
        try (var binding = scheduler.bind()) {
            assertNull(fiber.get().join());
        }
        inherited.remove();
    }

    @Test
    void aThreadThatIsAskedForByAnotherLeavesItNothing() throws Exception {
        var inherited = new InheritableThreadLocal<String>();
        Scheduler scheduler = start(1);
        var gate = new Latch(1);
        Fiber<String> fiber = Fiber.builder().on(scheduler).unstarted((Callable<String>) inherited::get);
        Thread asker = new Thread(() -> {
            inherited.set("the asker's");
            fiber.thread();
            gate.countDown();
        });
        asker.start();
        gate.await();
        assertNull(fiber.start().join());
        asker.join();
    }
}
