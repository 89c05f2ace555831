package dev.coir.examples.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coir.examples.server.Outbox;
import org.jspecify.annotations.Nullable;

/** Writes answers in the form of RESP2. */
final class Replies {
    private static final byte[] END = bytes("\r\n");
    private static final byte[] OK = bytes("+OK\r\n");
    private static final byte[] PONG = bytes("+PONG\r\n");
    private static final byte[] NIL = bytes("$-1\r\n");

    private final Outbox out;

    Replies(Outbox out) {
        this.out = out;
    }

    void ok() {
        out.put(OK);
    }

    void pong() {
        out.put(PONG);
    }

    void number(long number) {
        out.put(':').put(number).put(END);
    }

    void bulk(byte @Nullable [] value) {
        if (value == null) out.put(NIL);
        else bulk(value, 0, value.length);
    }

    void bulk(byte[] bytes, int from, int to) {
        out.put('$').put(to - from).put(END).put(bytes, from, to - from).put(END);
    }

    void bulk(String text) {
        bulk(bytes(text));
    }

    /** So many answers follow, which together are one. */
    void array(int count) {
        out.put('*').put(count).put(END);
    }

    /** An error is one line, whatever the client wrote into it. */
    void error(String text) {
        out.put('-').put(bytes(text.replace('\r', ' ').replace('\n', ' '))).put(END);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
