package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Threads that bind, wait, work and leave, at the worst moments. */
@SuppressWarnings({"try", "FutureReturnValueIgnored"}) // bindings are there to be closed; fibers are counted
class BoundThreadsStressTest {
    @Test
    void aBindingThatFindsNoRoomLeavesNothingBehind() {
        try (var scheduler = Scheduler.builder().workers(64).groups(1).start()) {
            assertThrows(IllegalStateException.class, scheduler::bind);
        }
    }

    /** A task that waits, run by a bound thread that waits: after the inner wait the outer one goes on working. */
    @Test
    void afterANestedWaitTheOuterOneStillCounts() throws Exception {
        try (var scheduler = Scheduler.start(0)) {
            var release = new CountDownLatch(1);
            var inner = new CountDownLatch(1);
            var thread = new AtomicReference<Thread>();
            var bound = Crowd.start("bound", i -> {
                thread.set(Thread.currentThread());
                try (var binding = scheduler.bind()) {
                    Fiber<?> last = Fiber.go(
                            scheduler,
                            () -> Fiber.blocking(() -> {
                                release.await();
                                return 0;
                            }));
                    scheduler.execute(() -> {
                        Fiber.go(scheduler, () -> 1).join();
                        inner.countDown();
                    });
                    last.join();
                }
            });
            inner.await();
            Crowd.untilWaiting(thread.get());
            assertTrue(scheduler.awaitIdle(Duration.ofSeconds(5)));
            release.countDown();
            bound.get();
        }
    }

