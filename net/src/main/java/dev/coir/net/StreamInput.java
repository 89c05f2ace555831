package dev.coir.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stream's reading side as the JDK's old interface. For one thread at a time, as those are. */
@SuppressWarnings("ByteBufferBackingArray") // it wraps the array
final class StreamInput extends InputStream {
    private final TcpStream stream;
    private @Nullable ByteBuffer last; // over the array that was used last

    StreamInput(TcpStream stream) {
        this.stream = stream;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) return 0;
        ByteBuffer buffer = last;
        if (buffer == null || buffer.array() != into) last = buffer = ByteBuffer.wrap(into);
        return stream.read(buffer.limit(offset + length).position(offset));
    }

    @Override
    public void close() {
        stream.close();
    }
}
