package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers under a clock that stands still until the test moves it. */
class TimersTest {
    private static final long TICK = Timers.TICK_NANOS;
    private long clock = 1_000_000_007L;
    private final Timers timers = new Timers(() -> clock);
    private final List<Object> fired = new ArrayList<>();

    @Test
    void withoutTimersNothingIsDueEver() {
        clock += Long.MAX_VALUE / 2;
        assertFalse(timers.isDue());
        assertEquals(Long.MAX_VALUE, timers.nanosToNext());
        assertEquals(0, timers.fireDue());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, TICK - 1, TICK, TICK + 1, 64 * TICK, 1_000_000, 1_000_000_000, 3_600_000_000_000L})
    void aTimerFiresNeverEarlyAndAtMostOneTickLate(long delay) {
        timers.set(new Named("it"), delay);
        runTo(clock + delay);
        assertEquals(List.of(), fired, "its delay has only just passed, and no whole tick");
        runTo(clock + TICK);
        assertEquals(List.of("it"), fired);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -1_000_000, Long.MIN_VALUE})
    void aNegativeDelayCountsAsNone(long delay) {
        timers.set(new Named("it"), delay);
        assertEquals(0, timers.fireDue());
        runTo(clock + TICK);
        assertEquals(List.of("it"), fired);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - TICK, Long.MAX_VALUE / 2 + 1})
    void aDelayOfCenturiesNeitherFiresNorHidesShorterOnes(long delay) {
        clock += 5_000_000_000L; // the sum of what has passed and what is to come does not fit a long
        var far = new Named("far");
        timers.set(far, delay);
        assertTrue(timers.nanosToNext() > 0);
        timers.set(new Named("near"), 1000);
        assertTrue(timers.nanosToNext() <= 1000 + TICK, () -> "next in " + timers.nanosToNext());
        runTo(clock + 1_000_000_000_000L);
        assertEquals(List.of("near"), fired);
        assertEquals(1, timers.size());
        assertTrue(timers.cancel(far));
        assertEquals(0, timers.size());
    }

    @Test
    void timersFireInTheOrderOfTheirMoments() {
        for (int i : new int[] {5, 1, 4, 2, 3}) timers.set(new Named(i), i * 1_000_000L);
        runTo(clock + 10_000_000);
        assertEquals(List.of(1, 2, 3, 4, 5), fired);
    }

    @Test
    void aCancelledTimerDoesNotFireAndOnlyOneCancelWins() {
        var timer = new Named("it");
        timers.set(timer, 1000);
        assertTrue(timers.cancel(timer));
        assertFalse(timers.cancel(timer));
        runTo(clock + 1_000_000);
        assertEquals(List.of(), fired);
    }

    @Test
    void aFiredTimerCannotBeCancelled() {
        var timer = new Named("it");
        timers.set(timer, 1000);
        runTo(clock + 1_000_000);
        assertFalse(timers.cancel(timer));
        assertEquals(List.of("it"), fired);
    }

    @Test
    void settingSaysWhetherItBecameTheFirst() {
        assertTrue(timers.set(new Named("b"), 2_000_000));
        assertFalse(timers.set(new Named("c"), 3_000_000));
        assertTrue(timers.set(new Named("a"), 1_000_000));
    }

    @Test
    void afterTheFirstHasFiredTheNextIsKnown() {
        timers.set(new Named("a"), 1_000_000);
        timers.set(new Named("b"), 2_000_000);
        runTo(clock + 1_000_000 + TICK);
        assertEquals(List.of("a"), fired);
        assertFalse(timers.isDue());
        long wait = timers.nanosToNext();
        assertTrue(wait > 0 && wait <= 1_000_000 + TICK, () -> "next in " + wait);
    }

    @Test
    void afterTheFirstWasCancelledTheNextIsNotMissed() {
        var first = new Named("a");
        timers.set(first, 1_000_000);
        timers.set(new Named("b"), 50_000_000);
        assertTrue(timers.cancel(first));
        long end = clock + 50_000_000 + TICK;
        while (clock < end) runTo(clock + Math.min(timers.nanosToNext(), end - clock));
        assertEquals(List.of("b"), fired);
    }

    /** Whoever sleeps exactly as long as it is told, over and over, is never late by more than a tick. */
    @Test
    void sleepingAsLongAsToldMeetsEveryTimer() {
        var random = new Random(42);
        long start = clock;
        int count = 2000;
        for (int i = 0; i < count; i++) {
            long delay = random.nextLong(1L << (10 + random.nextInt(35)));
            timers.set(new Checked(start + delay), delay);
        }
        int sleeps = 0;
        while (timers.size() > 0) {
            clock += timers.nanosToNext();
            timers.fireDue();
            assertTrue(++sleeps < 11 * count, "it sleeps for nothing too often");
        }
        assertEquals(count, fired.size());
    }

    @Test
    void aTimerMayBeSetAgainWhileItFires() {
        int[] left = {5};
        var again = new Timer() {
            @Override
            protected void fire() {
                fired.add(left[0]);
                if (--left[0] > 0) timers.set(this, 1_000_000);
            }
        };
        timers.set(again, 1_000_000);
        for (int i = 0; i < 10; i++) runTo(clock + 1_000_000 + TICK);
        assertEquals(List.of(5, 4, 3, 2, 1), fired);
    }

    @Test
    void aFiringTimerMayCancelAnotherThatIsFurtherAway() {
        var other = new Named("other");
        timers.set(other, 5_000_000);
        timers.set(
                new Timer() {
                    @Override
                    protected void fire() {
                        fired.add(timers.cancel(other));
                    }
                },
                1_000_000);
        runTo(clock + 2_000_000);
        runTo(clock + 10_000_000);
        assertEquals(List.of(true), fired);
    }

    @Test
    void aTimerThatThrowsIsReportedAndTheOthersFire() {
        var failure = new IllegalStateException("thrown by a timer");
        var reported = new ArrayList<Throwable>();
        timers.set(new Named("before"), 1_000_000);
        timers.set(
                new Timer() {
                    @Override
                    protected void fire() {
                        throw failure;
                    }
                },
                2_000_000);
        timers.set(new Named("after"), 3_000_000);
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        runTo(clock + 10_000_000);
        assertEquals(List.of("before", "after"), fired);
        assertEquals(List.of(failure), reported);
    }

    /** System.nanoTime may start anywhere and may overflow. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1000, Long.MIN_VALUE, -1, 0})
    void theClockMayStartAnywhereAndOverflow(long start) {
        clock = start;
        var own = new Timers(() -> clock);
        own.set(new Named("it"), 1_000_000);
        clock += 999_999;
        assertEquals(0, own.fireDue());
        clock += 1 + TICK;
        assertEquals(1, own.fireDue());
    }

    @Test
    void aMillionTimersAreSetAndFired() {
        int count = 1_000_000;
        var random = new Random(7);
        var count1 = new AtomicInteger();
        for (int i = 0; i < count; i++) timers.set(new Counting(count1), random.nextLong(10_000_000_000L));
        assertEquals(count, timers.size());
        int firedNow = 0;
        for (int i = 0; i < 1001; i++) {
            clock += 10_000_000;
            firedNow += timers.fireDue();
        }
        assertEquals(count, firedNow);
        assertEquals(count, count1.get());
        assertEquals(0, timers.size());
    }

    /** Two threads set and cancel, two fire: whatever was not cancelled fires once. */
    @Test
    void timersOfManyThreadsFireOnceOrAreCancelled() throws Exception {
        var real = new Timers(System::nanoTime);
        int perThread = 20_000;
        var firedCount = new AtomicInteger();
        var cancelled = new AtomicInteger();
        var setters = new AtomicInteger(2);
        Crowd.run(4, index -> {
            if (index < 2) {
                var random = new Random(index);
                for (int i = 0; i < perThread; i++) {
                    var timer = new Counting(firedCount);
                    real.set(timer, random.nextInt(200_000));
                    if (random.nextInt(3) == 0 && real.cancel(timer)) cancelled.incrementAndGet();
                }
                setters.decrementAndGet();
            } else {
                while (setters.get() > 0 || real.size() > 0) {
                    if (real.fireDue() == 0) Thread.yield();
                }
            }
        });
        assertEquals(2 * perThread, firedCount.get() + cancelled.get());
    }

    private void runTo(long moment) {
        clock = moment;
        timers.fireDue();
    }

    private final class Named extends Timer {
        private final Object name;

        Named(Object name) {
            this.name = name;
        }

        @Override
        protected void fire() {
            fired.add(name);
        }
    }

    private final class Checked extends Timer {
        private final long moment;

        Checked(long moment) {
            this.moment = moment;
        }

        @Override
        protected void fire() {
            assertTrue(clock >= moment, () -> "early by " + (moment - clock));
            assertTrue(clock - moment <= TICK, () -> "late by " + (clock - moment));
            fired.add(moment);
        }
    }

    private static final class Counting extends Timer {
        private final AtomicInteger count;

        Counting(AtomicInteger count) {
            this.count = count;
        }

        @Override
        protected void fire() {
            count.incrementAndGet();
        }
    }
}
