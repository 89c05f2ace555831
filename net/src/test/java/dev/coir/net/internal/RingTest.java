package dev.coir.net.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The protocol between those who put requests up, those who reap, and the system; which the test plays where it matters. */
class RingTest {
    private static RingCall force() {
        return new RingCall(Linux.IORING_OP_FSYNC, -1, MemorySegment.NULL, 0, 0, 0);
    }

    /** R1, on the system's own ring: whoever pumps, nothing stays behind. */
    @Test
    void whatManyPutUpIsAllDone() throws Exception {
        Ring ring = Ring.open(new LinuxSys());
        var refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 5000; i++) {
                    RingCall call = force();
                    ring.put(call);
                    while (!call.isDone()) {
                        ring.reap();
                        Thread.onSpinWait();
                    }
                    if (call.result() == RingCall.NOT_TAKEN) refused.incrementAndGet();
                    else assertEquals(-9, call.result()); // there is no descriptor -1
                }
            }));
        }
        for (Thread each : threads) each.join();
        assertEquals(0, refused.get());
        assertEquals(0, ring.underWay());
        ring.close();
    }

    /** R3. */
    @Test
    void aSlotIsUsedAgainAndANumberIsNot() throws Exception {
        var faults = new Faults();
        new FakeUring(faults, 1, 1).outcome(request -> 0);
        Ring ring = Ring.open(faults.sys());
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            RingCall call = force();
            ring.put(call);
            assertEquals(1, ring.reap());
            assertEquals(0, call.result());
            assertTrue(numbers.add(call.id));
        }
        ring.close();
    }

    /** R2: a request more than there are places is not taken, and later ones are. */
    @Test
    void aCallThatFindsNoPlaceIsNotTaken() throws Exception {
        var faults = new Faults();
        var system = new FakeUring(faults, 4, 2).outcome(request -> 0);
        Ring ring = Ring.open(faults.sys());
        List<RingCall> calls = List.of(force(), force(), force());
        calls.forEach(ring::put);
        assertEquals(RingCall.NOT_TAKEN, calls.get(2).result());
        assertTrue(calls.get(2).isDone());
        assertFalse(calls.get(0).isDone());
        assertEquals(2, ring.reap());
        assertEquals(0, calls.get(1).result());
        assertEquals(0, system.overflows());
        RingCall next = force();
        ring.put(next);
        assertEquals(1, ring.reap());
        assertEquals(0, next.result());
        ring.close();
    }

    /** R1: what is thrown where requests are handed over leaves the ring usable. */
    @Test
    void aHandOverThatThrowsTakesBackWhatWasPutUp() throws Exception {
        var faults = new Faults();
        new FakeUring(faults, 4, 4).outcome(request -> 0);
        Ring ring = Ring.open(faults.sys());
        faults.next("uringEnter", (arguments, call) -> {
            throw new StackOverflowError("injected");
        });
        RingCall call = force();
        assertThrows(StackOverflowError.class, () -> ring.put(call));
        assertEquals(RingCall.NOT_TAKEN, call.result());
        assertEquals(0, ring.underWay());
        RingCall next = force();
        ring.put(next);
        assertEquals(1, ring.reap());
        assertNotEquals(RingCall.NOT_TAKEN, next.result());
        ring.close();
    }

    /** C1 of RingCall: a poller that is closed waits until the system has let go of everything. */
    @Test
    void closingWaitsForWhatIsUnderWay() throws Exception {
        var faults = new Faults();
        var system = new FakeUring(faults, 4, 4).outcome(request -> 0).hold();
        EpollPoller poller = EpollPoller.open(faults.sys(), false);
        assertFalse(poller.isWatching());
        RingCall call = force();
        assertTrue(poller.put(call));
        assertTrue(poller.isWatching(), "busy workers must poll it");
        system.awaitHeld(1);
        poller.close();
        assertTrue(call.isDone());
        assertFalse(poller.put(force()));
    }

    /** E5: a completion ends a poll that waits. */
    @Test
    void aCompletionWakesWhoPolls() throws Exception {
        var faults = new Faults();
        var system = new FakeUring(faults, 4, 4).hold();
        try (EpollPoller poller = EpollPoller.open(faults.sys(), false)) {
            for (int i = 0; i < 200; i++) {
                RingCall call = force();
                assertTrue(poller.put(call));
                FakeUring.Request request = system.awaitHeld(1).get(0);
                Thread ending = Thread.ofPlatform().start(() -> system.finish(request, 4));
                while (!call.isDone()) poller.poll(Long.MAX_VALUE);
                assertEquals(4, call.result());
                assertFalse(poller.isWatching());
                ending.join();
            }
        }
    }

    /** The same with the system's own ring, which is only readable when something is done. */
    @Test
    void theSystemsRingWakesWhoPolls() throws Exception {
        var faults = new Faults();
        var path = java.nio.file.Files.createTempFile("ring", "");
        try (EpollPoller poller = EpollPoller.open(faults.sys(), false);
                var net = new NativeNet(new LinuxSys(), true)) {
            var options = Set.of(java.nio.file.StandardOpenOption.WRITE);
            var file = (NativeFile) net.openFile(path, options, true);
            for (int i = 0; i < 50; i++) { // forcing is always done by a thread of the system's
                var call = new RingCall(Linux.IORING_OP_FSYNC, file.number(), MemorySegment.NULL, 0, 0, 0);
                assertTrue(poller.put(call));
                while (!call.isDone()) poller.poll(Long.MAX_VALUE);
                assertEquals(0, call.result());
            }
            file.closeNow();
        } finally {
            java.nio.file.Files.delete(path);
        }
    }
}
