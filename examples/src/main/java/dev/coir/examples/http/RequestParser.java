package dev.coir.examples.http;

import dev.coir.examples.server.Inbox;
import org.jspecify.annotations.Nullable;

/**
 * Finds requests in what a client sent, however it was cut into pieces, and refuses what RFC 9112 tells to refuse. Where
 * the RFC lets a server choose, it takes the strict way, which is also the short one. Allocates nothing.
 */
final class RequestParser {
    /*
     * Goes line by line. A line that is not complete is read again from its start when more has come; everything before
     * it is used up. So a message of any shape needs a buffer no larger than MAX_HEAD.
     *
     * from          to            cause
     * REQUEST_LINE  FIELD         a request line; empty lines before it are passed over
     * FIELD         REQUEST_LINE  the empty line, no body: a request
     * FIELD         BODY          the empty line, Content-Length
     * FIELD         CHUNK_SIZE    the empty line, chunked
     * BODY          REQUEST_LINE  all of it passed over: a request
     * CHUNK_SIZE    CHUNK         a size
     * CHUNK         CHUNK_SIZE    all of it passed over, and the line's end
     * CHUNK_SIZE    TRAILER       size 0
     * TRAILER       REQUEST_LINE  the empty line: a request
     */
    private enum Part {
        REQUEST_LINE,
        FIELD,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        TRAILER
    }

    enum Found {
        /** No whole request: read more. */
        MORE,
        /** A client that wants to see 100 Continue before it sends its body. */
        CONTINUE,
        /** A whole request. */
        REQUEST,
        /** Something that is refused. */
        FAULT
    }

    /** No part of a request but its body may be longer than this. */
    static final int MAX_HEAD = 8 * 1024;

    private static final long VERSION = 0x485454502f312e31L; // HTTP/1.1
    private static final int LINE_INCOMPLETE = -1;
    private static final int LINE_WRONG = -2;

    private final Fields fields = new Fields();
    private Part part = Part.REQUEST_LINE;
    private int headBytes; // of this request's lines so far
    private boolean isHead;
    private boolean isHttp11;
    private long bodyLeft; // of this chunk, or of the body
    private long chunkedBytes; // of all chunks so far
    private @Nullable Fault fault;
    private String reason = "";

    /** Goes on where it ended, and uses up what it understood. After FAULT it is of no more use. */
    Found next(Inbox in) {
        while (true) {
            int before = in.start();
            Found found = switch (part) {
                case REQUEST_LINE -> requestLine(in);
                case FIELD, TRAILER -> fieldLine(in);
                case BODY -> body(in);
                case CHUNK_SIZE -> chunkSize(in);
                case CHUNK -> chunk(in);
            };
            if (found != Found.MORE) return found;
            if (in.start() == before) return ensureHeadFits(in.size());
        }
    }

    /** Whether the last request was whole, and nothing has been used up since. */
    boolean isBetweenRequests() {
        return part == Part.REQUEST_LINE && headBytes == 0;
    }

    boolean isHead() {
        return isHead;
    }

    boolean isHttp11() {
        return isHttp11;
    }

    boolean keepsAlive() {
        return fields.keepsAlive(isHttp11);
    }

    Fault fault() {
        if (fault == null) throw new IllegalStateException("no fault was found");
        return fault;
    }

    /** What is wrong, for people. */
    String reason() {
        return reason;
    }

    private Found ensureHeadFits(int more) {
        if (headBytes + more <= MAX_HEAD || part == Part.BODY) return Found.MORE;
        return part == Part.REQUEST_LINE
                ? fault(Fault.URI_TOO_LONG, "a request line may have 8 KiB")
                : fault(Fault.FIELDS_TOO_LARGE, "the fields may have 8 KiB");
    }

