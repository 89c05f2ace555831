package dev.coir.examples.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoxesTest {
    private static String take(Inbox in, int length) {
        int start = in.start();
        in.useUpTo(start + length);
        return new String(in.bytes(), start, length, ISO_8859_1);
    }

    @Test
    void whatIsNotUsedUpStaysInFrontOfWhatComesNext() throws Exception {
        var in = new Inbox(new ScriptedChannel("abc", "def"), 1024);
        assertTrue(in.fill());
        assertEquals("a", take(in, 1));
        assertTrue(in.fill());
        assertEquals("bcdef", take(in, 5));
        assertFalse(in.fill());
    }

    /** Pieces of all sizes go in, and pieces of all other sizes come out, the same bytes in the same order. */
    @Test
    void nothingIsLostOrChangedWhileTheBoxGrowsAndShrinks() throws Exception {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var all = new StringBuilder();
            String[] pieces = new String[20];
            for (int i = 0; i < pieces.length; i++) {
                var piece = new StringBuilder();
                for (int n = 1 + random.nextInt(1 << random.nextInt(15)); n > 0; n--) {
                    piece.append((char) random.nextInt(256));
                }
                pieces[i] = piece.toString();
                all.append(piece);
            }
            var channel = new ScriptedChannel(pieces);
            var in = new Inbox(channel, 1 << 20);
            var seen = new StringBuilder();
            while (in.fill()) {
                int left = random.nextInt(3) == 0 ? random.nextInt(1 << random.nextInt(16)) : 0;
                if (in.size() > left) seen.append(take(in, in.size() - left));
            }
            seen.append(take(in, in.size()));
            assertEquals(all.toString(), seen.toString());
        }
    }

    @Test
    void aBoxThatNobodyEmptiesGrowsToItsLimitAndNoFurther() throws Exception {
        var in = new Inbox(new ScriptedChannel("x".repeat(10_000)), 5_000);
        for (int i = 0; i < 4; i++) assertTrue(in.fill()); // 1024, 2048, 4096, 5000
        assertEquals(5_000, in.size());
        assertThrows(IllegalStateException.class, in::fill);
    }

    @Test
    void anIdleBoxIsSmallAgainAfterALargeMessage() throws Exception {
        var in = new Inbox(new ScriptedChannel("x".repeat(100_000), "y"), 1 << 20);
        while (in.size() < 100_000) in.fill();
        take(in, 100_000);
        in.fill();
        assertEquals(1024, in.bytes().length);
        assertEquals("y", take(in, 1));
    }

    @Test
    void answersGatherAndGoOutInOneWrite() throws Exception {
        var channel = new ScriptedChannel();
        var out = new Outbox(channel);
        out.put(new byte[] {'a', 'b'}).put('c').put(-12).put(new byte[] {'d', 'e', 'f'}, 1, 1);
        assertEquals(List.of(), channel.writes());
        out.flush();
        out.flush();
        assertEquals(List.of("abc-12e"), channel.writes());
    }

    /** Alone, in front of others, behind them, in part, twice in a row, after a pipeline: the bytes are right, and stay so. */
    @Test
    void aSharedAnswerGoesOutAsItIsAndIsNeverWrittenTo() throws Exception {
        var channel = new ScriptedChannel();
        var out = new Outbox(channel);
        byte[] shared = "shared".getBytes(US_ASCII);
        byte[] other = "other".getBytes(US_ASCII);
        out.putShared(shared, 6).flush();
        out.putShared(shared, 2).flush();
        out.putShared(other, 5).flush();
        out.putShared(shared, 6).putShared(shared, 6).put('!').flush();
        out.putShared(shared, 6).flush();
        out.put('?').putShared(shared, 3).flush();
        assertEquals(List.of("shared", "sh", "other", "sharedshared!", "shared", "?sha"), channel.writes());
        assertEquals("shared", new String(shared, US_ASCII));
        assertEquals("other", new String(other, US_ASCII));
    }

    /** What is put behind a shared answer must not land in the array of all others, however large that is. */
    @Test
    void aShortPartOfASharedAnswerIsNotContinuedInPlace() throws Exception {
        var channel = new ScriptedChannel();
        byte[] shared = "0123456789".repeat(200).getBytes(US_ASCII);
        byte[] copy = shared.clone();
        var out = new Outbox(channel);
        out.putShared(shared, 4).put('x').put(7).flush();
        assertEquals(List.of("0123x7"), channel.writes());
        assertArrayEquals(copy, shared);
    }

    @Test
    void aChannelThatTakesLittleAtATimeGetsItAll() throws Exception {
        var channel = new ScriptedChannel(3, "");
        var out = new Outbox(channel);
        String text = "0123456789".repeat(30_000);
        out.put(text.getBytes(US_ASCII));
        assertTrue(out.isLarge());
        out.flush();
        assertFalse(out.isLarge());
        assertEquals(text, channel.written());
    }

    @Test
    void numbersBecomeDigitsAndDigitsBecomeNumbers() {
        long[] numbers = {0, 1, 9, 10, 11, 99, 100, -1, -9, -10, -100, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
        for (long each : numbers) {
            byte[] bytes = Decimal.toBytes(each);
            assertEquals(String.valueOf(each), new String(bytes, US_ASCII));
            assertTrue(Decimal.isLong(bytes, 0, bytes.length));
            assertEquals(each, Decimal.parse(bytes, 0, bytes.length));
        }
    }

    @Test
    void whatIsNoLongIsSeenAsSuch() {
        String[] wrong = {
            "",
            "-",
            "+1",
            " 1",
            "1 ",
            "01",
            "-0",
            "-01",
            "1a",
            "a",
            "0x1",
            "1.0",
            "9223372036854775808",
            "-9223372036854775809",
            "9999999999999999999",
            "18446744073709551617",
            "99999999999999999999999999"
        };
        for (String each : wrong) {
            byte[] bytes = each.getBytes(US_ASCII);
            assertFalse(Decimal.isLong(bytes, 0, bytes.length), each);
        }
    }
}
