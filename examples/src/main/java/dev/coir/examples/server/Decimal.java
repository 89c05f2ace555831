package dev.coir.examples.server;

/** Whole numbers as decimal digits in arrays of bytes, without a String between. */
public final class Decimal {
    /** The digits of {@link Long#MIN_VALUE}, and its sign. */
    public static final int MAX_LENGTH = 20;

    private Decimal() {}

    /** Writes {@code number} at {@code at}, and returns how many bytes it took. */
    public static int write(long number, byte[] to, int at) {
        if (number >= 0 && number < 10) {
            to[at] = (byte) ('0' + number);
            return 1;
        }
        int length = length(number);
        long rest = number > 0 ? -number : number; // the negative range is the larger one
        for (int i = at + length - 1; rest != 0; i--) {
            to[i] = (byte) ('0' - rest % 10);
            rest /= 10;
        }
        if (number < 0) to[at] = '-';
        return length;
    }

    /** The number as digits of its own. */
    public static byte[] toBytes(long number) {
        byte[] bytes = new byte[length(number)];
        write(number, bytes, 0);
        return bytes;
    }

    private static int length(long number) {
        int length = number < 0 ? 2 : 1;
        for (long rest = number / 10; rest != 0; rest /= 10) length++;
        return length;
    }

    /**
     * Whether these bytes are a number that fits a long, in its one canonical form: no plus sign, no leading zeros, no blanks.
     */
    public static boolean isLong(byte[] bytes, int from, int to) {
        int at = from < to && bytes[from] == '-' ? from + 1 : from;
        int digits = to - at;
        if (digits == 0 || digits >= MAX_LENGTH) return false;
        if (bytes[at] == '0') return digits == 1 && at == from;
        for (int i = at; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') return false;
        }
        long negative = parseNegative(bytes, at, to);
        return negative < 0 && (at > from || negative != Long.MIN_VALUE);
    }

    /** The number that {@link #isLong} found to be one. */
    public static long parse(byte[] bytes, int from, int to) {
        return bytes[from] == '-' ? parseNegative(bytes, from + 1, to) : -parseNegative(bytes, from, to);
    }

    private static long parseNegative(
            byte[] bytes, int from, int to) { // wraps around to 0 or more when it does not fit
        long number = 0;
        for (int i = from; i < to; i++) number = 10 * number - (bytes[i] - '0');
        return number;
    }
}