    private Found requestLine(Inbox in) {
        byte[] bytes = in.bytes();
        int end = in.end();
        int start = in.start();
        while (end - start >= 2 && bytes[start] == '\r' && bytes[start + 1] == '\n') start += 2;
        headBytes += start - in.start();
        in.useUpTo(start);

        int methodEnd = start;
        while (methodEnd < end && Characters.isToken(bytes[methodEnd])) methodEnd++;
        if (methodEnd == end) return Found.MORE;
        if (methodEnd == start && bytes[start] == '\r' && end - start == 1) return Found.MORE;
        if (methodEnd == start || bytes[methodEnd] != ' ') return bad("a request that begins with no method");

        int target = methodEnd + 1;
        int targetEnd = target;
        while (targetEnd < end && Characters.isTarget(bytes[targetEnd])) targetEnd++;
        if (targetEnd == end) return Found.MORE;
        if (targetEnd == target || bytes[targetEnd] != ' ') return bad("a request line without a proper target");

        int version = targetEnd + 1;
        int next = endOfLine(bytes, version, end);
        if (next == LINE_INCOMPLETE) return Found.MORE;
        if (next == LINE_WRONG || next - version != Long.BYTES + 2) return bad("a request line without a version");
        Found wrong = version(Characters.eightAt(bytes, version));
        if (wrong == Found.FAULT) return wrong;
        return request(in, next, methodEnd, target);
    }

