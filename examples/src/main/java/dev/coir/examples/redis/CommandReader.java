package dev.coir.examples.redis;

import dev.coir.examples.server.Decimal;
import dev.coir.examples.server.Inbox;

/**
 * Finds commands in what a client sent, however it was cut into pieces: arrays of bulk strings as client libraries send
 * them, and plain lines as people type them. What is wrong is said in the words of Redis.
 */
final class CommandReader {
    enum Found {
        /** No whole command: read more. */
        MORE,
        /** A command is in the arguments, until more is read. */
        COMMAND,
        /** No command, and no way to tell where the next one begins. */
        FAULT
    }

    static final int MAX_BULK = 8 * 1024 * 1024;
    static final int MAX_COMMAND = 16 * 1024 * 1024;
    static final int MAX_LINE = 64 * 1024;
    static final int MAX_WORDS = 1024 * 1024;

    private static final int UNKNOWN = -1;

    private final Arguments arguments = new Arguments();
    private int words; // announced by the array that is being read; 0: none is
    private int at; // bytes of it that are understood
    private int bulk = UNKNOWN; // length of the word that is being read
    private String fault = "";
    private int start; // where the command lay when last looked at

    Arguments arguments() {
        return arguments;
    }

    /** What is wrong, as the client is to be told. */
    String fault() {
        return fault;
    }

    /** Goes on where it ended, and uses up whole commands only. After FAULT it is of no more use. */
    Found next(Inbox in) {
        while (in.size() > 0) {
            boolean isArray = words > 0 || in.bytes()[in.start()] == '*';
            Found found = isArray ? array(in) : line(in);
            if (found == Found.COMMAND && arguments.count() == 0) continue; // an empty line, or *0
            if (found == Found.MORE && in.size() >= MAX_COMMAND) return fault("too big command");
            return found;
        }
        return Found.MORE;
    }

    private Found array(Inbox in) {
        byte[] bytes = in.bytes();
        if (words == 0) {
            Found found = arrayLength(in);
            if (found != Found.MORE || words == 0) return found;
        } else {
            arguments.move(bytes, in.start() - start); // what came in may lie elsewhere by now
        }
        start = in.start();
        while (arguments.count() < words) {
            if (bulk == UNKNOWN) {
                Found found = bulkLength(in);
                if (found == Found.FAULT || bulk == UNKNOWN) return found;
            }
            int from = start + at;
            if (in.end() - from < bulk + 2) return Found.MORE;
            if (bytes[from + bulk] != '\r' || bytes[from + bulk + 1] != '\n')
                return fault("expected CRLF behind a bulk");
            arguments.add(from, from + bulk);
            at += bulk + 2;
            bulk = UNKNOWN;
        }
        in.useUpTo(start + at);
        words = 0;
        return Found.COMMAND;
    }

    private Found arrayLength(Inbox in) {
        byte[] bytes = in.bytes();
        int from = in.start() + 1;
        int end = endOfLine(in, from);
        if (end == UNKNOWN) return isLong(in, from) ? fault("too big mbulk count string") : Found.MORE;
        long length = number(bytes, from, end, -1);
        if (length > MAX_WORDS || (length == -1 && !isMinusOne(bytes, from, end)))
            return fault("invalid multibulk length");
        arguments.clear(bytes);
        if (length <= 0) {
            in.useUpTo(end + 2);
            return Found.COMMAND;
        }
        words = (int) length;
        at = end + 2 - in.start();
        return Found.MORE;
    }

    private Found bulkLength(Inbox in) {
        byte[] bytes = in.bytes();
        int from = start + at;
        if (from == in.end()) return Found.MORE;
        if (bytes[from] != '$') return fault("expected '$', got '" + shown(bytes[from]) + "'");
        int end = endOfLine(in, from + 1);
        if (end == UNKNOWN) return isLong(in, from) ? fault("too big bulk count string") : Found.MORE;
        long length = number(bytes, from + 1, end, -1);
        if (length < 0 || length > MAX_BULK) return fault("invalid bulk length");
        bulk = (int) length;
        at = end + 2 - start;
        return Found.MORE;
    }

    private static char shown(byte b) {
        return b >= ' ' && b < 127 ? (char) b : '?';
    }

    private static boolean isMinusOne(byte[] bytes, int from, int to) {
        return to - from == 2 && bytes[from] == '-' && bytes[from + 1] == '1';
    }

    private static long number(byte[] bytes, int from, int to, long otherwise) {
        return Decimal.isLong(bytes, from, to) ? Decimal.parse(bytes, from, to) : otherwise;
    }

    /** Where CR LF begins, or UNKNOWN. */
    private static int endOfLine(Inbox in, int from) {
        byte[] bytes = in.bytes();
        for (int i = from; i < in.end() - 1; i++) if (bytes[i] == '\r' && bytes[i + 1] == '\n') return i;
        return UNKNOWN;
    }

    private static boolean isLong(Inbox in, int from) {
        return in.end() - from > MAX_LINE;
    }

    private Found line(Inbox in) {
        byte[] bytes = in.bytes();
        int from = in.start();
        int end = from;
        while (end < in.end() && bytes[end] != '\n') end++;
        if (end - from > MAX_LINE) return fault("too big inline request");
        if (end == in.end()) return Found.MORE;
        int lineEnd = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
        in.useUpTo(end + 1);
        arguments.clear(bytes);
        return TypedLine.split(bytes, from, lineEnd, arguments) ? Found.COMMAND : fault("unbalanced quotes in request");
    }

    private Found fault(String what) {
        fault = "ERR Protocol error: " + what;
        return Found.FAULT;
    }
}
