package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What the policy decides, one thread at a time; WakePolicyStress has the races. */
class WakePolicyTest {
    private final WakePolicy policy = new WakePolicy();

    @Test
    void nobodyIsWokenWhenNobodySleeps() {
        assertFalse(policy.wantsWake());
        assertEquals(-1, policy.claimSleeper());
        assertEquals(0, policy.searchers(), "a claim that found nobody counts nobody");
    }

    @Test
    void aSleeperIsWantedOnlyWhileNobodySearches() {
        policy.announceSleep(3);
        assertTrue(policy.wantsWake());
        assertTrue(policy.tryStartSearching());
        assertFalse(policy.wantsWake());
        assertEquals(-1, policy.claimSleeper(), "a searcher will see what was submitted");
        assertTrue(policy.isAsleep(3));
        assertTrue(policy.stopSearching());
        assertTrue(policy.wantsWake());
    }

    @Test
    void theLowestNumberedSleeperIsWokenFirst() {
        for (int worker : new int[] {63, 5, 17, 0, 32}) policy.announceSleep(worker);
        for (int expected : new int[] {0, 5, 17, 32, 63}) {
            assertEquals(expected, policy.claimSleeper());
            assertFalse(policy.isAsleep(expected));
            policy.stopSearching();
        }
        assertEquals(-1, policy.claimSleeper());
        assertEquals(0, policy.sleepers());
    }

    @Test
    void whoIsClaimedCountsAsASearcher() {
        policy.announceSleep(0);
        policy.announceSleep(1);
        assertEquals(0, policy.claimSleeper());
        assertEquals(1, policy.searchers());
        assertEquals(-1, policy.claimSleeper(), "a burst wakes one, who wakes the next");
        assertTrue(policy.isAsleep(1));
    }

    @Test
    void atMostTwoSearch() {
        assertTrue(policy.tryStartSearching());
        assertTrue(policy.tryStartSearching());
        assertFalse(policy.tryStartSearching());
        assertEquals(2, policy.searchers());
        assertFalse(policy.stopSearching());
        assertTrue(policy.tryStartSearching());
        assertFalse(policy.stopSearching());
        assertTrue(policy.stopSearching(), "the last searcher is told");
        assertEquals(0, policy.searchers());
    }

    @Test
    void aWorkerThatIsWokenForItselfCountsBeyondTheTwo() {
        policy.tryStartSearching();
        policy.tryStartSearching();
        policy.countSearcher();
        assertEquals(3, policy.searchers());
        assertFalse(policy.tryStartSearching());
    }

    @Test
    void aSleepBitIsClearedOnce() {
        policy.announceSleep(63);
        policy.announceSleep(62);
        assertTrue(policy.isAsleep(63));
        assertTrue(policy.tryClear(63));
        assertFalse(policy.tryClear(63));
        assertFalse(policy.isAsleep(63));
        assertTrue(policy.isAsleep(62));
        assertFalse(policy.tryClear(0), "it never slept");
    }

    @Test
    void everyClearedBitCountsAsAnAwakening() {
        policy.announceSleep(1);
        policy.announceSleep(2);
        assertEquals(0, policy.awakenings());
        policy.claimSleeper();
        assertEquals(1, policy.awakenings());
        policy.tryClear(2);
        policy.tryClear(2);
        assertEquals(2, policy.awakenings());
    }

    @Test
    void theMoreSearchesWereInVainTheFewerSignalsAndNoneAtLast() {
        assertEquals(1_024, signalsOf(1_024));
        policy.noteVain();
        policy.noteVain();
        assertEquals(256, signalsOf(1_024));
        for (int i = 0; i < 100; i++) policy.noteVain();
        assertEquals(0, signalsOf(1_000_000));
        policy.noteUse();
        assertTrue(signalsOf(1_024) > 0, "a find brings them back");
    }

    private int signalsOf(int wakes) {
        int signals = 0;
        for (int i = 0; i < wakes; i++) if (policy.expectsUse()) signals++;
        return signals;
    }
}
