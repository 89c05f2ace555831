package dev.coir.examples.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys and their values: a hash table that finds a key by bytes that lie in some buffer, which a {@code HashMap} cannot
 * without making an object first. For one thread at a time. Values are never changed in place.
 */
final class Keyspace {
    /** A key, its value, and when it goes. */
    static final class Entry {
        private final byte[] key;
        private final int hash;
        private @Nullable Entry next; // in the same slot
        byte[] value;
        long expiresAt = NEVER; // in milliseconds of the clock

        private Entry(byte[] key, int hash, byte[] value) {
            this.key = key;
            this.hash = hash;
            this.value = value;
        }
    }

    static final long NEVER = Long.MAX_VALUE;

    private static final int MIN_SLOTS = 1024;
    private static final int MAX_SLOTS = 1 << 28;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final LongSupplier clock;
    private final long seed; // differs from run to run, so that nobody can choose keys that share a slot
    private @Nullable Entry[] slots = new Entry[MIN_SLOTS];
    private int size;
    private int swept; // the slot up to which expired keys were looked for

    Keyspace(LongSupplier clock, long seed) {
        this.clock = clock;
        this.seed = seed;
    }

    long now() {
        return clock.getAsLong();
    }

    /** Keys, those that are expired but not yet found to be so among them. */
    int size() {
        return size;
    }

    /** The entry of a key, or null. */
    @Nullable
    Entry find(byte[] bytes, int from, int to) {
        int hash = hash(bytes, from, to);
        for (Entry each = slots[hash & (slots.length - 1)]; each != null; each = each.next) {
            if (each.hash == hash && Arrays.equals(each.key, 0, each.key.length, bytes, from, to)) {
                if (each.expiresAt == NEVER || each.expiresAt > clock.getAsLong()) return each;
                unlink(each);
                return null;
            }
        }
        return null;
    }

    /** Gives the key a value that stays. */
    Entry put(byte[] bytes, int from, int to, byte[] value) {
        Entry entry = find(bytes, from, to);
        if (entry == null) {
            entry = new Entry(Arrays.copyOfRange(bytes, from, to), hash(bytes, from, to), value);
            link(slots, entry);
            if (++size > slots.length && slots.length < MAX_SLOTS) grow();
        }
        entry.value = value;
        entry.expiresAt = NEVER;
        return entry;
    }

    boolean remove(byte[] bytes, int from, int to) {
        Entry entry = find(bytes, from, to);
        if (entry != null) unlink(entry);
        return entry != null;
    }

    void clear() {
        slots = new Entry[MIN_SLOTS];
        size = 0;
        swept = 0;
    }

    /** Drops expired keys out of the next {@code count} slots; called again and again it comes to all of them. */
    void sweep(int count) {
        long now = clock.getAsLong();
        for (int i = Math.min(count, slots.length); i > 0; i--) {
            swept = (swept + 1) & (slots.length - 1);
            for (Entry each = slots[swept]; each != null; each = each.next) if (each.expiresAt <= now) unlink(each);
        }
    }

    private static void link(@Nullable Entry[] slots, Entry entry) {
        int slot = entry.hash & (slots.length - 1);
        entry.next = slots[slot];
        slots[slot] = entry;
    }

    private void unlink(Entry entry) { // its own next stays, for whoever walks over it
        int slot = entry.hash & (slots.length - 1);
        Entry first = slots[slot];
        if (first == entry) {
            slots[slot] = entry.next;
        } else {
            Entry before = first;
            while (before != null && before.next != entry) before = before.next;
            if (before == null) throw new IllegalStateException("an entry that is not in the table");
            before.next = entry.next;
        }
        size--;
    }

    private void grow() {
        @Nullable Entry[] larger = new Entry[2 * slots.length];
        for (Entry first : slots) {
            for (Entry each = first; each != null; ) {
                Entry next = each.next;
                link(larger, each);
                each = next;
            }
        }
        slots = larger;
        swept = 0;
    }

    private int hash(byte[] bytes, int from, int to) {
        long hash = seed ^ (to - from);
        int at = from;
        for (; to - at >= Long.BYTES; at += Long.BYTES) hash = mix(hash ^ (long) LONGS.get(bytes, at));
        long rest = 0;
        for (; at < to; at++) rest = rest << 8 | (bytes[at] & 0xff);
        hash = mix(hash ^ rest);
        return (int) (hash ^ hash >>> 32);
    }

    private static long mix(long x) {
        long y = x ^ 0x9e3779b97f4a7c15L;
        return Math.unsignedMultiplyHigh(y, 0xd6e8feb86659fd93L) ^ y * 0xd6e8feb86659fd93L;
    }
}
