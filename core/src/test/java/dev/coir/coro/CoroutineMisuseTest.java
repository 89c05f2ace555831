package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every misuse is refused with a text that helps, and harms nothing: the rightful owner can go on. */
class CoroutineMisuseTest {
    private final List<String> printed = new ArrayList<>();

    @Test
    void resumeWhenDoneIsRefused() {
        var co = Coroutine.of(() -> printed.add("ran"));
        co.resume();
        for (int i = 0; i < 2; i++) {
            var refusal = assertThrows(IllegalStateException.class, co::resume);
            assertEquals(
                    "resume of a coroutine that is done: Coroutine[DONE, confined to " + Thread.currentThread() + "]",
                    refusal.getMessage());
        }
        assertTrue(co.isDone());
        assertEquals(List.of("ran"), printed);
    }

    @Test
    void resumeAfterAFailureIsRefusedAndDoesNotThrowTheFailureAgain() {
        var co = Coroutine.of(() -> {
            throw new IllegalArgumentException("planted");
        });
        assertThrows(IllegalArgumentException.class, co::resume);
        var refusal = assertThrows(IllegalStateException.class, co::resume);
        assertTrue(refusal.getMessage().startsWith("resume of a coroutine that is done: "), refusal.getMessage());
    }

    @Test
    void resumeFromInsideItselfIsRefused() {
        Coroutine[] self = new Coroutine[1];
        self[0] = Coroutine.of(() -> {
            var refusal = assertThrows(IllegalStateException.class, self[0]::resume);
            assertEquals(
                    "resume of a running coroutine: Coroutine[RUNNING, confined to " + Thread.currentThread() + "]",
                    refusal.getMessage());
            Coroutine.suspend();
            printed.add("went on");
        });
        self[0].resume();
        assertFalse(self[0].isDone());
        self[0].resume();
        assertTrue(self[0].isDone());
        assertEquals(List.of("went on"), printed);
    }

    @Test
    void resumeOfAnOuterOneFromAnInnerOneIsRefused() {
        Coroutine[] outer = new Coroutine[1];
        var inner = Coroutine.of(() -> {
            assertThrows(IllegalStateException.class, outer[0]::resume);
            Coroutine.suspend();
            printed.add("inner");
        });
        outer[0] = Coroutine.of(() -> {
            inner.resume();
            Coroutine.suspend();
            inner.resume();
            printed.add("outer");
        });
        outer[0].resume();
        outer[0].resume();
        assertTrue(outer[0].isDone());
        assertEquals(List.of("inner", "outer"), printed);
    }

