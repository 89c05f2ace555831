package dev.coir.examples.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Carries bytes one way. While the receiver takes nothing the pump waits in its write, and reads nothing; so the sender's
 * window fills, and the sender waits too. That is all there is to back-pressure.
 */
final class Pump {
    private static final int AT_ONCE = 16 * 1024;

    private Pump() {}

    /** Pumps until the sender ends. */
    static void run(ReadableByteChannel from, WritableByteChannel to) throws IOException {
        var buffer = ByteBuffer.allocate(AT_ONCE);
        while (from.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) to.write(buffer);
            buffer.clear();
        }
    }
}
