package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatchTest extends SyncContract {
    @Test
    void itOpensForAllWhenItHasBeenCountedDown() throws Exception {
        var latch = new Latch(3);
        int[] written = new int[3];
        List<Running> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean timed = i < 2;
            waiters.add(either(i, () -> {
                if (timed) assertTrue(latch.await(1, TimeUnit.DAYS));
                else latch.await();
                for (int each : written) assertEquals(1, each);
            }));
        }
        for (Running each : waiters) each.untilWaiting();
        for (int i = 0; i < 3; i++) {
            int number = i;
            assertEquals(3 - i, latch.getCount());
            for (Running each : waiters) assertFalse(each.isDone());
            either(i + 1, () -> {
                        written[number] = 1;
                        latch.countDown();
                    })
                    .join();
        }
        for (Running each : waiters) each.join();
        assertEquals(0, latch.getCount());
        latch.countDown();
        assertEquals(0, latch.getCount());
        inFirst(latch::await);
        inFirst(() -> assertTrue(latch.await(0, TimeUnit.SECONDS)));
    }

    @Test
    void anInterruptBeforehandIsTakenEvenIfItIsOpen() throws Exception {
        for (int count = 0; count < 2; count++) {
            var latch = new Latch(count);
            inFirst(() -> {
                Thread.currentThread().interrupt();
                assertInterrupted(latch::await);
                Thread.currentThread().interrupt();
                assertInterrupted(() -> latch.await(1, TimeUnit.DAYS));
            });
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        var latch = new Latch(1);
        for (Body wait : List.<Body>of(latch::await, () -> latch.await(1, TimeUnit.DAYS))) {
            Running waiter = first(() -> assertInterrupted(wait::run));
            waiter.untilWaiting();
            waiter.interrupt();
            waiter.join();
        }
        assertEquals(1, latch.getCount());
    }

    @Test
    void aTimeOutEndsTheWait() throws Exception {
        var latch = new Latch(1);
        inFirst(() -> {
            long start = System.nanoTime();
            assertFalse(latch.await(1, TimeUnit.MILLISECONDS));
            assertTrue(System.nanoTime() - start >= 1_000_000);
            assertFalse(latch.await(-1, TimeUnit.DAYS));
            assertFalse(latch.await(Long.MIN_VALUE, TimeUnit.DAYS));
        });
    }

    @Test
    void itsTextTellsTheCount() {
        var latch = new Latch(1);
        assertTrue(latch.toString().contains("[Count = 1]"), latch::toString);
    }

    @Test
    void misuseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Latch(-1));
        assertThrows(NullPointerException.class, () -> new Latch(0).await(1, null));
    }
}