    /** A local fiber can run nowhere else, so its thread stays bound until it has ended. */
    @Test
    void aLocalVirtualFiberKeepsItsThreadBound() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            var thread = new AtomicReference<Thread>();
            var left = new AtomicBoolean();
            Thread self = Thread.currentThread();
            FutureTask<?> waker;
            Fiber<Integer> fiber;
            try (var binding = scheduler.bind()) {
                fiber = Fiber.builder().on(scheduler).local(true).start(() -> {
                    thread.set(Thread.currentThread());
                    LockSupport.park();
                    return 7;
                });
                Fiber.builder().on(scheduler).local(true).start(() -> {}).join();
                Crowd.untilWaiting(thread.get());
                waker = Crowd.start("waker", i -> {
                    Crowd.until(() -> left.get()
                            || self.getState() == Thread.State.TIMED_WAITING
                            || self.getState() == Thread.State.WAITING);
                    LockSupport.unpark(thread.get());
                });
            }
            left.set(true);
            waker.get();
            assertEquals(7, fiber.get(5, TimeUnit.SECONDS));
        }
    }

    /** What a bound thread spawned and never waited for is run by others once it has left. */
    @Test
    void whatABoundThreadSpawnedIsNotLostWhenItLeaves() throws Exception {
        var ran = new AtomicInteger();
        try (var scheduler = Scheduler.start(1)) {
            var hold = new CountDownLatch(1);
            scheduler.execute(() -> Crowd.until(() -> hold.getCount() == 0));
            try (var binding = scheduler.bind()) {
                for (int i = 0; i < 10; i++) scheduler.execute(ran::incrementAndGet);
            }
            hold.countDown();
        }
        assertEquals(10, ran.get());
    }

    /** Outside spawns of local fibers race with the thread that leaves: each is refused or runs. */
    @Test
    void localFibersFromOutsideAreNotLostWhenTheThreadLeaves() throws Exception {
        for (int round = 0; round < 300; round++) {
            try (var scheduler = Scheduler.start(0)) {
                int accepted = 0;
                var ran = new AtomicInteger();
                var bound = new CountDownLatch(1);
                var leaving = Crowd.start("bound", i -> {
                    try (var binding = scheduler.bind()) {
                        bound.countDown();
                        Fiber.go(scheduler, () -> 1).join();
                    }
                });
                bound.await();
                for (int i = 0; i < 20; i++) {
                    try {
                        Fiber.builder().on(scheduler).local(true).start((Runnable) ran::incrementAndGet);
                        accepted++;
                    } catch (IllegalStateException | RejectedExecutionException noThread) {
                        break;
                    }
                }
                leaving.get();
                try (var binding = scheduler.bind()) {
                    Fiber.go(scheduler, () -> 1).join();
                }
                assertEquals(accepted, ran.get(), "round " + round);
            }
        }
    }

    /** In a group without threads nobody would run tasks. */
    @Test
    void aSchedulerWithoutThreadsHasOneGroup() {
        var builder = Scheduler.builder().workers(0).groups(2);
        assertThrows(IllegalArgumentException.class, builder::start);
    }

    @Test
    void aBoundThreadWorksWhileItAwaitsIdleness() throws Exception {
        try (var scheduler = Scheduler.start(0)) {
            try (var binding = scheduler.bind()) {
                var ran = new AtomicInteger();
                for (int i = 0; i < 100; i++) scheduler.execute(ran::incrementAndGet);
                assertTrue(scheduler.awaitIdle(Duration.ofSeconds(5)));
                assertEquals(100, ran.get());
            }
        }
    }

    @Test
    void closingASchedulerWithoutThreadsRunsWhatIsLeft() throws Exception {
        var ran = new AtomicInteger();
        try (var scheduler = Scheduler.start(0)) {
            scheduler.execute(ran::incrementAndGet);
            Fiber.go(scheduler, () -> {
                Fiber.sleep(Duration.ofMillis(1));
                return ran.incrementAndGet();
            });
        }
        assertEquals(2, ran.get());
    }

    @Test
    void aTaskCannotEndTheBindingOfTheThreadThatRunsIt() throws Exception {
        try (var scheduler = Scheduler.start(0)) {
            var refused = new AtomicBoolean();
            try (var binding = scheduler.bind()) {
                var done = new CountDownLatch(1);
                scheduler.execute(() -> {
                    try {
                        binding.close();
                    } catch (IllegalStateException e) {
                        refused.set(true);
                    }
                    done.countDown();
                });
                Fiber.go(scheduler, () -> 1).join();
            }
            assertTrue(refused.get());
        }
    }

    /** The bound thread leaves the poller when its time is up: somebody else must serve the timers from then on. */
    @Test
    void timersGoOnWhenTheThreadThatServedThemLeaves() throws Exception {
        for (int round = 0; round < 30; round++) {
            try (var scheduler = Scheduler.start(1)) {
                var hold = new CountDownLatch(1);
                var polling = new CountDownLatch(1);
                scheduler.execute(() -> {
                    polling.countDown();
                    try {
                        hold.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                polling.await();
                var sleeper = new AtomicReference<Fiber<Integer>>();
                Crowd.onAnotherThread(i -> {
                    try (var binding = scheduler.bind()) {
                        sleeper.set(Fiber.go(scheduler, () -> {
                            Fiber.sleep(Duration.ofMillis(60));
                            return 1;
                        }));
                        scheduler.schedule(hold::countDown, Duration.ofMillis(1));
                        Fiber.sleep(Duration.ofMillis(20));
                    }
                });
                assertEquals(1, sleeper.get().join());
            }
        }
    }

    /** Sixteen threads bind, join and leave while others spawn: nothing is lost, and the scheduler closes. */
    @Test
    void threadsThatComeAndGoLoseNothing() throws Exception {
        try (var scheduler = Scheduler.start(2)) {
            var ran = new AtomicInteger();
            Crowd.run(16, index -> {
                for (int i = 0; i < 200; i++) {
                    var kind = (i + index) % 2 == 0 ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
                    if (index % 2 == 0) {
                        Fiber.builder()
                                .on(scheduler)
                                .kind(kind)
                                .start((Runnable) ran::incrementAndGet)
                                .join();
                        continue;
                    }
                    try (var binding = scheduler.bind()) {
                        Fiber.builder()
                                .on(scheduler)
                                .kind(kind)
                                .start(() -> {
                                    Fiber.yield();
                                    if (ran.incrementAndGet() % 16 == 0) Fiber.sleep(Duration.ofNanos(1));
                                    return null;
                                })
                                .join();
                    }
                }
            });
            assertEquals(3200, ran.get());
        }
    }
}
