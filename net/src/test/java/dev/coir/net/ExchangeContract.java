package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What {@link TcpStream#exchange} promises, whoever calls, whatever watches. */
abstract class ExchangeContract extends StreamGround {
    @Test
    void anExchangeWritesAndThenReads() throws Exception {
        try (Pair pair = talking()) {
            Future<String> client = ground.go(() -> {
                var all = new StringBuilder();
                ByteBuffer in = ByteBuffer.allocate(100);
                for (int i = 0; i < 50; i++) {
                    ByteBuffer out = bytes("question " + i);
                    int count = pair.client().exchange(out, in.clear());
                    assertFalse(out.hasRemaining());
                    assertEquals(count, in.position());
                    all.append(StandardCharsets.UTF_8.decode(in.flip()));
                }
                pair.client().shutdownOutput();
                assertEquals(-1, pair.client().exchange(bytes(""), in.clear()));
                return all.toString();
            });
            Future<String> server = ground.go(() -> {
                var all = new StringBuilder();
                ByteBuffer in = ByteBuffer.allocate(100);
                int count = pair.server().read(in);
                while (count >= 0) {
                    all.append(StandardCharsets.UTF_8.decode(in.flip()));
                    count = pair.server().exchange(bytes("!"), in.clear());
                }
                pair.server().shutdownOutput();
                return all.toString();
            });
            var questions = new StringBuilder();
            for (int i = 0; i < 50; i++) questions.append("question ").append(i);
            assertEquals(questions.toString(), Ground.get(server));
            assertEquals("!".repeat(51), Ground.get(client) + "!");
        }
    }

    @Test
    void anExchangeOfMoreThanThereIsRoomForGoesOnWhileTheOtherSideReads() throws Exception {
        try (Pair pair = talking()) {
            Future<Integer> client =
                    ground.go(() -> pair.client().exchange(ByteBuffer.wrap(MUCH), ByteBuffer.allocate(9)));
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            for (int sum = 0; sum < MUCH.length; ) sum += pair.server().read(buffer.clear());
            pair.server().write(bytes("thanks"));
            assertEquals(6, Ground.get(client));
        }
    }

    @Test
    void whatHasComeBeforeAnExchangeIsReadAfterTheWrite() throws Exception {
        try (Pair pair = pair()) {
            pair.server().write(bytes("early"));
            Future<String> client = ground.go(() -> {
                ByteBuffer in = ByteBuffer.allocate(3);
                assertEquals(3, pair.client().exchange(bytes("one"), in));
                ByteBuffer rest = ByteBuffer.allocate(9);
                assertEquals(2, pair.client().exchange(bytes("two"), rest));
                return new String(in.array(), StandardCharsets.UTF_8)
                        + new String(rest.array(), 0, 2, StandardCharsets.UTF_8);
            });
            assertEquals("early", Ground.get(client));
            ByteBuffer told = ByteBuffer.allocate(6);
            while (told.hasRemaining()) pair.server().read(told);
            assertEquals("onetwo", new String(told.array(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void anExchangeThatGetsNoAnswerTimesOutAndTheStreamStaysUsable() throws Exception {
        try (Pair pair = talking()) {
            pair.client().readTimeout(Duration.ofMillis(20));
            Future<Integer> client = ground.go(() -> {
                ByteBuffer out = bytes("?");
                assertThrows(SocketTimeoutException.class, () -> pair.client().exchange(out, ByteBuffer.allocate(9)));
                assertFalse(out.hasRemaining());
                pair.client().readTimeout(Duration.ZERO);
                return pair.client().exchange(bytes("!"), ByteBuffer.allocate(9));
            });
            ByteBuffer told = ByteBuffer.allocate(2);
            while (told.hasRemaining()) pair.server().read(told);
            pair.server().write(bytes("late"));
            assertEquals(4, Ground.get(client));
        }
    }

    @Test
    void anExchangeThatFindsNoRoomTimesOutAndTellsHowMuchItWrote() throws Exception {
        try (Pair pair = talking()) {
            pair.client().writeTimeout(Duration.ofMillis(20));
            Future<Integer> writing = ground.go(() -> {
                ByteBuffer much = ByteBuffer.wrap(MUCH);
                assertThrows(SocketTimeoutException.class, () -> pair.client().exchange(much, ByteBuffer.allocate(1)));
                pair.client().shutdownOutput();
                return much.position();
            });
            int written = Ground.get(writing);
            assertEquals(written, readToTheEnd(pair.server()));
        }
    }

    @Test
    void closeWakesWhoExchanges() throws Exception {
        assertCloseWakes(stream -> stream.exchange(bytes("?"), ByteBuffer.allocate(1)));
    }

    @Test
    void anInterruptEndsTheExchangeAndLeavesTheStreamUsable() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Pair pair = talking()) {
                var self = new AtomicReference<Runnable>();
                Future<Integer> exchanging = ground.go(() -> {
                    self.set(Interrupting.me());
                    ByteBuffer out = bytes("?");
                    assertThrows(
                            InterruptedIOException.class, () -> pair.server().exchange(out, ByteBuffer.allocate(1)));
                    pair.server().write(out); // unless it was written
                    return pair.server().exchange(bytes("!"), ByteBuffer.allocate(10));
                });
                while (self.get() == null) Thread.onSpinWait();
                for (int spins = 0; spins < i * 1000; spins++) Thread.onSpinWait();
                self.get().run();
                ByteBuffer told = ByteBuffer.allocate(2);
                while (told.hasRemaining()) pair.client().read(told);
                assertEquals("?!", new String(told.array(), StandardCharsets.UTF_8));
                pair.client().write(bytes("more"));
                assertEquals(4, Ground.get(exchanging));
            }
        }
    }

    @Test
    void othersMayWriteWhileAnExchangeWaitsForItsAnswer() throws Exception {
        try (Pair pair = talking()) {
            Future<Integer> exchanging = ground.go(() -> pair.client().exchange(bytes("?"), ByteBuffer.allocate(9)));
            ByteBuffer told = ByteBuffer.allocate(1);
            pair.server().read(told);
            Future<Integer> writing = ground.go(() -> pair.client().write(bytes("!")));
            assertEquals(1, Ground.get(writing));
            assertEquals(1, pair.server().read(told.clear()));
            pair.server().write(bytes("answer"));
            assertEquals(6, Ground.get(exchanging));
        }
    }

    @Test
    void othersMayReadWhileAnExchangeFindsNoRoom() throws Exception {
        try (Pair pair = talking()) {
            Future<Long> echo = ground.go(() -> {
                ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
                long sum = 0;
                while (sum < MUCH.length) {
                    sum += pair.server().read(buffer.clear());
                    pair.server().write(buffer.flip()); // finds no room while nobody reads what comes back
                }
                return sum;
            });
            var heard = new java.util.concurrent.atomic.AtomicLong();
            Future<Integer> exchanging = ground.go(() -> {
                int count = pair.client().exchange(ByteBuffer.wrap(MUCH), ByteBuffer.allocate(1));
                heard.addAndGet(count);
                return count;
            });
            while (!isInside(pair.client())) Thread.yield();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (heard.get() < MUCH.length - 1) heard.addAndGet(pair.client().read(buffer.clear()));
            assertEquals(MUCH.length, Ground.get(echo));
            if (heard.get() < MUCH.length) assertEquals(1, Ground.get(exchanging));
        }
    }

    @Test
    void anExchangeIntoWhatCannotBeFilledWritesNothing() throws Exception {
        try (Pair pair = talking()) {
            ByteBuffer out = bytes("?");
            Future<?> trying = ground.go(() -> {
                ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
                assertThrows(IllegalArgumentException.class, () -> pair.client().exchange(out, readOnly));
                assertThrows(IllegalArgumentException.class, () -> pair.client().exchange(out, out));
                assertEquals(1, out.remaining());
                return pair.client().exchange(out, ByteBuffer.allocate(0)); // as a read into it: at once
            });
            assertEquals(0, Ground.get(trying));
            assertEquals(1, pair.server().read(ByteBuffer.allocate(9)));
        }
    }
}
