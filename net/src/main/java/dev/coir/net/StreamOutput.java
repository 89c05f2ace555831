package dev.coir.net;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stream's writing side as the JDK's old interface. For one thread at a time, as those are. */
@SuppressWarnings("ByteBufferBackingArray") // it wraps the array
final class StreamOutput extends OutputStream {
    private final TcpStream stream;
    private @Nullable ByteBuffer last; // over the array that was used last

    StreamOutput(TcpStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        ByteBuffer buffer = last;
        if (buffer == null || buffer.array() != from) last = buffer = ByteBuffer.wrap(from);
        stream.write(buffer.limit(offset + length).position(offset));
    }

    @Override
    public void close() {
        stream.close();
    }
}
