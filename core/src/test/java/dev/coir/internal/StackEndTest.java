package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.channel.Channel;
import dev.coir.channel.Select;
import dev.coir.coro.Coroutine;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber;
import dev.coir.parallel.TicketQueue;
import dev.coir.sync.Event;
import dev.coir.sync.Latch;
import dev.coir.sync.Mutex;
import dev.coir.sync.Once;
import dev.coir.sync.RwLock;
import dev.coir.sync.Semaphore;
import dev.coir.sync.WaitGroup;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.WakeAtTheEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whose stack ends while it uses something that others use as well hears of it, by a StackOverflowError; the others do not. Each
 * test lets somebody use a thing with no room at all, and with ever more, up to where there is enough: first as the code is,
 * then when much of it is compiled. After that the others go on. Guards StackRoom's O1 and O2.
 */
class StackEndTest {
    private static final int STACK_BYTES = 256 << 10;
    private static final int LEVELS = 500; // of at least 32 bytes each
    private static final int UNTIL_COMPILED = 10_000;

    /** Whose stack ends. */
    enum Whose {
        THREAD,
        VIRTUAL_FIBER,
        LIGHT_FIBER
    }

    private interface Use {
        void run() throws Exception;
    }

    /** The JDK must not initialize this where a stack ends: it would find no class of its own any more. */
    @BeforeAll
    static void initialize() {
        assertNotNull(ClassLoader.getSystemResource("java/lang/Object.class"));
    }

    private final Scheduler small =
            Scheduler.builder().workers(1).workerStackSize(STACK_BYTES).start();
    private final Scheduler others = Scheduler.start(2);
    private final AtomicBoolean enough = new AtomicBoolean();

    @AfterEach
    void close() {
        small.close();
        others.close();
    }