    private Found version(long version) {
        isHttp11 = version == VERSION;
        if (isHttp11) return Found.REQUEST;
        byte major = (byte) (version >> 16);
        byte minor = (byte) version;
        boolean isVersion = (version | 0xff00ffL) == (VERSION | 0xff00ffL) && isDigit(major) && isDigit(minor);
        if (!isVersion) return bad("a request line without a version");
        if (major != '1') return fault(Fault.VERSION_NOT_SUPPORTED, "this is HTTP/1.1");
        isHttp11 = minor != '0'; // a later minor version would be understood as this one
        return Found.REQUEST;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private Found request(Inbox in, int next, int methodEnd, int target) {
        byte[] bytes = in.bytes();
        int start = in.start();
        isHead = is(bytes, start, methodEnd, "HEAD");
        if (!isHead && !is(bytes, start, methodEnd, "GET") && !is(bytes, start, methodEnd, "POST")) {
            return fault(Fault.NOT_IMPLEMENTED, "the methods here are GET, HEAD and POST");
        }
        byte first = bytes[target];
        if (first != '/' && first != 'h' && first != 'H') return bad("a target that is neither a path nor a URL");
        fields.clear();
        advance(in, next);
        if (ensureHeadFits(0) == Found.FAULT) return Found.FAULT;
        part = Part.FIELD;
        return Found.MORE;
    }

    private static boolean is(byte[] bytes, int from, int to, String word) {
        if (to - from != word.length()) return false;
        for (int i = from; i < to; i++) if (bytes[i] != word.charAt(i - from)) return false;
        return true;
    }

    /** One field, or the empty line behind the last. */
    private Found fieldLine(Inbox in) {
        byte[] bytes = in.bytes();
        int end = in.end();
        int name = in.start();
        int nameEnd = name;
        while (nameEnd < end && Characters.isToken(bytes[nameEnd])) nameEnd++;
        if (nameEnd == end) return Found.MORE;
        if (nameEnd == name) {
            int next = endOfLine(bytes, name, end);
            if (next == LINE_INCOMPLETE) return Found.MORE;
            if (next != name + 2) return bad("a field without a name");
            advance(in, next);
            return part == Part.TRAILER ? request() : endOfFields();
        }
        if (bytes[nameEnd] != ':') return bad("a field without a colon behind its name");

        int value = nameEnd + 1;
        while (value < end && Characters.isBlank(bytes[value])) value++;
        int next = endOfLine(bytes, value, end);
        if (next == LINE_INCOMPLETE) return Found.MORE;
        if (next == LINE_WRONG)
            return bad("a field with a forbidden character, or a line that does not end with CR LF");
        int valueEnd = next - 2;
        while (valueEnd > value && Characters.isBlank(bytes[valueEnd - 1])) valueEnd--;
        if (part == Part.FIELD) {
            Fault wrong = fields.add(bytes, name, nameEnd, value, valueEnd);
            if (wrong != null) return fault(wrong, fields.reason());
        }
        advance(in, next);
        return ensureHeadFits(0);
    }

    private Found endOfFields() {
        if (ensureHeadFits(0) == Found.FAULT) return Found.FAULT;
        Fault wrong = fields.check(isHttp11);
        if (wrong != null) return fault(wrong, fields.reason());
        headBytes = 0;
        if (fields.isChunked()) {
            part = Part.CHUNK_SIZE;
            chunkedBytes = 0;
        } else {
            bodyLeft = fields.bodyLength();
            if (bodyLeft == 0) return request();
            part = Part.BODY;
        }
        return fields.expectsContinue() && isHttp11 ? Found.CONTINUE : Found.MORE;
    }

    private Found request() {
        part = Part.REQUEST_LINE;
        headBytes = 0;
        return Found.REQUEST;
    }

    private Found body(Inbox in) {
        int skipped = (int) Math.min(bodyLeft, in.size());
        in.useUpTo(in.start() + skipped);
        bodyLeft -= skipped;
        return bodyLeft == 0 ? request() : Found.MORE;
    }

    /** Hexadecimal digits, perhaps an extension, which is passed over. */
    private Found chunkSize(Inbox in) {
        byte[] bytes = in.bytes();
        int end = in.end();
        int start = in.start();
        int at = start;
        long size = 0;
        while (at < end && Characters.hexDigit(bytes[at]) >= 0) {
            size = Math.min(16 * size + Characters.hexDigit(bytes[at++]), Fields.MAX_BODY + 1);
        }
        if (at == end) return Found.MORE;
        if (at == start) return bad("a chunk without a size");
        if (bytes[at] != '\r' && bytes[at] != ';' && !Characters.isBlank(bytes[at]))
            return bad("a chunk with a wrong size");
        int next = endOfLine(bytes, at, end);
        if (next == LINE_INCOMPLETE) return Found.MORE;
        if (next == LINE_WRONG) return bad("a chunk's size whose line does not end with CR LF");
        chunkedBytes += size;
        if (chunkedBytes > Fields.MAX_BODY) return fault(Fault.CONTENT_TOO_LARGE, "a body may have 1 MiB");
        in.useUpTo(next);
        bodyLeft = size;
        part = size == 0 ? Part.TRAILER : Part.CHUNK;
        return Found.MORE;
    }

    private Found chunk(Inbox in) {
        int skipped = (int) Math.min(bodyLeft, in.size());
        in.useUpTo(in.start() + skipped);
        bodyLeft -= skipped;
        if (bodyLeft > 0) return Found.MORE;
        int next = endOfLine(in.bytes(), in.start(), in.end());
        if (next == LINE_INCOMPLETE) return Found.MORE;
        if (next != in.start() + 2) return bad("a chunk longer than its size");
        in.useUpTo(next);
        part = Part.CHUNK_SIZE;
        return Found.MORE;
    }

    /** Where the next line begins. The rest of this one may hold what a field's value may hold. */
    private static int endOfLine(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && Characters.isValue(bytes[at])) at++;
        if (at == end) return LINE_INCOMPLETE;
        if (bytes[at] != '\r') return LINE_WRONG;
        if (at + 1 == end) return LINE_INCOMPLETE;
        return bytes[at + 1] == '\n' ? at + 2 : LINE_WRONG;
    }

    private void advance(Inbox in, int next) {
        headBytes += next - in.start();
        in.useUpTo(next);
    }

    private Found bad(String why) {
        return fault(Fault.BAD_REQUEST, why);
    }

    private Found fault(Fault found, String why) {
        fault = found;
        reason = why;
        return Found.FAULT;
    }
}
