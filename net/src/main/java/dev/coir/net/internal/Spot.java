package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a buffer's next byte lies, as the system calls want it. Remembers the last answer, for most connections use one buffer
 * again and again; so a read or a write allocates nothing then. For one party at a time.
 */
final class Spot {
    private static final MemorySegment NONE = MemorySegment.NULL;
    private @Nullable Object base; // the array or the direct buffer
    private int offset;
    private MemorySegment segment = NONE;

    /** The memory from a buffer's position on. */
    MemorySegment of(ByteBuffer buffer) {
        if (buffer.hasArray()) return of(buffer.array(), buffer.arrayOffset() + buffer.position());
        if (buffer.isDirect()) return ofDirect(buffer, buffer.position());
        return MemorySegment.ofBuffer(buffer); // read-only, on the heap
    }

    MemorySegment of(byte[] array, int at) {
        if (base != array || offset != at) {
            segment = MemorySegment.ofArray(array).asSlice(at);
            remember(array, at);
        }
        return segment;
    }

    private MemorySegment ofDirect(ByteBuffer buffer, int at) {
        if (base != buffer || offset != at) {
            ByteBuffer rest = buffer.duplicate();
            segment = MemorySegment.ofBuffer(rest.limit(rest.capacity()));
            remember(buffer, at);
        }
        return segment;
    }

    private void remember(Object newBase, int at) {
        base = newBase;
        offset = at;
    }
}
