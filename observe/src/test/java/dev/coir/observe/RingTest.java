package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {
    private static Ring ring(int capacity) {
        return new Ring(Thread.currentThread(), capacity, null);
    }

    @ParameterizedTest
    @CsvSource({
        "16,0",
        "16,1",
        "16,16",
        "16,17",
        "16,1000",
        "1024,255",
        "1024,256",
        "1024,257",
        "1024,1024",
        "1024,5000"
    })
    void theNewestAreKeptInOrderAndTheOthersCounted(int capacity, int added) {
        Ring ring = ring(capacity);
        for (int i = 0; i < added; i++) ring.add(Ring.Kind.STOLE, i, 2L * i, "n" + i, "d" + i);
        ring.seal();
        int kept = Math.min(added, capacity);
        assertEquals(added - kept, ring.lost());
        List<Ring.Entry> entries = ring.entries();
        assertEquals(kept, entries.size());
        long before = Long.MIN_VALUE;
        for (int i = 0; i < kept; i++) {
            long number = (long) added - kept + i;
            Ring.Entry each = entries.get(i);
            assertEquals(Ring.Kind.STOLE, each.kind());
            assertEquals(number, each.fiber());
            assertEquals(2 * number, each.number());
            assertEquals("n" + number, each.name());
            assertEquals("d" + number, each.detail());
            assertTrue(each.time() >= before);
            before = each.time();
        }
    }

    @Test
    void whatComesAfterTheSealIsNotWritten() {
        Ring ring = ring(16);
        ring.add(Ring.Kind.SLEPT, 0, 0, null, null);
        ring.seal();
        for (int i = 0; i < 100; i++) ring.add(Ring.Kind.SLEEPS, 0, 0, null, null);
        assertEquals(1, ring.entries().size());
        assertEquals(0, ring.lost());
    }

    /** Whoever comes with the seal: each entry is whole, and once sealed nothing changes. */
    @Test
    void sealingWhileOthersWrite() throws Exception {
        for (int round = 0; round < 40; round++) {
            Ring ring = ring(64);
            var stop = new AtomicBoolean();
            var begun = new CountDownLatch(2);
            var writers = new ArrayList<Thread>();
            for (int w = 0; w < 2; w++) {
                writers.add(Thread.ofPlatform().start(() -> {
                    begun.countDown();
                    for (long i = 0; !stop.get(); i++) ring.add(Ring.Kind.STOLE, i, -i, i, i);
                }));
            }
            begun.await();
            ring.seal();
            List<Ring.Entry> entries = ring.entries();
            long lost = ring.lost();
            for (Ring.Entry each : entries) {
                assertEquals(-each.fiber(), each.number());
                assertEquals(each.fiber(), each.name());
                assertEquals(each.fiber(), each.detail());
            }
            assertEquals(entries, ring.entries());
            assertEquals(lost, ring.lost());
            stop.set(true);
            for (Thread each : writers) each.join();
        }
    }

    @Test
    void eachThreadHasOneRingWhoeverAsksFirst() throws Exception {
        var rings = new Rings(16);
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2000; i++) threads.add(Thread.ofPlatform().unstarted(() -> {}));
        var found = new ArrayList<List<Ring>>();
        var askers = new ArrayList<Thread>();
        for (int i = 0; i < 3; i++) {
            var mine = new ArrayList<Ring>();
            found.add(mine);
            askers.add(Thread.ofPlatform().start(() -> {
                for (Thread each : threads) mine.add(rings.of(each));
            }));
        }
        for (Thread each : askers) each.join();
        for (int i = 0; i < threads.size(); i++) {
            assertSame(threads.get(i), found.getFirst().get(i).thread());
            for (List<Ring> each : found) assertSame(found.getFirst().get(i), each.get(i));
        }
        assertEquals(threads.size(), rings.seal().size());
    }
}
