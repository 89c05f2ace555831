package dev.coir.examples.redis;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands there are. */
enum Command {
    GET(2, true),
    SET(-3, true),
    INCR(2, true),
    DECR(2, true),
    DEL(-2, true),
    EXISTS(-2, true),
    MGET(-2, true),
    MSET(-3, true),
    EXPIRE(3, true),
    PEXPIRE(3, true),
    TTL(2, true),
    PTTL(2, true),
    PING(-1, false),
    ECHO(2, false),
    INFO(-1, false),
    CONFIG(-2, false),
    COMMAND(-1, false),
    DBSIZE(1, false),
    FLUSHALL(-1, false),
    SELECT(2, false),
    QUIT(-1, false);

    /** How many words, the name among them; at least as many when negative. */
    final int arity;

    final boolean hasKeys;

    Command(int arity, boolean hasKeys) {
        this.arity = arity;
        this.hasKeys = hasKeys;
    }

    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean takes(int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }

    /*
     * Every name fits into the eight bytes of a long, so finding a command is: pack the name, look into a table. Its size
     * is the first power of two from 32 at which no two names share a slot.
     */
    private static final @Nullable Command[] TABLE = table();

    private static @Nullable Command[] table() {
        for (int size = 32; ; size *= 2) {
            @Nullable Command[] table = new Command[size];
            boolean fits = true;
            for (Command each : values()) {
                int slot = slot(pack(each.name()), size);
                fits &= table[slot] == null;
                table[slot] = each;
            }
            if (fits) return table;
        }
    }

    private static long pack(String name) {
        long packed = 0;
        for (int i = 0; i < name.length(); i++) packed = packed << 8 | name.charAt(i);
        return packed;
    }

    private static int slot(long packed, int size) {
        return (int) ((packed * 0x9e3779b97f4a7c15L) >>> 40) & (size - 1);
    }

    private final long packed = pack(name());

    /** The command of this name, in any case; null when there is none. */
    static @Nullable Command named(byte[] bytes, int from, int to) {
        if (to - from > Long.BYTES) return null;
        long packed = 0;
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            if (b >= 'a' && b <= 'z') b -= 'a' - 'A';
            packed = packed << 8 | (b & 0xff);
        }
        Command found = TABLE[slot(packed, TABLE.length)];
        return found != null && found.packed == packed ? found : null;
    }
}
