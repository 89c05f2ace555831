package dev.coir.net.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/** Memory off the heap in which several buffers are gathered, so that one system call sends them. Few are kept for reuse. */
final class Scratch {
    private static final int CAPACITY = 64 * 1024;
    private static final ArrayBlockingQueue<Scratch> KEPT = new ArrayBlockingQueue<>(16);

    private final ByteBuffer memory = ByteBuffer.allocateDirect(CAPACITY);

    private Scratch() {}

    static Scratch take() {
        Scratch kept = KEPT.poll();
        return kept != null ? kept : new Scratch();
    }

    void giveBack() {
        KEPT.offer(this);
    }

    /** The memory itself, so much of it at most. */
    ByteBuffer memory(int most) {
        return memory.clear().limit(Math.min(most, CAPACITY));
    }

    /** As much as fits of what is left in some buffers, whose positions stay. */
    ByteBuffer gather(ByteBuffer[] from, int offset, int length) {
        memory.clear();
        for (int i = offset; i < offset + length && memory.hasRemaining(); i++) {
            ByteBuffer each = from[i];
            int count = Math.min(each.remaining(), memory.remaining());
            memory.put(memory.position(), each, each.position(), count);
            memory.position(memory.position() + count);
        }
        return memory.flip();
    }

    /** Moves the positions of some buffers on, in order, by a number of bytes. */
    static void skip(ByteBuffer[] buffers, int offset, int count) {
        int left = count;
        for (int i = offset; left > 0; i++) {
            int here = Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + here);
            left -= here;
        }
    }
}