    @Test
    void resumeFromAnotherThreadThanTheFirstIsRefusedWhileSuspended() throws Exception {
        var co = twoSteps();
        co.resume();
        refusedOnAnotherThread(co);
        co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of("1", "2"), printed);
    }

    @Test
    void resumeFromAnotherThreadThanTheFirstIsRefusedWhileRunning() throws Exception {
        Coroutine[] self = new Coroutine[1];
        self[0] = Coroutine.of(() -> {
            try {
                refusedOnAnotherThread(self[0]);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            Coroutine.suspend();
            printed.add("went on");
        });
        self[0].resume();
        assertFalse(self[0].isDone());
        self[0].resume();
        assertEquals(List.of("went on"), printed);
    }

    @Test
    void resumeFromAnotherThreadThanTheFirstIsRefusedWhenDone() throws Exception {
        var co = Coroutine.of(() -> {});
        co.resume();
        refusedOnAnotherThread(co);
        assertTrue(co.isDone());
    }

    @Test
    void aVirtualThreadIsAnotherThreadThanItsCarrierOrStarter() throws Exception {
        var co = twoSteps();
        co.resume();
        Crowd.run(1, Thread.ofVirtual().factory(), i -> assertThrows(WrongThreadException.class, co::resume));
        co.resume();
        assertTrue(co.isDone());
    }

    private Coroutine twoSteps() {
        return Coroutine.of(() -> {
            printed.add("1");
            Coroutine.suspend();
            printed.add("2");
        });
    }

    private static void refusedOnAnotherThread(Coroutine co) throws Exception {
        Thread owner = Thread.currentThread();
        Crowd.onAnotherThread(i -> {
            var refusal = assertThrows(WrongThreadException.class, co::resume);
            assertEquals(
                    "a coroutine stays with the thread that first resumed it: " + owner + " (caller: "
                            + Thread.currentThread() + "); resume it there, or make one coroutine per thread",
                    refusal.getMessage());
        });
    }

    @Test
    void makingOneOnAThreadDoesNotConfineItThere() throws Exception {
        var co = twoSteps();
        Crowd.onAnotherThread(i -> {
            co.resume();
            co.resume();
        });
        assertTrue(co.isDone());
        assertEquals(List.of("1", "2"), printed);
    }

    @Test
    void suspendOutsideIsRefused() {
        var refusal = assertThrows(IllegalStateException.class, Coroutine::suspend);
        assertEquals(
                "suspend outside a coroutine: " + Thread.currentThread()
                        + " runs none; call it from the body given to Coroutine.of, on the thread that called resume",
                refusal.getMessage());
    }

    @Test
    void suspendOnAThreadThatTheBodyStartedIsRefused() {
        var co = Coroutine.of(() -> {
            try {
                Crowd.onAnotherThread(i -> {
                    assertFalse(Coroutine.isInside());
                    assertThrows(IllegalStateException.class, Coroutine::suspend);
                });
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            Coroutine.suspend();
            printed.add("went on");
        });
        co.resume();
        co.resume();
        assertEquals(List.of("went on"), printed);
    }

    @Test
    void suspendBetweenTwoResumesIsRefusedAndTheSuspendedOneUnharmed() {
        var co = twoSteps();
        co.resume();
        assertThrows(IllegalStateException.class, Coroutine::suspend);
        co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of("1", "2"), printed);
    }

    @Test
    void suspendInAClassInitialiserIsRefusedAndTheBodyCanGoOn() {
        var co = Coroutine.of(() -> {
            SuspendsWhenInitialised.touch();
            printed.add("initialised");
            assertTrue(Coroutine.isInside());
            Coroutine.suspend();
            printed.add("went on");
        });
        co.resume();
        assertFalse(co.isDone());
        assertEquals(List.of("initialised"), printed);
        co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of("initialised", "went on"), printed);

        Throwable refusal = SuspendsWhenInitialised.refusal.get();
        assertSame(IllegalStateException.class, refusal == null ? null : refusal.getClass());
        assertEquals(
                "cannot suspend this coroutine: a native frame lies on its stack (a class initialiser, or a call that came"
                        + " through native code); suspend outside of it",
                refusal.getMessage());
    }

    private static final class SuspendsWhenInitialised {
        static final AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();

        static {
            try {
                Coroutine.suspend();
            } catch (Throwable t) {
                refusal.set(t);
            }
        }

        static void touch() {}
    }

    @Test
    void suspendRefusedInAClassInitialiserAndNotCaughtEndsTheCoroutine() {
        var co = Coroutine.of(LetsTheRefusalOut::touch);
        var failure = assertThrows(ExceptionInInitializerError.class, co::resume);
        assertSame(IllegalStateException.class, failure.getCause().getClass());
        assertTrue(co.isDone());
        assertFalse(Coroutine.isInside());
    }

    private static final class LetsTheRefusalOut {
        static {
            Coroutine.suspend();
        }

        static void touch() {}
    }

    @Test
    void aCoroutineThatRunsWhollyInsideAClassInitialiserIsNotPinned() {
        RunsACoroutineWhenInitialised.touch();
        assertTrue(RunsACoroutineWhenInitialised.co.isDone());
    }

    private static final class RunsACoroutineWhenInitialised {
        static final Coroutine co = Coroutine.of(Coroutine::suspend);

        static {
            co.resume();
            co.resume();
        }

        static void touch() {}
    }

    @Test
    void aNullBodyIsRefused() {
        assertEquals(
                "body",
                assertThrows(NullPointerException.class, () -> Coroutine.of(null))
                        .getMessage());
    }

    @Test
    void ofTwoThreadsThatResumeFirstExactlyOneWins() throws Exception {
        int rounds = 3000;
        var coroutines = new ArrayList<Coroutine>();
        var starts = new AtomicInteger();
        for (int i = 0; i < rounds; i++) {
            coroutines.add(Coroutine.of(() -> {
                starts.incrementAndGet();
                Coroutine.suspend();
            }));
        }
        var refusals = new AtomicInteger();
        var ready = new AtomicInteger();
        Crowd.run(2, i -> {
            for (int round = 0; round < rounds; round++) {
                ready.incrementAndGet();
                meet(ready, 2 * (round + 1));
                var co = coroutines.get(round);
                try {
                    co.resume();
                    co.resume();
                    assertTrue(co.isDone());
                } catch (WrongThreadException e) {
                    refusals.incrementAndGet();
                }
            }
        });
        assertEquals(rounds, starts.get());
        assertEquals(rounds, refusals.get());
        assertTrue(coroutines.stream().allMatch(Coroutine::isDone));
    }

    /** Spins so that both leave at nearly the same time; gives way when the other has no processor. */
    private static void meet(AtomicInteger ready, int all) {
        for (int spins = 0; ready.get() < all; spins++) {
            if (spins < 2000) Thread.onSpinWait();
            else Thread.yield();
        }
    }

    @Test
    void aRefusedStrangerSeesTheOwnersEndThroughIsDone() throws Exception {
        var resumed = new CountDownLatch(1);
        var ended = new AtomicInteger();
        var co = Coroutine.of(() -> {
            Coroutine.suspend();
            ended.setPlain(1);
        });
        var owner = Crowd.start("owner", i -> {
            co.resume();
            resumed.countDown();
            co.resume();
        });
        resumed.await();
        assertThrows(WrongThreadException.class, co::resume);
        Crowd.until(co::isDone);
        assertEquals(1, ended.getPlain(), "what the body wrote is seen by who saw isDone");
        owner.get();
    }
}
