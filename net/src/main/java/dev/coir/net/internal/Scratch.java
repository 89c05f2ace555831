package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Memory off the heap, for what must not lie on it: copies of buffers that one system call is to send together, and whatever the
 * system reads or writes while its owner waits. Few are kept for reuse.
 */
final class Scratch {
    private static final int LARGE = 64 * 1024;
    private static final int SMALL = 8 * 1024;
    private static final ArrayBlockingQueue<Scratch> KEPT_LARGE = new ArrayBlockingQueue<>(16);
    private static final ArrayBlockingQueue<Scratch> KEPT_SMALL = new ArrayBlockingQueue<>(128);

    private final ByteBuffer memory;
    private final MemorySegment segment;

    private Scratch(int capacity) {
        memory = ByteBuffer.allocateDirect(capacity);
        segment = MemorySegment.ofBuffer(memory);
    }

    /** Memory for so many bytes, or for as many as one has at most. */
    static Scratch take(int bytes) {
        Scratch kept = (bytes <= SMALL ? KEPT_SMALL : KEPT_LARGE).poll();
        return kept != null ? kept : new Scratch(bytes <= SMALL ? SMALL : LARGE);
    }

    /** Nobody uses it any more: neither the caller nor the system. */
    void giveBack() {
        (memory.capacity() == SMALL ? KEPT_SMALL : KEPT_LARGE).offer(this);
    }

    /** The memory itself, so much of it at most. */
    ByteBuffer memory(int most) {
        return memory.clear().limit(Math.min(most, memory.capacity()));
    }

    /** All of it, as the system calls want it. */
    MemorySegment segment() {
        return segment;
    }
}
