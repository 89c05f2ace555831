package dev.coir.examples.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A client that was written down before: each read gets one piece of it, then its end; each write is remembered. */
public final class ScriptedChannel extends MemoryChannel {
    private final Queue<ByteBuffer> pieces = new ArrayDeque<>();
    private final List<String> writes = new ArrayList<>();
    private final int mostPerWrite;

    public ScriptedChannel(String... pieces) {
        this(Integer.MAX_VALUE, pieces);
    }

    /** A channel that takes at most so many bytes at once. */
    public ScriptedChannel(int mostPerWrite, String... pieces) {
        this.mostPerWrite = mostPerWrite;
        for (String each : pieces) if (!each.isEmpty()) this.pieces.add(ByteBuffer.wrap(each.getBytes(ISO_8859_1)));
    }

    /** Each byte in a piece of its own. */
    public static ScriptedChannel byteByByte(String all) {
        return new ScriptedChannel(all.split("(?s)(?<=.)"));
    }

    @Override
    public int read(ByteBuffer target) {
        if (!target.hasRemaining()) throw new AssertionError("a read without room");
        ByteBuffer piece = pieces.peek();
        if (piece == null) return -1;
        int length = Math.min(piece.remaining(), target.remaining());
        target.put(target.position(), piece, piece.position(), length).position(target.position() + length);
        piece.position(piece.position() + length);
        if (!piece.hasRemaining()) pieces.remove();
        return length;
    }

    @Override
    public int write(ByteBuffer source) {
        byte[] bytes = new byte[Math.min(source.remaining(), mostPerWrite)];
        source.get(bytes);
        writes.add(new String(bytes, ISO_8859_1));
        return bytes.length;
    }

    public List<String> writes() {
        return writes;
    }

    public String written() {
        return String.join("", writes);
    }

    /** Whether all of the script was read. */
    public boolean isUsedUp() {
        return pieces.isEmpty();
    }
}
