package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The poller that only sleeps. */
class NoIoPollerTest {
    private static final long LONG = Long.MAX_VALUE;
    private final NoIoPoller poller = new NoIoPoller();

    @Test
    void itWatchesNothingAndHasNoEvents() {
        assertFalse(poller.isWatching());
        assertEquals(0, poller.poll(0));
        assertEquals(0, poller.poll(1));
        poller.close();
    }

    @Test
    void itSleepsForTheGivenTimeUnlessTheThreadHasAReasonToWake() {
        long start = System.nanoTime();
        long slept = 0;
        while (slept < 2_000_000) { // a park may end early
            poller.poll(2_000_000 - slept);
            slept = System.nanoTime() - start;
        }
        assertTrue(slept >= 2_000_000);
    }

    @Test
    void aWakeUpEndsTheCurrentPoll() throws Exception {
        var thread = new AtomicReference<Thread>();
        var polling = Crowd.start("polling", index -> {
            thread.set(Thread.currentThread());
            poller.poll(LONG);
        });
        Crowd.until(() -> thread.get() != null);
        Crowd.untilWaiting(thread.get());
        poller.wakeUp();
        polling.get();
    }

    @Test
    void aWakeUpBeforehandEndsTheNextWaitingPollAndOnlyThat() throws Exception {
        poller.wakeUp();
        poller.poll(0);
        poller.poll(LONG);
        var thread = new AtomicReference<Thread>();
        var polling = Crowd.start("polling", index -> {
            thread.set(Thread.currentThread());
            poller.poll(LONG);
        });
        Crowd.until(() -> thread.get() != null);
        Crowd.untilWaiting(thread.get());
        assertFalse(polling.isDone(), "the wake-up was used up");
        poller.wakeUp();
        polling.get();
    }

    @Test
    void noWakeUpIsLostWhoeverComesFirst() throws Exception {
        for (int i = 0; i < 2000; i++) {
            Crowd.run(2, index -> {
                if (index == 0) poller.poll(LONG);
                else poller.wakeUp();
            });
        }
    }
}
