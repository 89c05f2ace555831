package dev.coir.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Writes JSON. The caller opens and closes in order; commas and escapes are seen to here. One thread. */
final class Json {
    private final Appendable out;
    private boolean first = true; // nothing stands before the next value in its object or array
    private boolean lineDue; // the next value begins a line

    Json(Appendable out) {
        this.out = out;
    }

    Json open(char bracket) {
        separate();
        put(bracket);
        first = true;
        return this;
    }

    Json close(char bracket) {
        put(bracket);
        first = false;
        return this;
    }

    /** Begins a member of an object; its value follows. */
    Json key(String name) {
        separate();
        quote(name);
        put(':');
        first = true;
        return this;
    }

    Json text(@Nullable CharSequence value) {
        separate();
        if (value == null) put("null");
        else quote(value);
        return this;
    }

    Json number(long value) {
        separate();
        put(Long.toString(value));
        return this;
    }

    Json truth(boolean value) {
        separate();
        put(Boolean.toString(value));
        return this;
    }

    /** Microseconds with three decimals: the unit of trace files. */
    Json micros(long nanos) {
        separate();
        put(Long.toString(nanos / 1000));
        long rest = nanos % 1000;
        if (rest != 0) put('.').put(Long.toString(1000 + rest).substring(1));
        return this;
    }

    Json texts(Collection<?> values) {
        open('[');
        for (Object each : values) text(each.toString());
        return close(']');
    }

    /** The next value begins a line: for readers, and for tools that go line by line. */
    Json newLine() {
        lineDue = true;
        return this;
    }

    private void separate() {
        if (!first) put(',');
        if (lineDue) put('\n');
        first = false;
        lineDue = false;
    }

    private void quote(CharSequence value) {
        put('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> put("\\\"");
                case '\\' -> put("\\\\");
                case '\n' -> put("\\n");
                case '\r' -> put("\\r");
                case '\t' -> put("\\t");
                default -> {
                    if (mustEscape(value, i, c)) put(String.format("\\u%04x", (int) c));
                    else put(c);
                }
            }
        }
        put('"');
    }

    /** Control characters; line ends that JavaScript sees and JSON does not; half a pair, which no encoding can write. */
    private static boolean mustEscape(CharSequence text, int at, char c) {
        if (c < 0x20 || c == 0x7f || c == '\u2028' || c == '\u2029') return true;
        if (!Character.isSurrogate(c)) return false;
        if (Character.isHighSurrogate(c))
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }

    private Json put(String s) {
        try {
            out.append(s);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private Json put(char c) {
        try {
            out.append(c);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }
}
