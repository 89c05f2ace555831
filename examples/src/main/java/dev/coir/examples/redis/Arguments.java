package dev.coir.examples.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coir.examples.server.Decimal;
import java.util.Arrays;

/** The words of one command, the first of which is its name. They lie where they came in, and nothing is copied unasked. */
final class Arguments {
    private static final int FEW = 16;

    private byte[] bytes = {};
    private int[] from = new int[FEW];
    private int[] to = new int[FEW];
    private int count;

    /** Forgets all. The words to come lie in {@code array}. */
    void clear(byte[] array) {
        bytes = array;
        count = 0;
        if (from.length > 1024) {
            from = new int[FEW];
            to = new int[FEW];
        }
    }

    void add(int start, int end) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
        }
        from[count] = start;
        to[count++] = end;
    }

    /** Tells where the words lie now: {@code array}, so many bytes further on than before. */
    void move(byte[] array, int distance) {
        bytes = array;
        for (int i = 0; i < count; i++) {
            from[i] += distance;
            to[i] += distance;
        }
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        return bytes;
    }

    int from(int i) {
        return from[i];
    }

    int to(int i) {
        return to[i];
    }

    int length(int i) {
        return to[i] - from[i];
    }

    byte[] copy(int i) {
        return Arrays.copyOfRange(bytes, from[i], to[i]);
    }

    String text(int i) {
        return new String(bytes, from[i], length(i), ISO_8859_1);
    }

    /** Whether it is {@code word}, in any case. */
    boolean is(int i, String word) {
        if (length(i) != word.length()) return false;
        for (int at = 0; at < word.length(); at++) {
            int b = bytes[from[i] + at];
            if (b >= 'a' && b <= 'z') b -= 'a' - 'A';
            if (b != word.charAt(at)) return false;
        }
        return true;
    }

    long number(int i) throws CommandError {
        if (!Decimal.isLong(bytes, from[i], to[i])) throw CommandError.notAnInteger();
        return Decimal.parse(bytes, from[i], to[i]);
    }
}
