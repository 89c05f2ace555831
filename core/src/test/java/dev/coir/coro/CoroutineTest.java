package dev.coir.coro;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a coroutine promises to one thread that uses it rightly. */
class CoroutineTest {
    private final List<String> printed = new ArrayList<>();

    @Test
    void theFourStepExamplePrintsItsSteps() {
        fourSteps();
    }

    private void fourSteps() {
        var co = Coroutine.of(() -> {
            printed.add("Step 2");
            Coroutine.suspend();
            printed.add("Step 4");
        });
        printed.add("Step 1");
        co.resume();
        printed.add("Step 3");
        co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of("Step 1", "Step 2", "Step 3", "Step 4"), printed);
    }

    @Test
    void makingOneDoesNotStartIt() {
        var co = Coroutine.of(() -> printed.add("ran"));
        assertEquals(List.of(), printed);
        assertFalse(co.isDone());
        assertFalse(Coroutine.isInside());
    }

    @Test
    void isDoneTurnsTrueAtTheEndAndNotBefore() {
        var done = new ArrayList<Boolean>();
        Coroutine[] self = new Coroutine[1];
        var co = Coroutine.of(() -> {
            done.add(self[0].isDone());
            Coroutine.suspend();
            done.add(self[0].isDone());
        });
        self[0] = co;
        co.resume();
        assertFalse(co.isDone());
        co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of(false, false), done);
    }

    @Test
    void isInsideIsTrueInTheBodyOnly() {
        var co = Coroutine.of(() -> {
            assertTrue(Coroutine.isInside());
            Coroutine.suspend();
            assertTrue(Coroutine.isInside());
        });
        assertFalse(Coroutine.isInside());
        co.resume();
        assertFalse(Coroutine.isInside());
        co.resume();
        assertFalse(Coroutine.isInside());
    }

    @Test
    void suspendsAThousandCallsDeepAndReturnsThroughAllOfThem() {
        var sum = new AtomicInteger();
        var co = Coroutine.of(() -> sum.set(descend(1000)));
        co.resume();
        assertFalse(co.isDone());
        assertEquals(0, sum.get());
        co.resume();
        assertTrue(co.isDone());
        assertEquals(1000 * 1001 / 2, sum.get());
    }

    private static int descend(int depth) {
        if (depth > 0) return depth + descend(depth - 1);
        Coroutine.suspend();
        return 0;
    }

    @Test
    void suspendsAtEveryLevelOnTheWayDownAndUp() {
        var co = Coroutine.of(() -> suspendAtEveryLevel(200));
        int resumes = 0;
        while (!co.isDone()) {
            co.resume();
            resumes++;
        }
        assertEquals(2 * 200 + 1, resumes);
    }

    private static void suspendAtEveryLevel(int depth) {
        if (depth == 0) return;
        Coroutine.suspend();
        suspendAtEveryLevel(depth - 1);
        Coroutine.suspend();
    }

    @Test
    void localsOfEveryTypeSurviveManySuspensions() {
        var seen = new ArrayList<Object>();
        var co = Coroutine.of(() -> {
            int i = 1;
            long l = 1L << 40;
            float f = 0.5f;
            double d = Math.PI;
            Object o = "object";
            byte[] array = {1, 2, 3};
            for (int round = 0; round < 5000; round++) {
                Coroutine.suspend();
                i += round;
                l ^= round;
                d += 1;
                array[round % 3]++;
            }
            seen.addAll(List.of(i, l, f, d, o, Arrays.hashCode(array)));
        });
        while (!co.isDone()) co.resume();

        int i = 1;
        long l = 1L << 40;
        double d = Math.PI;
        byte[] array = {1, 2, 3};
        for (int round = 0; round < 5000; round++) {
            i += round;
            l ^= round;
            d += 1;
            array[round % 3]++;
        }
        assertEquals(List.of(i, l, 0.5f, d, "object", Arrays.hashCode(array)), seen);
    }

    @Test
    void aRuntimeExceptionLeavesResumeAndItIsDone() {
        leavesResume(new IllegalArgumentException("planted"));
    }

    @Test
    void aCheckedExceptionThrownSneakilyLeavesResumeUnwrapped() {
        leavesResume(new IOException("planted"));
    }

    @Test
    void anErrorLeavesResume() {
        leavesResume(new AssertionError("planted"));
    }

    private static void leavesResume(Throwable planted) {
        var co = Coroutine.of(() -> {
            Coroutine.suspend();
            CoroutineTest.<RuntimeException>sneak(planted);
        });
        co.resume();
        assertSame(planted, assertThrows(planted.getClass(), co::resume));
        assertTrue(co.isDone());
        assertFalse(Coroutine.isInside());
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable t) throws X {
        throw (X) t;
    }

    @Test
    void aStackOverflowInsideTheBodyLeavesResumeAndTheNextCoroutineIsFine() {
        var co = Coroutine.of(() -> overflow(1));
        assertThrows(StackOverflowError.class, co::resume);
        assertTrue(co.isDone());
        assertFalse(Coroutine.isInside());
        fourSteps();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    @Test
    void aStackOverflowCaughtInTheBodyDoesNotHinderSuspending() {
        var co = Coroutine.of(() -> {
            assertThrows(StackOverflowError.class, () -> overflow(1));
            Coroutine.suspend();
            printed.add("went on");
        });
        co.resume();
        co.resume();
        assertEquals(List.of("went on"), printed);
    }

    @Test
    void anExceptionCaughtInTheBodyIsTheBodysOwnBusiness() {
        var co = Coroutine.of(() -> {
            try {
                Coroutine.suspend();
                throw new IllegalStateException("planted");
            } catch (IllegalStateException e) {
                Coroutine.suspend();
            } finally {
                Coroutine.suspend();
                printed.add("finally");
            }
        });
        for (int i = 0; i < 4; i++) co.resume();
        assertTrue(co.isDone());
        assertEquals(List.of("finally"), printed);
    }

    @Test
    void theStackTraceOfAFailureShowsTheBody() {
        var co = Coroutine.of(CoroutineTest::failFromHere);
        var failure = assertThrows(IllegalStateException.class, co::resume);
        assertTrue(Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("failFromHere")));
    }

    private static void failFromHere() {
        throw new IllegalStateException("planted");
    }

    @Test
    void suspendStopsTheInnermostOnly() {
        var inner = Coroutine.of(() -> {
            printed.add("inner 1");
            Coroutine.suspend();
            printed.add("inner 2");
        });
        var outer = Coroutine.of(() -> {
            inner.resume();
            printed.add("outer 1");
            Coroutine.suspend();
            inner.resume();
            printed.add("outer 2");
        });
        outer.resume();
        assertFalse(outer.isDone());
        assertEquals(List.of("inner 1", "outer 1"), printed);
        outer.resume();
        assertTrue(outer.isDone());
        assertTrue(inner.isDone());
        assertEquals(List.of("inner 1", "outer 1", "inner 2", "outer 2"), printed);
    }

    @Test
    void threeLevelsEachSuspendInTheirOwnRhythm() {
        var third = Coroutine.of(() -> {
            for (int i = 1; i <= 4; i++) {
                printed.add("c" + i);
                Coroutine.suspend();
            }
        });
        var second = Coroutine.of(() -> {
            for (int i = 1; i <= 2; i++) {
                third.resume();
                third.resume();
                printed.add("b" + i);
                Coroutine.suspend();
            }
        });
        var first = Coroutine.of(() -> {
            while (!second.isDone()) {
                second.resume();
                printed.add("a");
                Coroutine.suspend();
            }
        });
        while (!first.isDone()) first.resume();
        assertEquals(List.of("c1", "c2", "b1", "a", "c3", "c4", "b2", "a", "a"), printed);
        assertFalse(third.isDone());
        third.resume();
        assertTrue(third.isDone());
    }

    @Test
    void oneStartedOutsideMayBeContinuedInsideAnotherAndOutsideAgain() {
        var wanderer = Coroutine.of(() -> {
            for (int i = 1; i <= 3; i++) {
                printed.add("step " + i);
                Coroutine.suspend();
            }
        });
        wanderer.resume();
        var host = Coroutine.of(() -> {
            wanderer.resume();
            printed.add("host");
        });
        host.resume();
        wanderer.resume();
        assertEquals(List.of("step 1", "step 2", "host", "step 3"), printed);
    }

    @Test
    void twoResumeEachOtherInTurnThroughTheirCaller() {
        Coroutine[] pair = new Coroutine[2];
        pair[0] = Coroutine.of(() -> {
            for (int i = 0; i < 3; i++) {
                printed.add("ping");
                pair[1].resume();
            }
        });
        pair[1] = Coroutine.of(() -> {
            while (true) {
                printed.add("pong");
                Coroutine.suspend();
            }
        });
        pair[0].resume();
        assertEquals(List.of("ping", "pong", "ping", "pong", "ping", "pong"), printed);
    }

    @Test
    void anExceptionPassesThroughNestedCoroutinesLikeThroughCalls() {
        var planted = new IllegalStateException("planted");
        var inner = Coroutine.of(() -> {
            throw planted;
        });
        var outer = Coroutine.of(inner::resume);
        assertSame(planted, assertThrows(IllegalStateException.class, outer::resume));
        assertTrue(inner.isDone());
        assertTrue(outer.isDone());
    }

    @Test
    void aHundredNestedLevelsWork() {
        var depth = new AtomicInteger();
        var outermost = nest(100, depth);
        while (!outermost.isDone()) outermost.resume();
        assertEquals(100, depth.get());
    }

    private static Coroutine nest(int levels, AtomicInteger depth) {
        return Coroutine.of(() -> {
            depth.incrementAndGet();
            if (levels > 1) {
                var next = nest(levels - 1, depth);
                while (!next.isDone()) {
                    next.resume();
                    Coroutine.suspend();
                }
            }
        });
    }

    @Test
    void tenThousandTakeTurns() {
        int count = 10_000;
        var steps = new AtomicInteger();
        var all = new ArrayList<Coroutine>();
        for (int i = 0; i < count; i++) {
            all.add(Coroutine.of(() -> {
                for (int step = 0; step < 3; step++) {
                    steps.incrementAndGet();
                    Coroutine.suspend();
                }
            }));
        }
        for (int round = 1; round <= 3; round++) {
            all.forEach(Coroutine::resume);
            assertEquals(round * count, steps.get());
        }
        all.forEach(Coroutine::resume);
        assertTrue(all.stream().allMatch(Coroutine::isDone));
    }

    @Test
    void oneThatIsDroppedWhileSuspendedIsGarbageWithAllItHoldsAndItsFinallyNeverRuns() {
        var local = new AtomicReference<@Nullable WeakReference<Object>>();
        var coroutine = suspendAndForget(local);
        Crowd.until(() -> {
            System.gc();
            return coroutine.get() == null && requireNonNull(local.get()).get() == null;
        });
        assertEquals(List.of(), printed);
    }

    private WeakReference<Coroutine> suspendAndForget(AtomicReference<@Nullable WeakReference<Object>> local) {
        var co = Coroutine.of(() -> {
            Object onTheStack = new Object();
            local.set(new WeakReference<>(onTheStack));
            try {
                Coroutine.suspend();
            } finally {
                printed.add("finally, with " + onTheStack);
            }
        });
        co.resume();
        return new WeakReference<>(co);
    }

    @Test
    void itsTextTellsTheStateAndTheThread() {
        var texts = new ArrayList<String>();
        Coroutine[] self = new Coroutine[1];
        self[0] = Coroutine.of(() -> {
            texts.add(self[0].toString());
            Coroutine.suspend();
        });
        texts.add(self[0].toString());
        self[0].resume();
        texts.add(self[0].toString());
        self[0].resume();
        texts.add(self[0].toString());
        String confined = ", confined to " + Thread.currentThread() + "]";
        assertEquals(
                List.of(
                        "Coroutine[NEW]",
                        "Coroutine[RUNNING" + confined,
                        "Coroutine[SUSPENDED" + confined,
                        "Coroutine[DONE" + confined),
                texts);
    }
}