    // ---- who has, and who gives back --------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aMutexIsFreeAgain(Whose stack) throws Exception {
        for (boolean fair : new boolean[] {false, true}) {
            enough.set(false);
            var mutex = new Mutex(fair);
            Use use = () -> {
                mutex.lock();
                mutex.unlock();
            };
            Fiber<?> other = others(() -> {
                use.run();
                Fiber.yield();
            });
            endOf(stack, use);
            finish(other, () -> {});
            assertFalse(mutex.isLocked());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSemaphoreHasAllItsPermits(Whose stack) throws Exception {
        var semaphore = new Semaphore(1);
        Use use = () -> {
            semaphore.acquire();
            semaphore.release();
        };
        Fiber<?> other = others(() -> {
            use.run();
            Fiber.yield();
        });
        endOf(stack, use);
        finish(other, () -> {});
        assertEquals(1, semaphore.availablePermits());
    }

    @ParameterizedTest
    @EnumSource
    void aReadWriteLockIsFreeAgain(Whose stack) throws Exception {
        var lock = new RwLock();
        Use use = () -> {
            lock.readLock().lock();
            lock.readLock().unlock();
            lock.writeLock().lock();
            lock.writeLock().unlock();
        };
        Fiber<?> other = others(() -> {
            use.run();
            Fiber.yield();
        });
        endOf(stack, use);
        finish(other, () -> {});
        assertTrue(lock.writeLock().tryLock());
    }

    /** The worker that was handed off is got back, or the next of its fibers would wait for ever. */
    @ParameterizedTest
    @EnumSource
    void aWorkerComesBackFromABlockingCall(Whose stack) throws Exception {
        endOf(stack, () -> Fiber.blocking(() -> 1));
        Fiber.go(small, () -> {}).get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void aTicketQueueGoesOn(Whose stack) throws Exception {
        var queue = new TicketQueue();
        var taken = new TicketQueue.@Nullable Ticket[1];
        endOf(stack, () -> {
            if (taken[0] == null) taken[0] = queue.take();
            taken[0].done(); // or by the next: nothing has changed then
            taken[0] = null;
        });
        elsewhere(() -> queue.take().await());
    }

    // ---- who waits --------------------------------------------------------------------------------------------------

    /** A fiber whose stack ended in a wait is not taken for one that waits still. */
    @ParameterizedTest
    @EnumSource
    void whoCouldNotSleepCanLater(Whose stack) throws Exception {
        endOf(stack, StackEndTest::sleep);
        Fiber.go(small, () -> {}).get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void whoCouldNotYieldCanLater(Whose stack) throws Exception {
        endOf(stack, Fiber::yield);
        Fiber.go(small, () -> {}).get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void whoCouldNotWaitCanLater(Whose stack) throws Exception {
        var never = new Latch(1);
        endOf(stack, () -> never.await(1, TimeUnit.MICROSECONDS));
        Fiber.go(small, () -> {}).get(10, TimeUnit.SECONDS);
    }

    /** Nor is it given what it could not wait for. */
    @ParameterizedTest
    @EnumSource
    void nobodyStandsInAChannelWhoCouldNotWait(Whose stack) throws Exception {
        Channel<Integer> empty = Channel.rendezvous();
        endOf(stack, () -> empty.receive(Duration.ofNanos(1_000)));
        elsewhere(() -> assertFalse(empty.trySend(1)));
        endOf(stack, () -> empty.send(1, Duration.ofNanos(1_000)));
        elsewhere(() -> assertTrue(empty.tryReceive().isEmpty()));
        endOf(
                stack,
                () -> Select.select(empty.onReceive(each -> each), Select.timeout(Duration.ofNanos(1_000), () -> 0)));
        elsewhere(() -> assertFalse(empty.trySend(1)));
    }

    /** A value is sent if, and only if, somebody has received it; also when there was no room to wait for it any more. */
    @ParameterizedTest
    @EnumSource
    void aValueIsReceivedIfItWasSent(Whose stack) throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        var count = new int[2]; // sent by one, received by the other
        assertEquals(
                counted(() -> channel.trySend(1), () -> endOf(stack, () -> count[0] += channel.receive())), count[0]);
        assertEquals(
                counted(
                        () -> channel.tryReceive().isPresent(),
                        () -> endOf(stack, () -> {
                            channel.send(1);
                            count[1]++;
                        })),
                count[1]);
    }

    /** How often somebody else succeeds meanwhile. */
    private static int counted(BooleanSupplier attempt, Use meanwhile) throws Exception {
        var over = new AtomicBoolean();
        var other = new FutureTask<>(() -> {
            int times = 0;
            while (!over.get()) {
                if (attempt.getAsBoolean()) times++;
                else Thread.onSpinWait();
            }
            return times;
        });
        new Thread(other, "other").start();
        try {
            meanwhile.run();
        } finally {
            over.set(true);
        }
        return other.get();
    }

    /** The JVM does not survive a stack for which there is no room where it is entered again. */
    @ParameterizedTest
    @EnumSource
    void aCoroutineIsResumedOrRefused(Whose stack) throws Exception {
        Coroutine[] resumed = {forever()};
        endOf(stack, () -> {
            if (resumed[0].isDone()) resumed[0] = forever(); // its stack ended inside
            resumed[0].resume();
        });
    }

    private static Coroutine forever() {
        return Coroutine.of(() -> suspendBelow(40));
    }

    private static void suspendBelow(int levels) {
        if (levels > 0) suspendBelow(levels - 1);
        else while (true) Coroutine.suspend();
    }

    /** Nor is a fiber lost that is run where there is no room for it. (A LIGHT one is refused by a virtual thread.) */
    @ParameterizedTest
    @CsvSource({
        "THREAD, VIRTUAL",
        "THREAD, LIGHT",
        "VIRTUAL_FIBER, VIRTUAL",
        "LIGHT_FIBER, VIRTUAL",
        "LIGHT_FIBER, LIGHT"
    })
    void aFiberOverAManualExecutorGoesOn(Whose stack, Fiber.Kind kind) throws Exception {
        var manual = new ManualExecutor();
        Fiber<?> driven = Fiber.builder().on(manual).kind(kind).start(() -> {
            while (!enough.get()) Fiber.yield();
            return null;
        });
        on(stack, () -> {
            coldAndHot(manual::runNext);
            enough.set(true);
            while (!driven.isDone()) {
                manual.runNext();
                Fiber.yield();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCoroutineThatCouldNotSuspendCanLater(Whose stack) throws Exception {
        Coroutine deep = Coroutine.of(() -> {
            try {
                coldAndHot(Coroutine::suspend);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        on(stack, () -> {
            while (!deep.isDone()) deep.resume();
        });
    }

    // ---- who tells others -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aChannelReachesItsReceiver(Whose stack) throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        Fiber<?> other = Fiber.builder().on(others).start(() -> {
            while (channel.receive() != 0) {}
            return null;
        });
        endOf(stack, () -> channel.trySend(1));
        finish(other, () -> channel.send(0));
    }

    @ParameterizedTest
    @EnumSource
    void aBufferedChannelCanBeUsed(Whose stack) throws Exception {
        Channel<Integer> channel = Channel.buffered(2);
        endOf(stack, () -> {
            channel.trySend(1);
            channel.tryReceive();
        });
        elsewhere(() -> {
            while (channel.tryReceive().isPresent()) {}
            for (int i = 0; i < 2; i++) assertTrue(channel.trySend(1));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theChannelsOfASelectCanBeUsed(Whose stack) throws Exception {
        Channel<Integer> one = Channel.buffered(1);
        Channel<Integer> two = Channel.buffered(1);
        endOf(
                stack,
                () -> Select.select(
                        one.onReceive(each -> each), two.onReceive(each -> each), Select.otherwise(() -> 0)));
        elsewhere(() -> {
            one.send(1);
            two.send(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForPermitsGetsThem(Whose stack) throws Exception {
        var semaphore = new Semaphore(0);
        Fiber<?> other = others(semaphore::acquire);
        endOf(stack, semaphore::release);
        finish(other, semaphore::release);
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForAnEventHearsOfIt(Whose stack) throws Exception {
        Event event = Event.auto();
        Event following = Event.any(event);
        Fiber<?> other = others(event::await);
        Fiber<?> follower = others(following::await);
        endOf(stack, event::signal);
        Use last = () -> {
            event.clear(); // else it might be signalled already, and tell nobody
            event.signal();
        };
        finish(other, last);
        finish(follower, last);
    }

    @ParameterizedTest
    @EnumSource
    void aFiberOverAStrandHearsOfAnEvent(Whose stack) throws Exception {
        Event event = Event.auto();
        Fiber<?> other = Fiber.builder().on(Strand.over(others)).start(() -> {
            while (!enough.get()) event.await();
            return null;
        });
        endOf(stack, event::signal);
        finish(other, event::signal);
    }

    /** Which way those who wake begin depends on what the JIT has seen; once it took the start of a fiber for a part of it. */
    @Test
    void aFiberOverAStrandHearsOfAnEventThoughMostWereOnlyStarted() throws Exception {
        List<String> flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.add("-Xbatch");
        ChildJvm child = ChildJvm.run(flags, WakeAtTheEnd.class);
        assertEquals("woken", child.output().strip());
    }

    /** Its scheduler is a fiber whose executor has virtual threads only, so one of the common scheduler's must carry it. */
    @ParameterizedTest
    @EnumSource
    void aThreadStartedAboveVirtualThreadsHearsOfAnEvent(Whose stack) throws Exception {
        Event event = Event.auto();
        Executor virtual = task -> Thread.ofVirtual().start(task);
        Thread inside = Fiber.builder()
                .on(virtual)
                .start(() -> Thread.startVirtualThread(() -> {
                    try {
                        while (!enough.get()) event.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }))
                .join();
        endOf(stack, event::signal);
        enough.set(true);
        elsewhere(event::signal);
        inside.join();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForALatchHearsOfIt(Whose stack) throws Exception {
        List<Latch> latches = new ArrayList<>();
        List<Fiber<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 2 * LEVELS; i++) {
            var latch = new Latch(1);
            latches.add(latch);
            waiting.add(Fiber.builder().on(others).start(() -> {
                latch.await();
                return null;
            }));
        }
        int[] opened = {0};
        endOf(stack, () -> {
            if (opened[0] < latches.size()) latches.get(opened[0]).countDown();
            opened[0]++;
        });
        for (int i = opened[0]; i < latches.size(); i++) latches.get(i).countDown();
        for (Fiber<?> each : waiting) each.join();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForAGroupHearsOfIt(Whose stack) throws Exception {
        var group = new WaitGroup();
        Fiber<?> other = others(group::await);
        endOf(stack, () -> {
            group.add(1);
            group.done();
        });
        finish(other, () -> assertEquals(0, group.count()));
    }

    @ParameterizedTest
    @EnumSource
    void whatHappensOnceIsNotWaitedForInVain(Whose stack) throws Exception {
        var once = new Once[] {new Once()};
        endOf(stack, () -> once[0].run(() -> {}));
        elsewhere(() -> once[0].run(() -> {}));
        assertTrue(once[0].isDone());
    }

    // ---- the runtime itself -----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void timersFire(Whose stack) throws Exception {
        endOf(stack, () -> others.schedule(() -> {}, Duration.ofNanos(1)));
        Fiber.builder().on(others).start(StackEndTest::sleep).join();
    }

    @ParameterizedTest
    @EnumSource
    void fibersStartAndSuspend(Whose stack) throws Exception {
        for (Fiber.Kind kind : Fiber.Kind.values()) {
            endOf(stack, () -> Fiber.builder().on(others).kind(kind).start(() -> Fiber.yield()));
            Fiber.builder().on(others).kind(kind).start(StackEndTest::sleep).join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStrandGoesOn(Whose stack) throws Exception {
        Strand strand = Strand.over(others);
        endOf(stack, () -> strand.execute(() -> {}));
        var last = new Latch(1);
        strand.execute(last::countDown);
        last.await();
    }

    private static @Nullable Void sleep() throws InterruptedException {
        Fiber.sleep(Duration.ofNanos(1));
        return null;
    }

    // ---- the end of a stack -----------------------------------------------------------------------------------------

    private void endOf(Whose stack, Use use) throws Exception {
        on(stack, () -> coldAndHot(use));
    }

    private void on(Whose stack, Use body) throws Exception {
        switch (stack) {
            case THREAD -> {
                var task = new FutureTask<@Nullable Void>(() -> run(body));
                new Thread(null, task, "deep", STACK_BYTES).start();
                task.get();
            }
            case VIRTUAL_FIBER -> onFiber(Fiber.Kind.VIRTUAL, body);
            case LIGHT_FIBER -> onFiber(Fiber.Kind.LIGHT, body);
        }
    }

    private void onFiber(Fiber.Kind kind, Use body) throws Exception {
        Fiber.builder().on(small).kind(kind).start(() -> run(body)).get();
    }

    private static @Nullable Void run(Use body) throws Exception {
        body.run();
        return null;
    }

    private static void coldAndHot(Use use) throws Exception {
        use.run(); // what is linked and initialized at first is none of our business
        atEveryDepth(use);
        for (int i = 0; i < UNTIL_COMPILED; i++) use.run();
        atEveryDepth(use);
    }

    /** Goes down to the end and uses it on the way back. @return how many levels above the end it is */
    @SuppressWarnings("InfiniteRecursion")
    private static int atEveryDepth(Use use) throws Exception {
        int above;
        try {
            above = atEveryDepth(use) + 1;
        } catch (StackOverflowError end) {
            above = 0;
        }
        try {
            if (above < LEVELS) use.run();
        } catch (StackOverflowError tooDeep) {
            return above;
        }
        return above;
    }

    // ---- the others -------------------------------------------------------------------------------------------------

    private Fiber<?> others(Use again) {
        return Fiber.builder().on(others).start(() -> {
            while (!enough.get()) again.run();
            return null;
        });
    }

    private void finish(Fiber<?> other, Use last) throws Exception {
        enough.set(true);
        elsewhere(last);
        other.join();
    }

    private void elsewhere(Use use) throws Exception {
        Fiber.builder()
                .on(others)
                .start(() -> {
                    use.run();
                    return null;
                })
                .get();
    }
}
