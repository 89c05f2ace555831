package dev.coir.net.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GateTest {
    /** A gate that counts. */
    private static final class Counting extends Gate {
        final AtomicInteger readers = new AtomicInteger();
        final AtomicInteger users = new AtomicInteger();
        final AtomicInteger released = new AtomicInteger();
        final AtomicInteger wrong = new AtomicInteger();

        @Override
        void release() {
            released.incrementAndGet();
            if (readers.get() != 0 || users.get() != 0) wrong.incrementAndGet();
        }

        @Override
        void expel() {}

        @Override
        void closing() {}

        @Override
        String turnReason(int direction) {
            return "a turn";
        }

        void read() throws Exception {
            enter(READ, 0);
            if (readers.incrementAndGet() != 1 || released.get() != 0) wrong.incrementAndGet();
            readers.decrementAndGet();
            leave(READ);
        }

        void shortCall() {
            if (!tryUse()) return;
            users.incrementAndGet();
            if (released.get() != 0) wrong.incrementAndGet();
            users.decrementAndGet();
            endUse();
        }
    }

    @Test
    void itIsReleasedOnceWhenTheLastHasLeftAndReadersAreAlone() throws Exception {
        for (int round = 0; round < 300; round++) {
            var gate = new Counting();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                boolean virtual = i == 2;
                Runnable body = () -> {
                    try {
                        while (true) {
                            gate.read();
                            gate.shortCall();
                        }
                    } catch (ClosedChannelException end) {
                        // what was waited for
                    } catch (Exception e) {
                        gate.wrong.incrementAndGet();
                    }
                };
                threads.add(
                        virtual
                                ? Thread.startVirtualThread(body)
                                : Thread.ofPlatform().start(body));
            }
            for (int spins = 0; spins < round * 30; spins++) Thread.onSpinWait();
            gate.close();
            gate.close();
            for (Thread each : threads) each.join();
            assertEquals(1, gate.released.get());
            assertEquals(0, gate.wrong.get());
        }
    }

    @Test
    void whoIsInsideKeepsItAndWhoComesLaterIsRefused() throws Exception {
        var gate = new Counting();
        gate.enter(Gate.READ, 0);
        gate.close();
        assertEquals(0, gate.released.get());
        assertThrows(ClosedChannelException.class, () -> gate.enter(Gate.WRITE, 0));
        assertFalse(gate.tryUse());
        assertFalse(gate.tryEnter(Gate.WRITE));
        gate.leave(Gate.READ);
        assertEquals(1, gate.released.get());
    }

    @Test
    void whoGivesUpInLineDoesNotKeepTheOthersWaiting() throws Exception {
        var gate = new Counting();
        gate.enter(Gate.READ, 0);
        assertThrows(java.net.SocketTimeoutException.class, () -> gate.enter(Gate.READ, 1_000_000));
        var waiting = Thread.ofPlatform().start(() -> {
            try {
                gate.read();
            } catch (Exception e) {
                gate.wrong.incrementAndGet();
            }
        });
        while (waiting.getState() != Thread.State.WAITING) Thread.yield();
        gate.leave(Gate.READ);
        waiting.join();
        assertEquals(0, gate.wrong.get());
        gate.enter(Gate.READ, 0);
        gate.leave(Gate.READ);
    }
}
