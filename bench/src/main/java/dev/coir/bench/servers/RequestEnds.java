package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** All that the plain hello servers know of HTTP: an empty line ends a request, and this is the answer. */
final class RequestEnds {
    static final byte[] ANSWER = """
            HTTP/1.1 200 OK\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            Content-Type: text/plain\r
            Content-Length: 14\r
            \r
            Hello, world!
            """.getBytes(US_ASCII);

    private static final int END = 0x0d0a0d0a; // CR LF CR LF

    private int last; // the last four bytes

    /** Takes one byte; whether a request ends with it. */
    boolean endsWith(byte b) {
        last = last << 8 | (b & 0xff);
        return last == END;
    }
}
