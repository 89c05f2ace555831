package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invariants H1 and H2, by hand at the edges of the levels and against a sorted map everywhere else. */
class TimerWheelTest {
    private final TimerWheel wheel = new TimerWheel();

    @Test
    void anEmptyWheelHasNoNextTickAndHandsOutNothing() {
        assertEquals(Long.MAX_VALUE, wheel.nextTick());
        assertNull(wheel.advance(1_000_000));
        assertEquals(0, wheel.size());
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                1,
                2,
                62,
                63,
                64,
                65,
                127,
                128,
                129,
                4094,
                4095,
                4096,
                4097,
                8191,
                8192,
                262_143,
                262_144,
                262_145,
                (1L << 24) - 1,
                1L << 24,
                (1L << 30) + 1,
                1L << 36,
                (1L << 42) - 1,
                1L << 48,
                (1L << 54) + 63,
                (1L << 60) - 1,
                1L << 60,
                (1L << 60) + 1,
                1L << 62,
                Long.MAX_VALUE - 1
            })
    void aTimerComesOutAtItsTickAndNotOneTickEarlier(long tick) {
        var timer = new Idle();
        wheel.add(timer, tick);
        assertEquals(List.of(), handedOut(tick - 1));
        assertTrue(wheel.nextTick() <= tick, () -> "next tick " + wheel.nextTick() + " is past the timer's " + tick);
        assertEquals(1, wheel.size());
        assertEquals(List.of(timer), handedOut(tick));
        assertEquals(0, wheel.size());
        assertEquals(Long.MAX_VALUE, wheel.nextTick());
    }

    /** The same edges, seen from a current tick that stands just before, on and just after an edge itself. */
    @ParameterizedTest
    @ValueSource(longs = {1, 63, 64, 65, 4095, 4096, 4097, 262_143, (1L << 36) - 1, 1L << 36, (1L << 60) - 1, 1L << 60})
    void aTimerComesOutAtItsTickWhereverTheWheelStands(long start) {
        for (long distance : new long[] {1, 2, 62, 63, 64, 65, 4095, 4096, 4097, 262_144, 1L << 40}) {
            var stepped = new TimerWheel();
            assertNull(stepped.advance(start));
            var timer = new Idle();
            stepped.add(timer, start + distance);
            assertNull(stepped.advance(start + distance - 1), () -> start + " + " + distance + " is early");
            assertEquals(timer, stepped.advance(start + distance), () -> start + " + " + distance + " is lost");
        }
    }

    @Test
    void walkingFromNextTickToNextTickReachesEveryTimer() {
        long[] ticks = {1, 64, 65, 4096, 4160, 5000, 262_144, 1L << 40, (1L << 61) + 12_345};
        for (long tick : ticks) wheel.add(new Idle(), tick);
        var reached = new ArrayList<Long>();
        int steps = 0;
        while (wheel.size() > 0) {
            for (Timer each : handedOut(wheel.nextTick())) reached.add(each.tick);
            assertTrue(++steps <= 11 * ticks.length, () -> "no end after " + reached);
        }
        assertEquals(List.of(1L, 64L, 65L, 4096L, 4160L, 5000L, 262_144L, 1L << 40, (1L << 61) + 12_345), reached);
    }

    @Test
    void aTimerOfThePastComesOutOfTheNextAdvance() {
        wheel.advance(1000);
        var late = new Idle();
        wheel.add(late, 3);
        assertEquals(List.of(late), handedOut(1001));
    }

    @Test
    void timeDoesNotRunBackwards() {
        wheel.advance(1000);
        assertNull(wheel.advance(5));
        var timer = new Idle();
        wheel.add(timer, 1000);
        assertNull(wheel.advance(1000));
        assertEquals(List.of(timer), handedOut(1001));
    }

    @Test
    void timersOfOneAdvanceComeInTheOrderOfTheirTicks() {
        long[] ticks = {70_000, 3, 64, 4096, 4095, 63, 5, 4097, 300_000, 65, 3};
        for (long tick : ticks) wheel.add(new Idle(), tick);
        List<Timer> all = handedOut(1_000_000);
        assertEquals(ticks.length, all.size());
        assertEquals(
                all.stream().sorted(Comparator.comparingLong(each -> each.tick)).toList(), all);
    }

    @Test
    void removingTakesATimerOutOnce() {
        var timer = new Idle();
        assertFalse(wheel.remove(timer), "it was never added");
        wheel.add(timer, 100);
        assertTrue(wheel.remove(timer));
        assertFalse(wheel.remove(timer));
        assertEquals(0, wheel.size());
        assertEquals(Long.MAX_VALUE, wheel.nextTick());
        assertNull(wheel.advance(200));
        wheel.add(timer, 300);
        assertEquals(List.of(timer), handedOut(300));
        assertFalse(wheel.remove(timer), "it was handed out");
    }

    @Test
    void removingTheFirstTheMiddleAndTheLastOfASlotLeavesTheOthers() {
        var timers = List.of(new Idle(), new Idle(), new Idle(), new Idle(), new Idle());
        for (Idle each : timers) wheel.add(each, 5000);
        assertTrue(wheel.remove(timers.get(4)));
        assertTrue(wheel.remove(timers.get(2)));
        assertTrue(wheel.remove(timers.get(0)));
        assertEquals(Set.of(timers.get(1), timers.get(3)), new HashSet<>(handedOut(5000)));
    }

    @Test
    void aTimerThatWasMovedToALowerLevelCanBeRemoved() {
        var near = new Idle();
        var far = new Idle();
        wheel.add(near, 4100);
        wheel.add(far, 4200);
        assertEquals(List.of(near), handedOut(4100));
        assertTrue(wheel.remove(far));
        assertEquals(Long.MAX_VALUE, wheel.nextTick());
        assertNull(wheel.advance(1 << 20));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void itBehavesLikeASortedMap(long seed) {
        new Model(new Random(seed)).run(20_000);
    }

    private List<Timer> handedOut(long to) {
        return list(wheel.advance(to));
    }

    private static List<Timer> list(Timer first) {
        var all = new ArrayList<Timer>();
        for (Timer each = first; each != null; each = each.after) all.add(each);
        return all;
    }

    private static final class Idle extends Timer {
        @Override
        protected void fire() {
            throw new AssertionError("a wheel hands timers out and does not fire them");
        }
    }

    /** The wheel and a sorted map are given the same orders, and must agree after each. */
    private static final class Model {
        private static final long END = Long.MAX_VALUE / 2;
        private final TimerWheel wheel = new TimerWheel();
        private final TreeMap<Long, Set<Timer>> expected = new TreeMap<>();
        private final List<Timer> known = new ArrayList<>(); // in the wheel or not
        private final Random random;
        private long now;
        private int size;

        Model(Random random) {
            this.random = random;
        }

        void run(int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(10)) {
                    case 0, 1, 2, 3, 4 -> add();
                    case 5, 6 -> remove();
                    default -> advance(target());
                }
                assertEquals(size, wheel.size(), "size");
                long first = expected.isEmpty() ? Long.MAX_VALUE : expected.firstKey();
                long next = wheel.nextTick();
                assertTrue(next <= first, () -> "next tick " + next + " is past the first timer's " + first);
                assertTrue(next > now, () -> "next tick " + next + " is not ahead of " + now);
                assertEquals(expected.isEmpty(), next == Long.MAX_VALUE, "whether there is a next tick");
            }
            while (!expected.isEmpty()) advance(expected.lastKey());
            assertEquals(0, wheel.size());
        }

        private void add() {
            var timer = new Idle();
            known.add(timer);
            addAgain(timer);
        }

        private void addAgain(Timer timer) {
            long wanted = now + distance();
            wheel.add(timer, wanted);
            long tick = Math.max(wanted, now + 1);
            assertEquals(tick, timer.tick);
            expected.computeIfAbsent(tick, t -> new HashSet<>()).add(timer);
            size++;
        }

        private void remove() {
            if (known.isEmpty()) return;
            Timer timer = known.get(random.nextInt(known.size()));
            Set<Timer> there = expected.getOrDefault(timer.tick, new HashSet<>());
            boolean present = there.remove(timer);
            if (there.isEmpty()) expected.remove(timer.tick);
            assertEquals(present, wheel.remove(timer), "whether it was there to remove");
            if (present) size--;
            else addAgain(timer);
        }

        private void advance(long to) {
            List<Timer> out = list(wheel.advance(to));
            now = Math.max(now, to);
            long last = Long.MIN_VALUE;
            for (Timer each : out) {
                assertTrue(each.tick >= last, "out of order");
                last = each.tick;
            }
            var due = expected.headMap(now, true);
            Set<Timer> wanted = new HashSet<>();
            due.values().forEach(wanted::addAll);
            assertEquals(wanted, new HashSet<>(out), "what comes out up to " + now);
            assertEquals(wanted.size(), out.size(), "each once");
            size -= out.size();
            due.clear();
        }

        /** Around the edges of all levels, and anywhere between; a little in the past too. */
        private long distance() {
            long room = END - now;
            long edge = 1L << (6 * random.nextInt(10));
            return Math.min(
                    room,
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(4) - 2;
                        case 1 -> edge + random.nextInt(3) - 1;
                        case 2 -> edge - (now & (edge - 1)) + random.nextInt(3) - 1; // up to the next turn of a level
                        default -> random.nextLong(1L << (1 + random.nextInt(61)));
                    });
        }

        private long target() {
            long next = wheel.nextTick();
            long first = expected.isEmpty() ? next : expected.firstKey();
            if (next == Long.MAX_VALUE) return now + random.nextInt(100);
            return switch (random.nextInt(6)) {
                case 0 -> next;
                case 1 -> next - 1;
                case 2 -> first;
                case 3 -> first - 1;
                case 4 -> now + random.nextInt(200);
                default -> Math.min(END, now + Math.max(0, distance() >> 20));
            };
        }
    }
}
