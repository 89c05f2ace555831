package dev.coir.net.internal;

import static dev.coir.net.internal.Gate.READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.net.internal.Stepped.Who;
import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousCloseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An event and a close, an interrupt or a time-out, both before the fiber that waits runs again. A thread cannot be held back. */
@ParameterizedClass
@EnumSource(value = Who.class, names = ".*_FIBER", mode = EnumSource.Mode.MATCH_ALL)
class SimulatedFiberTest extends SimulatedConnection {
    @Test
    void anEventBeforeCloseEndsInAnExceptionAndTheNumberIsKeptUntilThen() throws Exception {
        int number = socket.number();
        var reader = reading(0);
        tellAtOnce();
        reader.awaitRunnable();
        socket.closeNow();
        assertTrue(sys.isOpen(number), "somebody is inside");
        assertThrows(AsynchronousCloseException.class, reader::end);
        assertFalse(sys.isOpen(number));
    }

    @Test
    void anEventAfterCloseHarmsNobody() throws Exception {
        int number = socket.number();
        var reader = reading(0);
        sys.send(peer, "x");
        socket.closeNow();
        reader.awaitRunnable();
        sys.deliverAll();
        assertTrue(sys.isOpen(number), "somebody is inside");
        assertThrows(AsynchronousCloseException.class, reader::end);
        assertFalse(sys.isOpen(number));
    }

    @Test
    void anInterruptAfterTheEventIsKeptForTheNextCall() throws Exception {
        var reader = Stepped.start(who, this::readTwice).runUntilItAwaits(socket, READ);
        tellAtOnce();
        reader.awaitRunnable();
        reader.interrupt();
        assertEquals("x, then interrupted", reader.end());
    }

    @Test
    void anEventAfterTheInterruptAndBeforeItIsNoticedStillCounts() throws Exception {
        var reader = Stepped.start(who, this::readTwice).runUntilItAwaits(socket, READ);
        reader.interrupt();
        reader.awaitRunnable();
        tellAtOnce();
        assertEquals("x, then interrupted", reader.end());
    }

    private String readTwice() throws Exception {
        String first = read(socket, 0);
        assertThrows(InterruptedIOException.class, () -> read(socket, 0));
        return first + ", then interrupted";
    }

    /** Somebody who waits for a short time; for longer when the machine was so slow that it did not come to wait. */
    private Stepped<String> readingBriefly() {
        for (long nanos = SHORT_NANOS; ; nanos *= 4) {
            long timeoutNanos = nanos;
            var reader = Stepped.start(who, () -> read(socket, timeoutNanos));
            if (reader.runsUntilItAwaits(socket, READ)) return reader;
        }
    }

    @Test
    void anEventInTimeCountsHoweverLateItsFiberRuns() throws Exception {
        var reader = readingBriefly();
        tellAtOnce();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 2 * SHORT_NANOS) Thread.yield();
        assertEquals("x", reader.end());
    }

    @Test
    void anEventAfterTheTimeAndBeforeItsFiberNoticesStillCounts() throws Exception {
        var reader = readingBriefly();
        reader.awaitRunnable(); // its time is up
        tellAtOnce();
        assertEquals("x", reader.end());
    }
}
