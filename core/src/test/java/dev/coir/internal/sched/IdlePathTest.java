package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** How long a carrier searches before it sleeps. */
class IdlePathTest {
    private static final long LONG_NANOS = 1_000_000;

    /** Notes, at each sleep, how often its carrier has looked whether it has enough since the last. */
    private static final class Sleeps implements Poller {
        private final IntToLongFunction nanosOf;
        private final Predicate<List<Integer>> last;
        private final List<Integer> rounds = new ArrayList<>();
        private int looks; // one before each search, one in each round, one before each sleep

        Sleeps(IntToLongFunction nanosOf, Predicate<List<Integer>> last) {
            this.nanosOf = nanosOf;
            this.last = last;
        }

        boolean enough() {
            looks++;
            return last.test(rounds);
        }

        @Override
        public int poll(long atMost) {
            long end = System.nanoTime() + nanosOf.applyAsLong(rounds.size());
            rounds.add(looks - 2);
            looks = 0;
            while (System.nanoTime() - end < 0) Thread.onSpinWait();
            return 0;
        }

        @Override
        public void wakeUp() {}

        @Override
        public boolean isWatching() {
            return false;
        }

        @Override
        public boolean canWatch() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** How many rounds were searched before each sleep. */
    private static List<Integer> rounds(IntToLongFunction sleepNanos, Predicate<List<Integer>> last) throws Exception {
        var poller = new Sleeps(sleepNanos, last);
        SchedulerCore core = Cores.polling(0, () -> poller);
        Carrier own = core.bind();
        own.waits.workUntil(poller::enough);
        core.unbind(own);
        core.close();
        return poller.rounds;
    }

    @Test
    void eachSearchInVainIsFollowedByOneOfHalfTheRounds() throws Exception {
        assertEquals(List.of(24, 12, 6, 3, 1, 1, 1), rounds(sleep -> LONG_NANOS, searches -> searches.size() == 7));
    }

    /** On a busy machine a short sleep may turn out long; so there are many. */
    @Test
    void aSleepThatASearchWouldHaveOutlastedIsFollowedByALongSearch() throws Exception {
        List<Integer> searches = rounds(
                sleep -> sleep < 3 ? LONG_NANOS : 0,
                all -> all.size() == 10_000 || (all.size() > 3 && all.getLast() == IdlePath.SEARCH_ROUNDS));
        assertEquals(List.of(24, 12, 6, 3), searches.subList(0, 4));
        assertEquals(24, searches.getLast());
    }
}
