package dev.coir.examples.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Which bytes may stand where, by RFC 9110 and 9112. Each test is one look into a table. */
final class Characters {
    private static final byte TOKEN = 1;
    private static final byte TARGET = 2;
    private static final byte VALUE = 4;
    private static final byte HOST = 8;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] KINDS = new byte[256];

    static {
        for (int c = 0x21; c < 0x7f; c++) KINDS[c] = TARGET | VALUE;
        for (int c = 0x80; c < 0x100; c++) KINDS[c] = VALUE;
        KINDS[' '] |= VALUE;
        KINDS['\t'] |= VALUE;
        String lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        mark(TOKEN, lettersAndDigits + "!#$%&'*+-.^_`|~");
        mark(HOST, lettersAndDigits + "-._~%!$&'()*+,;=:[]");
    }

    private Characters() {}

    private static void mark(byte kind, String members) {
        for (int i = 0; i < members.length(); i++) KINDS[members.charAt(i)] |= kind;
    }

    /** Of a method or a field's name. */
    static boolean isToken(byte b) {
        return (KINDS[b & 0xff] & TOKEN) != 0;
    }

    /** Of a request's target. */
    static boolean isTarget(byte b) {
        return (KINDS[b & 0xff] & TARGET) != 0;
    }

    /** Of a field's value, blanks included. */
    static boolean isValue(byte b) {
        return (KINDS[b & 0xff] & VALUE) != 0;
    }

    /** Of the value of Host. */
    static boolean isHost(byte b) {
        return (KINDS[b & 0xff] & HOST) != 0;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The digit's value, or -1. */
    static int hexDigit(byte b) {
        if (b >= '0' && b <= '9') return b - '0';
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /** Eight bytes as one number, the first of them the highest. */
    static long eightAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Whether the bytes are {@code word}, which is in lower case, in any case. */
    static boolean isWord(byte[] bytes, int from, int to, String word) {
        if (to - from != word.length()) return false;
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            if (b >= 'A' && b <= 'Z') b |= 0x20;
            if (b != word.charAt(i - from)) return false;
        }
        return true;
    }
}
