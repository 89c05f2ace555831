package dev.coir.examples.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * What is to go out over a connection: answers gather here, and one write takes them all. An answer that many connections share
 * is not copied if it is the only one, which it mostly is; so a connection that has sent nothing else has no bytes of its own.
 */
public final class Outbox {
    private static final int SMALL = 512;
    private static final int LARGE = 64 * 1024;
    private static final byte[] NONE = {};
    private static final ByteBuffer NO_VIEW = ByteBuffer.wrap(NONE);

    private final WritableByteChannel to;
    private byte[] bytes = NONE; // what has gathered; of others, and never written to, when it isShared
    private ByteBuffer view = NO_VIEW; // of these bytes, for the channel
    private boolean isShared;
    private int size;

    public Outbox(WritableByteChannel to) {
        this.to = to;
    }

    public Outbox put(byte[] source) {
        return put(source, 0, source.length);
    }

    /** Puts the first bytes of an array that nobody will ever write to. Copied only if it does not go out by itself. */
    public Outbox putShared(byte[] source, int length) {
        boolean hasOwn = !isShared && bytes != NONE; // from a pipeline: the next one will need them as well
        if (size != 0 || hasOwn) return put(source, 0, length);
        if (bytes != source) {
            bytes = source;
            view = ByteBuffer.wrap(source);
            isShared = true;
        }
        size = length;
        return this;
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
        ByteBuffer all = gathered();
        while (all.hasRemaining()) to.write(all);
        clear();
    }

    /** What has gathered, to be written by another. {@link #clear} follows. */
    ByteBuffer gathered() {
        return view.limit(size).position(0);
    }

    /** What had gathered has been written. */
    void clear() {
        size = 0;
        if (bytes.length > 2 * LARGE) resize(SMALL);
    }

    private void ensureRoom(int more) {
        if (isShared || bytes == NONE) resize(Math.max(SMALL, Math.addExact(size, more)));
        else if (bytes.length - size < more) resize(Math.max(2 * bytes.length, Math.addExact(size, more)));
    }

    private void resize(int capacity) {
        byte[] target = new byte[capacity];
        System.arraycopy(bytes, 0, target, 0, size);
        bytes = target;
        view = ByteBuffer.wrap(target);
        isShared = false;
    }
}
