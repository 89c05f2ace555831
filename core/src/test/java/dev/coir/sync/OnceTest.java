package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnceTest extends SyncContract {
    private final Once once = new Once();

    @Test
    void itHappensOnceAndAllSeeIt() throws Exception {
        int[] ran = {0}; // plain on purpose
        List<Running> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(either(i, () -> {
                once.run(() -> {
                    Fiber.yield();
                    ran[0]++;
                });
                assertEquals(1, ran[0]);
                assertTrue(once.isDone());
            }));
        }
        for (Running each : all) each.join();
        assertEquals("Once[done]", once.toString());
    }

    @Test
    void theOthersWaitWhateverHappens() throws Exception {
        var open = Event.manual();
        Running runs = first(() -> once.run(() -> {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        runs.untilWaiting();
        Running waits = second(() -> {
            once.run(() -> {
                throw new AssertionError("it has happened");
            });
            assertTrue(once.isDone());
            assertTrue(tookInterrupt());
        });
        waits.untilWaiting();
        waits.interrupt();
        assertFalse(once.isDone());
        assertTrue(once.toString().startsWith("Once[run by "), once::toString);
        open.signal();
        waits.join();
    }

    @Test
    void whatThrowsHasNotHappenedAndTheNextOneRuns() throws Exception {
        var thrown = new IllegalStateException("why");
        var entered = Event.manual();
        var open = Event.manual();
        Running fails = first(() -> assertSame(
                thrown,
                assertThrows(
                        IllegalStateException.class,
                        () -> once.run(() -> {
                            entered.signal();
                            try {
                                open.await();
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                            throw thrown;
                        }))));
        entered.await();
        boolean[] ran = {false};
        Running next = second(() -> once.run(() -> ran[0] = true));
        next.untilWaiting();
        open.signal();
        next.join();
        fails.join();
        assertTrue(ran[0]);
        assertTrue(once.isDone());
    }

    @Test
    void aBodyThatAsksItselfIsRefused() throws Exception {
        inFirst(() -> {
            var refusal = assertThrows(IllegalStateException.class, () -> once.run(() -> once.run(() -> {})));
            assertTrue(refusal.getMessage().contains("inside the body"), refusal::getMessage);
            assertFalse(once.isDone());
            assertEquals("Once[not yet]", once.toString());
        });
    }
}
