package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SeqLockTest extends SyncContract {
    private final SeqLock lock = new SeqLock();
    private int x; // plain on purpose
    private int y;

    @Test
    void whatIsReadBelongsTogether() throws Exception {
        var enough = new AtomicBoolean();
        List<Running> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(first(() -> {
                for (int j = 0; j < 200; j++) {
                    boolean waits = j % 16 == 0;
                    lock.write(() -> {
                        x++;
                        if (waits) Fiber.yield(); // a reader must not spin for one who does not run
                        y++;
                    });
                }
            }));
        }
        for (int i = 0; i < 3; i++) {
            all.add(second(() -> {
                while (!enough.get()) {
                    int[] both = lock.read(() -> new int[] {x, y});
                    assertEquals(both[0], both[1]);
                    Fiber.yield();
                }
            }));
        }
        all.get(0).join();
        all.get(1).join();
        enough.set(true);
        for (Running each : all) each.join();
        assertEquals(400, x);
        assertEquals("SeqLock[written 400 times]", lock.toString());
    }

    @Test
    void aWriteInBetweenIsNoticed() throws Exception {
        long[] stamp = new long[1];
        inFirst(() -> {
            stamp[0] = lock.beginRead();
            assertTrue(lock.validate(stamp[0]));
        });
        second(() -> lock.write(() -> x = 1)).join();
        inFirst(() -> {
            assertFalse(lock.validate(stamp[0]));
            assertTrue(lock.validate(lock.beginRead()));
        });
    }

    @Test
    void readersThatAreDisturbedEveryTimeGetThereInTheEnd() throws Exception {
        var runs = new AtomicInteger();
        inFirst(() -> {
            int seen = lock.read(() -> {
                if (runs.incrementAndGet() <= 16) disturb(); // the next time writers are kept away
                return x;
            });
            assertEquals(x, seen);
            assertTrue(runs.get() <= 17, () -> "runs: " + runs);
        });
    }

    private void disturb() {
        Thread writer = Thread.ofPlatform().daemon().start(() -> lock.write(() -> x++));
        while (writer.isAlive()) Thread.onSpinWait();
    }

    @Test
    void aWriterMayReadAndWriteAgain() throws Exception {
        inFirst(() -> lock.write(() -> {
            x = 1;
            assertEquals(1, lock.read(() -> x));
            lock.write(() -> y = 2);
            long stamp = lock.beginRead();
            assertTrue(lock.validate(stamp));
            assertTrue(lock.toString().contains("somebody writes"), lock::toString);
        }));
        assertEquals(2, lock.read(() -> y));
    }

    @Test
    void whatABodyThrowsLeavesAndTheLockIsFree() throws Exception {
        var thrown = new IllegalStateException("why");
        inFirst(() -> {
            assertSame(
                    thrown,
                    assertThrows(
                            IllegalStateException.class,
                            () -> lock.write(() -> {
                                throw thrown;
                            })));
            assertSame(
                    thrown,
                    assertThrows(
                            IllegalStateException.class,
                            () -> lock.read(() -> {
                                throw thrown;
                            })));
        });
        second(() -> lock.write(() -> x = 3)).join();
        assertEquals(3, lock.read(() -> x));
    }
}
