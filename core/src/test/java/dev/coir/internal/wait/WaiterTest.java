package dev.coir.internal.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.internal.wait.Waiter.Outcome;
import dev.coir.testing.Callers;
import dev.coir.testing.Crowd;
import dev.coir.testing.Watchdog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wait is not ended by wake-ups that mean nothing, however many, and ends as it should after them. */
@ExtendWith(Watchdog.class)
class WaiterTest {
    private static final int TIMES = 5;

    private final Scheduler scheduler = Scheduler.start(1);

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** Counts how often its party looks whether the wait is over. */
    private static final class Watched extends Waiter {
        private volatile int looks; // written by the party

        @Override
        public boolean takeInterrupt() {
            looks = looks() + 1;
            return super.takeInterrupt();
        }

        private int looks() {
            return looks;
        }
    }

    private record Waiting(Watched waiter, Callers.Call<Outcome> call) {}

    /** A party that waits, and has been woken for nothing {@link #TIMES} times. */
    private Waiting wokenForNothing(Callers party, boolean forEver, boolean interruptible) throws Exception {
        var made = new CompletableFuture<Watched>();
        Callers.Call<Outcome> call = party.start(scheduler, () -> {
            var waiter = new Watched();
            made.complete(waiter);
            long deadline = forEver ? Long.MAX_VALUE : Waiter.deadlineIn(TimeUnit.DAYS.toNanos(1));
            return waiter.await("a test", deadline, interruptible);
        });
        Watched waiter = made.get();
        for (int i = 1; i <= TIMES; i++) {
            int seen = i;
            Crowd.until(() -> waiter.looks() >= seen);
            call.untilWaiting();
            waiter.unpark();
        }
        Crowd.until(() -> waiter.looks() > TIMES);
        call.untilWaiting();
        return new Waiting(waiter, call);
    }

    @ParameterizedTest
    @CsvSource({
        "VIRTUAL_FIBER, true, true", "VIRTUAL_FIBER, true, false", "VIRTUAL_FIBER, false, true",
        "LIGHT_FIBER, true, true", "LIGHT_FIBER, true, false", "LIGHT_FIBER, false, true",
        "THREAD, true, true", "THREAD, true, false", "THREAD, false, true",
        "VIRTUAL_THREAD, true, true", "VIRTUAL_THREAD, true, false", "VIRTUAL_THREAD, false, true"
    })
    void aSignalEndsIt(Callers party, boolean forEver, boolean interruptible) throws Exception {
        Waiting waiting = wokenForNothing(party, forEver, interruptible);
        assertTrue(waiting.waiter().isWaiting());
        assertTrue(waiting.waiter().signal());
        assertEquals(Outcome.SIGNALLED, waiting.call().get());
    }

    @ParameterizedTest
    @CsvSource({
        "VIRTUAL_FIBER, true", "VIRTUAL_FIBER, false",
        "LIGHT_FIBER, true", "LIGHT_FIBER, false",
        "THREAD, true", "THREAD, false",
        "VIRTUAL_THREAD, true", "VIRTUAL_THREAD, false"
    })
    void anInterruptEndsIt(Callers party, boolean forEver) throws Exception {
        Waiting waiting = wokenForNothing(party, forEver, true);
        waiting.call().interrupt();
        assertEquals(Outcome.INTERRUPTED, waiting.call().get());
        assertFalse(waiting.waiter().signal(), "it goes to somebody else");
    }
}
