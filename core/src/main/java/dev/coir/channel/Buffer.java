package dev.coir.channel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values a channel holds, in order. How many it may hold is the channel's business. Guarded by the channel. */
abstract sealed class Buffer {
    private static final int LARGEST_RING = 1024;

    /** A buffer for at most {@code capacity} values. */
    static Buffer of(int capacity) {
        if (capacity == 0) return new None();
        return capacity <= LARGEST_RING ? new Ring(capacity) : new Chunks();
    }

    int size;

    /** Puts a value at the end. There is room. */
    abstract void add(Object value);

    /** Takes the first value; null when there is none. */
    abstract @Nullable Object poll();

    /** The first value; null when there is none. */
    abstract @Nullable Object peek();

    /** A copy of what it holds. */
    final Object[] toArray() {
        Object[] values = new Object[size];
        for (int i = 0; i < values.length; i++) {
            Object value = Objects.requireNonNull(poll());
            values[i] = value;
            add(value);
        }
        return values;
    }

    /** Takes out the last value that is this very object and stands at a place or before it; the first place is 0. */
    final boolean removeUpTo(int place, Object wanted) {
        int held = size;
        int found = -1;
        for (int i = 0; i < held; i++) {
            Object value = Objects.requireNonNull(poll());
            if (i <= place && value == wanted) found = i;
            add(value);
        }
        if (found < 0) return false;
        for (int i = 0; i < held; i++) {
            Object value = Objects.requireNonNull(poll());
            if (i != found) add(value);
        }
        return true;
    }

    /** Of a rendezvous. */
    private static final class None extends Buffer {
        @Override
        void add(Object value) {
            throw new AssertionError("a rendezvous holds nothing: " + value);
        }

        @Override
        @Nullable
        Object poll() {
            return null;
        }

        @Override
        @Nullable
        Object peek() {
            return null;
        }
    }

    /** A circle of slots: fast, and takes its room from the beginning. */
    private static final class Ring extends Buffer {
        private final @Nullable Object[] slots;
        private int head;
        private int tail;

        Ring(int capacity) {
            slots = new Object[capacity];
        }

        @Override
        void add(Object value) {
            int at = tail;
            slots[at] = value;
            tail = at + 1 == slots.length ? 0 : at + 1;
            size++;
        }

        @Override
        @Nullable
        Object poll() {
            int at = head;
            Object value = slots[at];
            if (value == null) return null;
            slots[at] = null;
            head = at + 1 == slots.length ? 0 : at + 1;
            size--;
            return value;
        }

        @Override
        @Nullable
        Object peek() {
            return slots[head];
        }
    }

    /** Pieces linked together: takes room as values come, and never copies them while others wait for the guard. */
    private static final class Chunks extends Buffer {
        private static final int CHUNK = 128;

        private static final class Chunk {
            final @Nullable Object[] slots = new Object[CHUNK];

            @Nullable
            Chunk next;
        }

        private Chunk first = new Chunk();
        private Chunk last = first;
        private @Nullable Chunk spare; // one is kept, so that going to and fro over a border costs nothing
        private int head; // in first
        private int tail; // in last

        @Override
        void add(Object value) {
            if (tail == CHUNK) {
                Chunk fresh = spare != null ? spare : new Chunk();
                spare = null;
                last.next = fresh;
                last = fresh;
                tail = 0;
            }
            last.slots[tail++] = value;
            size++;
        }

        @Override
        @Nullable
        Object poll() {
            if (size == 0) return null;
            if (head == CHUNK) dropFirst();
            Object value = first.slots[head];
            first.slots[head++] = null;
            size--;
            return value;
        }

        private void dropFirst() {
            Chunk empty = first;
            first = Objects.requireNonNull(empty.next);
            head = 0;
            empty.next = null;
            spare = empty;
        }

        @Override
        @Nullable
        Object peek() {
            if (size == 0) return null;
            if (head == CHUNK) dropFirst();
            return first.slots[head];
        }
    }
}
