package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that run later, and those that run again and again. */
class DelayedTaskTest {
    private final SchedulerCore core = new SchedulerCore(Cores.config(2, 1));

    @AfterEach
    void close() {
        core.close();
        assertEquals(0, core.numbers().timersSet(), "timers left behind");
    }

    @Test
    void itRunsOnceAndNotEarly() throws Exception {
        long start = System.nanoTime();
        var ran = new CountDownLatch(1);
        DelayedTask task = core.schedule(ran::countDown, 5_000_000, 0);
        assertFalse(task.isDone());
        ran.await();
        assertTrue(System.nanoTime() - start >= 5_000_000);
        Crowd.until(task::isDone);
        assertFalse(task.cancel(), "it is done");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void withoutADelayItRunsSoon(long delay) throws Exception {
        var ran = new CountDownLatch(1);
        core.schedule(ran::countDown, delay, 0);
        ran.await();
    }

    @Test
    void aDelayOfCenturiesCanBeCancelled() {
        DelayedTask task = core.schedule(
                () -> {
                    throw new AssertionError("centuries have passed");
                },
                Long.MAX_VALUE,
                0);
        assertTrue(task.cancel());
        assertFalse(task.cancel());
        assertTrue(task.isDone());
    }

    @Test
    void aPeriodicOneRunsUntilItIsCancelled() throws Exception {
        var runs = new CountDownLatch(5);
        DelayedTask task = core.schedule(runs::countDown, 0, 100_000);
        runs.await();
        assertFalse(task.isDone());
        assertTrue(task.cancel());
        assertTrue(task.isDone());
    }

    @Test
    void aPeriodicOneMayCancelItself() throws Exception {
        var self = new AtomicReference<DelayedTask>();
        var known = new CountDownLatch(1);
        var runs = new AtomicInteger();
        self.set(core.schedule(
                () -> {
                    try {
                        known.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    if (runs.incrementAndGet() == 3) self.get().cancel();
                },
                0,
                1000));
        known.countDown();
        Crowd.until(() -> self.get().isDone());
        core.awaitIdle(Long.MAX_VALUE);
        assertEquals(3, runs.get());
    }

    @Test
    void aLatePeriodicOneDoesNotCatchUp() throws Exception {
        var runs = new AtomicInteger();
        var twice = new CountDownLatch(2);
        long start = System.nanoTime();
        DelayedTask task = core.schedule(
                () -> {
                    if (runs.incrementAndGet() == 1) {
                        Crowd.until(() -> System.nanoTime() - start > 20_000_000);
                    }
                    twice.countDown();
                },
                0,
                1_000_000);
        twice.await();
        task.cancel();
        core.awaitIdle(Long.MAX_VALUE);
        long passed = System.nanoTime() - start - 20_000_000;
        assertTrue(runs.get() <= 3 + passed / 1_000_000, () -> runs + " runs in " + passed + " ns after the long one");
    }

    @Test
    void aPeriodicOneThatThrowsGoesOn() throws Exception {
        var runs = new CountDownLatch(3);
        var quiet = Thread.getDefaultUncaughtExceptionHandler();
        var reported = new AtomicInteger();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.incrementAndGet());
        try {
            DelayedTask task = core.schedule(
                    () -> {
                        runs.countDown();
                        throw new IllegalStateException("as every time");
                    },
                    0,
                    1000);
            runs.await();
            task.cancel();
            core.awaitIdle(Long.MAX_VALUE);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(quiet);
        }
        assertTrue(reported.get() >= 3);
    }

    @Test
    void closingWaitsForOneThatRunsOnceAndEndsOneThatIsPeriodic() {
        var once = new AtomicInteger();
        core.schedule(once::incrementAndGet, 3_000_000, 0);
        DelayedTask periodic = core.schedule(() -> {}, 0, 100_000);
        core.close();
        assertEquals(1, once.get());
        assertTrue(periodic.isDone());
    }

    /** Cancels come at every point of the cycle: afterwards no further run starts, and no timer stays. */
    @Test
    void aCancelAtAnyMomentEndsThePeriod() throws Exception {
        for (int i = 0; i < 500; i++) {
            var runs = new AtomicInteger();
            DelayedTask task = core.schedule(runs::incrementAndGet, 0, 1);
            int wanted = i % 5;
            Crowd.until(() -> runs.get() >= wanted);
            assertTrue(task.cancel());
            core.awaitIdle(Long.MAX_VALUE);
            int seen = runs.get();
            Crowd.until(() -> core.numbers().timersSet() == 0);
            core.awaitIdle(Long.MAX_VALUE);
            assertEquals(seen, runs.get());
        }
    }
}
