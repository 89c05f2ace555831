package dev.coir.examples.redis;

/**
 * Splits a line into words at its blanks. {@code "double quotes"} keep blanks and know {@code \n}, {@code \x41} and the
 * like; {@code 'single quotes'} know {@code \'} alone. A word never gets longer by being unquoted, so that is done in place.
 */
final class TypedLine {
    private final byte[] bytes;
    private final int end;
    private int read;
    private int write;

    private TypedLine(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        read = from;
        write = from;
    }

    /** Adds the words; false when a quote is not closed, or something stands right behind the closing one. */
    static boolean split(byte[] bytes, int from, int to, Arguments into) {
        var line = new TypedLine(bytes, from, to);
        while (line.skipBlanks()) {
            int start = line.write;
            if (!line.word()) return false;
            into.add(start, line.write);
        }
        return true;
    }

    private boolean skipBlanks() {
        while (read < end && isBlank(bytes[read])) read++;
        write = read;
        return read < end;
    }

    private boolean word() {
        while (read < end && !isBlank(bytes[read])) {
            byte b = bytes[read++];
            if (b == '"' || b == '\'') return quoted(b) && (read == end || isBlank(bytes[read]));
            bytes[write++] = b;
        }
        return true;
    }

    private boolean quoted(byte quote) {
        while (read < end) {
            byte b = bytes[read++];
            if (b == quote) return true;
            if (b == '\\' && read < end) b = quote == '"' ? escaped() : escapedQuote();
            bytes[write++] = b;
        }
        return false;
    }

    private byte escapedQuote() {
        if (bytes[read] != '\'') return '\\';
        read++;
        return '\'';
    }

    private byte escaped() {
        byte b = bytes[read++];
        if (b == 'x' && end - read >= 2 && hexDigit(bytes[read]) >= 0 && hexDigit(bytes[read + 1]) >= 0) {
            read += 2;
            return (byte) (hexDigit(bytes[read - 2]) << 4 | hexDigit(bytes[read - 1]));
        }
        return meaning(b);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r') || b == 0;
    }

    private static byte meaning(byte letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> letter;
        };
    }

    private static int hexDigit(byte b) {
        return b < 0 ? -1 : Character.digit((char) b, 16);
    }
}
