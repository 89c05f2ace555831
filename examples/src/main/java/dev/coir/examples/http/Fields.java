package dev.coir.examples.http;

import org.jspecify.annotations.Nullable;

/** What the header fields of one request say about how to read and answer it. All other fields are passed over. */
final class Fields {
    static final long MAX_BODY = 1024 * 1024;

    private boolean close;
    private boolean keepAlive;
    private boolean hasHost;
    private long contentLength; // -1: none
    private boolean chunked;
    private boolean expectsContinue;
    private String reason = ""; // why a fault was found

    void clear() {
        close = false;
        keepAlive = false;
        hasHost = false;
        contentLength = -1;
        chunked = false;
        expectsContinue = false;
    }

    /** Takes one field; what is wrong with it, or null. The name is a token, the value has no blanks around it. */
    @Nullable
    Fault add(byte[] bytes, int name, int nameEnd, int value, int valueEnd) {
        return switch (nameEnd - name) {
            case 4 -> Characters.isWord(bytes, name, nameEnd, "host") ? host(bytes, value, valueEnd) : null;
            case 6 -> Characters.isWord(bytes, name, nameEnd, "expect") ? expect(bytes, value, valueEnd) : null;
            case 10 ->
                Characters.isWord(bytes, name, nameEnd, "connection") ? connection(bytes, value, valueEnd) : null;
            case 14 ->
                Characters.isWord(bytes, name, nameEnd, "content-length") ? length(bytes, value, valueEnd) : null;
            case 17 ->
                Characters.isWord(bytes, name, nameEnd, "transfer-encoding") ? encoding(bytes, value, valueEnd) : null;
            default -> null;
        };
    }

    private @Nullable Fault host(byte[] bytes, int from, int to) {
        if (hasHost) return bad("two Host fields");
        hasHost = true;
        for (int i = from; i < to; i++) {
            if (!Characters.isHost(bytes[i])) return bad("a Host that is none");
        }
        return null;
    }

    private @Nullable Fault expect(byte[] bytes, int from, int to) {
        if (!Characters.isWord(bytes, from, to, "100-continue")) {
            return fault(Fault.EXPECTATION_FAILED, "only 100-continue may be expected");
        }
        expectsContinue = true;
        return null;
    }

    private @Nullable Fault connection(byte[] bytes, int from, int to) { // a list: "keep-alive, Upgrade"
        int start = from;
        while (start < to) {
            int comma = start;
            while (comma < to && bytes[comma] != ',') comma++;
            int end = comma;
            while (start < end && Characters.isBlank(bytes[start])) start++;
            while (end > start && Characters.isBlank(bytes[end - 1])) end--;
            if (Characters.isWord(bytes, start, end, "close")) close = true;
            if (Characters.isWord(bytes, start, end, "keep-alive")) keepAlive = true;
            start = comma + 1;
        }
        return null;
    }

    private @Nullable Fault length(byte[] bytes, int from, int to) {
        if (contentLength >= 0) return bad("two Content-Length fields");
        if (from == to) return bad("an empty Content-Length");
        long length = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') return bad("a Content-Length that is no number");
            length = Math.min(10 * length + (bytes[i] - '0'), MAX_BODY + 1);
        }
        contentLength = length;
        return null;
    }

    private @Nullable Fault encoding(byte[] bytes, int from, int to) {
        if (chunked) return bad("two Transfer-Encoding fields");
        if (Characters.isWord(bytes, from, to, "chunked")) {
            chunked = true;
            return null;
        }
        int last = to;
        while (last > from && bytes[last - 1] != ',' && !Characters.isBlank(bytes[last - 1])) last--;
        return Characters.isWord(bytes, last, to, "chunked")
                ? fault(Fault.NOT_IMPLEMENTED, "the only transfer coding here is chunked")
                : bad("a body whose end cannot be told: the last transfer coding is not chunked");
    }

    /** What is wrong with all of them together, or null. */
    @Nullable
    Fault check(boolean isHttp11) {
        if (isHttp11 && !hasHost) return bad("no Host field");
        if (chunked && contentLength >= 0) return bad("both Content-Length and Transfer-Encoding");
        if (chunked && !isHttp11) return bad("Transfer-Encoding in HTTP/1.0");
        if (contentLength > MAX_BODY) return fault(Fault.CONTENT_TOO_LARGE, "a body may have 1 MiB");
        return null;
    }

    boolean keepsAlive(boolean isHttp11) {
        return !close && (isHttp11 || keepAlive);
    }

    boolean isChunked() {
        return chunked;
    }

    /** The length of a body that is not chunked; 0 when there is none. */
    long bodyLength() {
        return Math.max(contentLength, 0);
    }

    /** Whether the client waits to be told before it sends its body. */
    boolean expectsContinue() {
        return expectsContinue && (chunked || contentLength > 0);
    }

    String reason() {
        return reason;
    }

    private Fault bad(String why) {
        return fault(Fault.BAD_REQUEST, why);
    }

    private Fault fault(Fault fault, String why) {
        reason = why;
        return fault;
    }
}
