package dev.coir.net.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A msghdr that tells the system where several buffers lie, so that one call sends them. Those off the heap are sent from where
 * they lie; those on the heap are copied, for they may move and the system reads addresses. Few are kept for reuse.
 */
final class Gather {
    static final int MOST_VECTORS = 1024; // IOV_MAX
    private static final int HEADER_BYTES = 56;
    private static final int VECTOR_BYTES = 16;
    private static final ArrayBlockingQueue<Gather> KEPT = new ArrayBlockingQueue<>(16);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final MemorySegment message =
            Arena.ofAuto().allocate(HEADER_BYTES + (long) VECTOR_BYTES * MOST_VECTORS, Long.BYTES);
    private @Nullable Scratch copies; // while there are some
    private int vectors;
    private long bytes;

    private Gather() {
        message.set(LONG, 16, message.address() + HEADER_BYTES);
    }

    static Gather take() {
        Gather kept = KEPT.poll();
        return kept != null ? kept : new Gather();
    }

    /** The call has been made. */
    void giveBack() {
        Scratch used = copies;
        copies = null;
        if (used != null) used.giveBack();
        KEPT.offer(this);
    }

    /**
     * As many bytes of some buffers, whose positions stay, as one call is to move.
     *
     * @return the msghdr
     */
    MemorySegment of(ByteBuffer[] from, int offset, int length, int mostBytes) {
        vectors = 0;
        bytes = 0;
        ByteBuffer room = null;
        for (int i = offset; i < offset + length && vectors < MOST_VECTORS; i++) {
            ByteBuffer each = from[i];
            int count = (int) Math.min(each.remaining(), mostBytes - bytes);
            if (each.isDirect()) {
                if (count != 0) add(MemorySegment.ofBuffer(each).address(), count);
            } else {
                if (room == null) room = roomForCopies();
                count = Math.min(count, room.remaining());
                if (count != 0) copy(each, count, room);
            }
            if (count < each.remaining()) break; // what comes after it must not come before its rest
        }
        message.set(LONG, 24, vectors);
        return message;
    }

    private void copy(ByteBuffer from, int count, ByteBuffer room) {
        room.put(room.position(), from, from.position(), count);
        add(MemorySegment.ofBuffer(room).address(), count);
        room.position(room.position() + count);
    }

    private ByteBuffer roomForCopies() {
        Scratch taken = Scratch.take(Integer.MAX_VALUE);
        copies = taken;
        return taken.memory(Integer.MAX_VALUE);
    }

    private void add(long address, int count) {
        long at = HEADER_BYTES + (long) VECTOR_BYTES * vectors++;
        message.set(LONG, at, address);
        message.set(LONG, at + 8, count);
        bytes += count;
    }

    /** Moves the positions of some buffers on, in order, by a number of bytes: the last may end inside one. */
    static void skip(ByteBuffer[] buffers, int offset, long count) {
        long left = count;
        for (int i = offset; left > 0; i++) {
            int here = (int) Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + here);
            left -= here;
        }
    }
}
