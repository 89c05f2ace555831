package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Semaphore;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Fibers of kind VIRTUAL whose slices are run, parked and yielded by the JDK and by Coir in turn. */
class ThreadSwitchTest {
    private static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();
    private static final int ROUNDS = 20_000; // enough for the JIT

    private static void onFibers(int workers, int fibers, Callable<?> body) throws Exception {
        try (var scheduler = Scheduler.start(workers)) {
            List<Fiber<?>> started = new ArrayList<>();
            for (int i = 0; i < fibers; i++) started.add(Fiber.go(scheduler, body));
            for (Fiber<?> each : started) each.get();
        }
    }

    @Test
    void theThreadIsTheSameAfterEverySuspension() throws Exception {
        onFibers(2, 8, () -> {
            Thread self = Thread.currentThread();
            Fiber<?> fiber = Fiber.current();
            for (int i = 0; i < ROUNDS; i++) {
                if (i % 3 == 0) Thread.yield();
                else Fiber.yield();
                assertSame(self, Thread.currentThread());
                assertSame(fiber, Fiber.current());
            }
            return null;
        });
    }

    @Test
    void aTaskOnTheCarrierNeverTakesItselfForAVirtualThread() throws Exception { // W1 of ThreadRow
        var wrong = new ConcurrentLinkedQueue<String>();
        try (var scheduler = Scheduler.start(2)) {
            var left = new AtomicInteger(ROUNDS);
            var task = new AtomicReference<Runnable>();
            task.set(() -> {
                if (Thread.currentThread().isVirtual())
                    wrong.add(Thread.currentThread().toString());
                if (left.getAndDecrement() > 0) scheduler.execute(task.get());
            });
            scheduler.execute(task.get());
            Fiber<?> fiber = Fiber.go(scheduler, () -> {
                while (left.get() > 0) {
                    Fiber.yield();
                    if (!Thread.currentThread().isVirtual()) wrong.add("a fiber on " + Thread.currentThread());
                }
            });
            fiber.get();
        }
        assertEquals(List.of(), List.copyOf(wrong));
    }

    @Test
    void everyWayToWaitMayFollowEveryOther() throws Exception {
        var monitor = new Object();
        var permits = new Semaphore(2);
        onFibers(2, 6, () -> {
            for (int i = 0; i < 2_000; i++) {
                switch (i % 6) {
                    case 0 -> Fiber.yield();
                    case 1 -> {
                        permits.acquire();
                        permits.release();
                    }
                    case 2 -> {
                        synchronized (monitor) {
                            monitor.wait(0, 1_000);
                        }
                    }
                    case 3 -> LockSupport.parkNanos(1_000);
                    case 4 -> Thread.sleep(Duration.ofNanos(1_000));
                    default -> Fiber.sleep(Duration.ofNanos(1_000));
                }
            }
            return null;
        });
    }

    /** Coir moves a parked thread on by its state alone, the JDK by permit and state; who reads a stack holds it meanwhile. */
    @Test
    void aWakeUpIsNotLostBesideOthersAndReadersOfTheStack() throws Exception { // T4
        var permits = new Semaphore(0);
        try (var scheduler = Scheduler.start(2)) {
            Fiber<?> waits = Fiber.go(scheduler, () -> {
                for (int i = 0; i < ROUNDS; i++) permits.acquire();
                return null;
            });
            Thread waiting = waits.thread().orElseThrow();
            Thread disturbs = Thread.ofPlatform().start(() -> {
                for (int i = 0; !waits.isDone(); i++) {
                    LockSupport.unpark(waiting);
                    if (i % 16 == 0) waiting.getStackTrace();
                }
            });
            for (int i = 0; i < ROUNDS; i++) {
                permits.release();
                if (i % 64 == 0) Fiber.go(scheduler, () -> {}).get(); // the workers sleep, or are about to
            }
            waits.get();
            disturbs.join();
        }
        assertEquals(0, permits.availablePermits());
    }

    @Test
    void aPermitGivenBeforehandIsUsedUpOnce() throws Exception {
        onFibers(1, 1, () -> {
            LockSupport.unpark(Thread.currentThread());
            var none = new Semaphore(0);
            assertFalse(none.tryAcquire(1, TimeUnit.MILLISECONDS)); // parks, in spite of the permit
            return null;
        });
    }

