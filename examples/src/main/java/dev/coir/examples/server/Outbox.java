package dev.coir.examples.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** What is to go out over a connection: answers gather here, and one write takes them all. */
public final class Outbox {
    private static final int SMALL = 512;
    private static final int LARGE = 64 * 1024;

    private final WritableByteChannel to;
    private byte[] bytes = new byte[SMALL];
    private ByteBuffer view = ByteBuffer.wrap(bytes);
    private int size;

    public Outbox(WritableByteChannel to) {
        this.to = to;
    }

    public Outbox put(byte[] source) {
        return put(source, 0, source.length);
    }

    public Outbox put(byte[] source, int from, int length) {
        ensureRoom(length);
        System.arraycopy(source, from, bytes, size, length);
        size += length;
        return this;
    }

    public Outbox put(char ascii) {
        ensureRoom(1);
        bytes[size++] = (byte) ascii;
        return this;
    }

    /** The number in decimal digits. */
    public Outbox put(long number) {
        ensureRoom(Decimal.MAX_LENGTH);
        size += Decimal.write(number, bytes, size);
        return this;
    }

    /** Whether so much has gathered that it should be flushed before more is put. */
    public boolean isLarge() {
        return size >= LARGE;
    }

    /** Writes what has gathered; waits until the peer's window has taken it. */
    public void flush() throws IOException {
        if (size == 0) return;
        view.limit(size).position(0);
        while (view.hasRemaining()) to.write(view);
        size = 0;
        if (bytes.length > 2 * LARGE) resize(SMALL);
    }

    private void ensureRoom(int more) {
        if (bytes.length - size < more) resize(Math.max(2 * bytes.length, Math.addExact(size, more)));
    }

    private void resize(int capacity) {
        byte[] target = new byte[capacity];
        System.arraycopy(bytes, 0, target, 0, size);
        bytes = target;
        view = ByteBuffer.wrap(target);
    }
}
