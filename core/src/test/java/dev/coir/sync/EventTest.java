package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventTest extends SyncContract {
    @Test
    void aManualOneLetsAllPassUntilItIsCleared() throws Exception {
        var event = Event.manual();
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) waiters.add(either(i, event::await));
        for (Running each : waiters) each.untilWaiting();
        second(event::signal).join();
        for (Running each : waiters) each.join();
        assertTrue(event.isSignalled());
        inFirst(event::await);
        inFirst(() -> assertTrue(event.await(Duration.ZERO)));
        assertTrue(event.tryAwait());
        assertTrue(event.isSignalled());
        event.clear();
        assertFalse(event.isSignalled());
        assertFalse(event.tryAwait());
        inFirst(() -> assertFalse(event.await(Duration.ZERO)));
        assertEquals("Event[manual, clear]", event.toString());
    }

    @Test
    void anAutomaticOneLetsOnePassPerSignal() throws Exception {
        var event = Event.auto();
        var passed = new AtomicInteger();
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(either(i, () -> {
                event.await();
                passed.incrementAndGet();
            }));
        }
        for (Running each : waiters) each.untilWaiting();
        for (int i = 1; i <= 4; i++) {
            int expected = i;
            second(event::signal).join();
            assertFalse(event.isSignalled());
            Crowd.until(() -> passed.get() == expected);
        }
        for (Running each : waiters) each.join();
    }

    @Test
    void anAutomaticOneKeepsOneSignalForTheNext() throws Exception {
        var event = Event.auto();
        second(() -> {
                    event.signal();
                    event.signal();
                })
                .join();
        assertTrue(event.isSignalled());
        assertEquals("Event[auto, signalled]", event.toString());
        inFirst(event::await);
        assertFalse(event.isSignalled());
        inFirst(() -> assertFalse(event.await(Duration.ofMillis(1))));
        event.signal();
        assertTrue(event.tryAwait());
        assertFalse(event.tryAwait());
        event.signal();
        event.clear();
        assertFalse(event.tryAwait());
    }

    @Test
    void twoPassABallToAndFro() throws Exception {
        var ping = Event.auto();
        var pong = Event.auto();
        int[] touched = {0}; // plain on purpose
        Running first = first(() -> {
            for (int i = 0; i < 200; i++) {
                ping.await();
                touched[0]++;
                pong.signal();
            }
        });
        Running second = second(() -> {
            for (int i = 0; i < 200; i++) {
                touched[0]++;
                ping.signal();
                pong.await();
            }
        });
        first.join();
        second.join();
        assertEquals(400, touched[0]);
    }

    @Test
    void anInterruptOrATimeOutEndsTheWait() throws Exception {
        for (Event event : List.of(Event.auto(), Event.manual())) {
            for (Body wait : List.<Body>of(event::await, () -> event.await(Duration.ofDays(1)))) {
                Running waiter = first(() -> assertInterrupted(wait::run));
                waiter.untilWaiting();
                waiter.interrupt();
                waiter.join();
            }
            inFirst(() -> {
                Thread.currentThread().interrupt();
                assertInterrupted(event::await);
                assertFalse(event.await(Duration.ofMillis(1)));
                event.signal();
                Thread.currentThread().interrupt();
                assertInterrupted(event::await);
                assertTrue(event.isSignalled(), "the interrupted one took nothing");
            });
        }
    }

    /** A signal meets one that is just being interrupted or late: it passes, or the signal is still there. */
    @Test
    void cancelRacingSignalKeepsTheSignal() throws Exception {
        var event = Event.auto();
        for (int round = 0; round < 20; round++) {
            boolean byTime = round % 2 == 0;
            var passed = new AtomicInteger();
            Running waiter = first(() -> {
                try {
                    if (byTime) {
                        if (!event.await(Duration.ofNanos(100_000))) return;
                    } else {
                        event.await();
                    }
                    passed.incrementAndGet();
                } catch (InterruptedException e) {
                    assertFalse(byTime);
                }
            });
            if (!byTime) waiter.untilWaiting();
            Running signals = second(event::signal);
            if (!byTime) waiter.interrupt();
            signals.join();
            waiter.join();
            assertEquals(1, passed.get() + (event.tryAwait() ? 1 : 0));
        }
    }

    @Test
    void anyIsSignalledByEachOfThem() throws Exception {
        for (int i = 0; i < 3; i++) {
            List<Event> events = List.of(Event.auto(), Event.manual(), Event.auto());
            Event any = Event.any(events.toArray(Event[]::new));
            assertFalse(any.isSignalled());
            Running waiter = first(any::await);
            waiter.untilWaiting();
            second(events.get(i)::signal).join();
            waiter.join();
            assertTrue(events.get(i).isSignalled(), "nothing was taken from it");
            assertFalse(any.isSignalled());
            events.get(i).signal();
            assertFalse(any.isSignalled(), "it was signalled already");
            events.get((i + 1) % 3).signal();
            assertTrue(any.isSignalled());
        }
    }

    @Test
    void anyOfASignalledOneIsSignalled() {
        var event = Event.manual();
        event.signal();
        assertTrue(Event.any(Event.auto(), event).isSignalled());
        assertFalse(Event.any().isSignalled());
        Event inner = Event.any(event);
        Event outer = Event.any(inner);
        assertTrue(outer.tryAwait());
        assertTrue(inner.tryAwait());
        event.clear();
        event.signal();
        assertTrue(outer.tryAwait());
    }

    /** The one in the middle is in nobody's hands. */
    @Test
    void anyOfAnAnyIsSignalledAlsoAfterAGarbageCollection() {
        var event = Event.auto();
        Event outer = Event.any(Event.any(Event.any(event)), Event.auto());
        collectGarbage();
        event.signal();
        assertTrue(outer.isSignalled());
    }

    /** A fiber that nobody holds on to waits for an event that nobody else knows. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void anyThatIsAwaitedIsNotLostToAGarbageCollection(Fiber.Kind kind) {
        var executor = new ManualExecutor();
        var event = Event.auto();
        var passed = new AtomicInteger();
        for (int depth = 1; depth <= 2; depth++) {
            startAndForget(executor, kind, depth, event, passed);
            executor.drain();
            collectGarbage();
            assertEquals(depth - 1, passed.get());
            event.signal();
            executor.drain();
            assertEquals(depth, passed.get());
            event.clear();
        }
    }

    private static void startAndForget(
            ManualExecutor executor, Fiber.Kind kind, int depth, Event event, AtomicInteger passed) {
        Fiber.builder().on(executor).kind(kind).start(() -> {
            Event any = Event.any(event, Event.auto());
            for (int i = 1; i < depth; i++) any = Event.any(any);
            any.await();
            return passed.incrementAndGet();
        });
    }

    /** What nobody waits for is garbage, also when somebody did. */
    @Test
    void anyThatWasAwaitedOnceIsGarbageWhenDropped() throws Exception {
        var event = Event.auto();
        var dropped = awaitAndForget(event);
        Crowd.until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        assertFalse(event.isSignalled());
    }

    private static WeakReference<Event> awaitAndForget(Event event) throws InterruptedException {
        Event any = Event.any(Event.any(event));
        assertFalse(any.await(Duration.ofMillis(1)));
        return new WeakReference<>(any);
    }

    private static void collectGarbage() {
        var canary = new WeakReference<>(new Object());
        Crowd.until(() -> {
            System.gc();
            return canary.get() == null;
        });
    }

    @Test
    void manyThatFollowAndAreForgottenCostLittle() {
        var event = Event.manual();
        for (int i = 0; i < 20_000; i++) Event.any(event);
        event.signal();
        assertTrue(event.isSignalled());
    }
}