    @Test
    void anInterruptEndsAParkAndIsNotSeenByTheNextFiber() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            for (int i = 0; i < 2_000; i++) {
                var never = new Semaphore(0);
                Fiber<Boolean> victim = Fiber.go(scheduler, () -> {
                    try {
                        never.acquire();
                        return false;
                    } catch (InterruptedException e) {
                        return !Thread.currentThread().isInterrupted();
                    }
                });
                Fiber<Boolean> bystander = Fiber.go(scheduler, () -> {
                    Fiber.yield();
                    return Thread.currentThread().isInterrupted();
                });
                Fiber.go(scheduler, () -> victim.thread().orElseThrow().interrupt());
                assertTrue(victim.get());
                assertFalse(bystander.get());
            }
        }
    }

    /** A LIGHT fiber takes an interrupt of its carrier for its own. */
    @Test
    void anInterruptThatComesWhileTheThreadIsLeftDoesNotReachTheCarriersNextFiber() throws Exception { // T6
        var stop = new AtomicBoolean();
        var astray = new AtomicInteger();
        try (var scheduler = Scheduler.start(1)) {
            Fiber<?> leaves = Fiber.go(scheduler, () -> {
                for (int i = 0; !stop.get(); i++) {
                    if (i % 2 == 0) Fiber.yield();
                    else LockSupport.park(); // the interrupt, or its permit, ends it
                    Thread.interrupted();
                }
            });
            Fiber<?> next = Fiber.builder().on(scheduler).kind(Fiber.Kind.LIGHT).start(() -> {
                while (!stop.get()) {
                    try {
                        Fiber.sleep(Duration.ZERO); // throws if there is an interrupt
                    } catch (InterruptedException e) {
                        astray.incrementAndGet();
                    }
                    Fiber.yield();
                }
            });
            Thread left = leaves.thread().orElseThrow();
            for (int i = 0; i < 20 * ROUNDS; i++) left.interrupt();
            stop.set(true);
            left.interrupt();
            leaves.get();
            next.get();
        }
        assertEquals(0, astray.get());
    }

    @Test
    void whoMakesTheFirstFiberKeepsItsInterrupt() { // preparing makes its thread a carrier: T5
        Thread.currentThread().interrupt();
        ThreadSwitch.rows(MethodHandles.empty(MethodType.methodType(Thread.class, Thread.class, Object.class)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void scopedValuesStayRightWhoeverRunsTheNextSlice() throws Exception { // W3 of ThreadRow
        onFibers(2, 8, () -> {
            for (int i = 0; i < 2_000; i++) {
                int depth = i;
                ScopedValue.where(DEPTH, depth).call(() -> {
                    assertEquals(depth, DEPTH.get());
                    Fiber.yield();
                    assertEquals(depth, DEPTH.get());
                    LockSupport.parkNanos(1); // a slice that the JDK runs
                    assertEquals(depth, DEPTH.get());
                    ScopedValue.where(DEPTH, -depth).run(() -> {
                        assertEquals(-depth, DEPTH.get());
                        Fiber.yield();
                        assertEquals(-depth, DEPTH.get());
                    });
                    LockSupport.parkNanos(1);
                    assertEquals(depth, DEPTH.get());
                    return null;
                });
            }
            return null;
        });
    }

    @Test
    void aFiberMayWaitInsideACoroutine() throws Exception { // which must be left before the thread
        var permits = new Semaphore(1);
        onFibers(2, 4, () -> {
            for (int i = 0; i < 1_000; i++) {
                var steps = new AtomicInteger();
                var coroutine = Coroutine.of(() -> {
                    for (int k = 0; k < 3; k++) {
                        Fiber.yield();
                        permits.acquireUninterruptibly();
                        Fiber.yield();
                        permits.release();
                        steps.incrementAndGet();
                        Coroutine.suspend();
                    }
                });
                while (!coroutine.isDone()) coroutine.resume();
                assertEquals(3, steps.get());
            }
            return null;
        });
    }

    @Test
    void aFiberThatCannotBeLeftParksItsCarrier() throws Exception {
        try (var scheduler = Scheduler.start(2)) {
            var gate = new Semaphore(0);
            Fiber<Boolean> pinned = Fiber.go(scheduler, () -> {
                boolean stays = Stack.stay(); // as a native frame would
                try {
                    Fiber.yield();
                    gate.acquire();
                    return stays;
                } finally {
                    Stack.mayLeave(stays);
                }
            });
            Fiber.go(scheduler, () -> gate.release());
            assertTrue(pinned.get());
        }
    }
}
