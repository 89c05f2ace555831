package dev.coir.net.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocol between a party that tries and waits, and events that come at any moment. */
@Timeout(60)
class HandleTest {
    /** A handle whose data the test makes: as long as there is some, a try takes one. */
    private static final class Made extends Handle {
        final AtomicInteger there = new AtomicInteger();
        final boolean clears; // before it tries, or leaves that to the wait
        int tries; // who takes

        Made() {
            this(true);
        }

        Made(boolean clears) {
            this.clears = clears;
        }

        boolean tryTake() {
            tries++;
            if (clears) beginTry(READ);
            int seen = there.get();
            return seen > 0 && there.compareAndSet(seen, seen - 1);
        }

        /** As a kernel does: the data first, the edge after. */
        void put() {
            there.incrementAndGet();
            ready(READ);
        }

        void take(long timeoutNanos) throws Exception {
            enter(READ, 0);
            try {
                while (!tryTake()) await(READ, "data", deadlineIn(timeoutNanos), timeoutNanos);
            } finally {
                leave(READ);
            }
        }

        @Override
        Watcher preferredWatcher() {
            return new Told();
        }

        @Override
        int number() {
            return 0;
        }

        @Override
        void distrustShortReads() {}

        @Override
        void release() {}

        @Override
        void expel() {}

        @Override
        String turnReason(int direction) {
            return "turn";
        }
    }

    /** Nobody has to be asked: the test tells the handle itself. */
    private static final class Told implements Watcher {
        @Override
        public boolean add(Handle handle) {
            return true;
        }

        @Override
        public void remove(Handle handle, boolean closing) {}

        @Override
        public boolean isMakeshift() {
            return false;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void want(Handle handle, int direction) {}

        @Override
        public int poll(long nanos) {
            return 0;
        }

        @Override
        public void wakeUp() {}

        @Override
        public boolean isWatching() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void noEdgeIsLost() throws Exception {
        noEdgeIsLost(true);
    }

    /** As writes do: READY may stand while they try. */
    @Test
    void noEdgeIsLostByTriesThatClearNothing() throws Exception {
        noEdgeIsLost(false);
    }

    @Test
    void anEventBeforeATryThatClearsNothingCostsOneMore() throws Exception {
        var handle = new Made(false);
        handle.ready(Gate.READ);
        assertThrows(SocketTimeoutException.class, () -> handle.take(1_000_000));
        assertEquals(2, handle.tries);
        assertFalse(handle.isReady(Gate.READ));
        handle.put();
        handle.take(0);
        assertEquals(3, handle.tries);
        assertTrue(handle.isReady(Gate.READ)); // it stands: the next event moves nothing
        assertFalse(handle.ready(Gate.READ));
    }

    private static void noEdgeIsLost(boolean clears) throws Exception {
        int count = 20_000;
        try (Scheduler scheduler = Scheduler.start(2)) {
            for (Fiber.Kind kind : Fiber.Kind.values()) {
                var handle = new Made(clears);
                Fiber<Integer> taking = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                    for (int i = 0; i < count; i++) handle.take(0);
                    return count;
                });
                for (int i = 0; i < count; i++) {
                    handle.put();
                    if (i % 3 == 0) for (int spins = 0; spins < i % 400; spins++) Thread.onSpinWait();
                }
                assertEquals(count, taking.get(20, TimeUnit.SECONDS));
                assertEquals(0, handle.there.get());
            }
        }
    }

    @Test
    void anEventThatMeetsATimeOutIsKept() throws Exception {
        var handle = new Made();
        for (int i = 0; i < 2000; i++) {
            Thread putting = Thread.ofPlatform().start(handle::put);
            while (true) {
                try {
                    handle.take(20_000);
                    break;
                } catch (SocketTimeoutException notYet) {
                    // try again
                }
            }
            putting.join();
            assertEquals(0, handle.there.get());
        }
    }

    @Test
    void anInterruptEndsTheWaitAndNothingElse() throws Exception {
        var handle = new Made();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, () -> handle.take(0));
        handle.put();
        handle.take(0);
    }

    @Test
    void closeAtAnyMomentEndsTheWait() throws Exception {
        for (int i = 0; i < 2000; i++) {
            var handle = new Made();
            Thread closing = Thread.ofPlatform().start(handle::close);
            assertThrows(java.nio.channels.ClosedChannelException.class, () -> handle.take(0));
            closing.join();
        }
        var handle = new Made();
        handle.enter(Gate.READ, 0);
        handle.close();
        assertThrows(AsynchronousCloseException.class, () -> handle.await(Gate.READ, "data", Long.MAX_VALUE, 0));
        handle.leave(Gate.READ);
    }
}
