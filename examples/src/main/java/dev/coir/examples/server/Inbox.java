package dev.coir.examples.server;

import dev.coir.net.TcpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * What came in over a connection and is not used up yet. Starts small, because most connections of a busy server are idle;
 * grows while one message, or a pipeline of them, needs it.
 *
 * {@snippet :
 * while (in.fillAfter(out)) {
 *     while (parser.next(in)) answer(out);   // uses up what it understands
 * }
 * }
 */
public final class Inbox {
    private static final int SMALL = 1024;
    private static final int LARGE = 16 * 1024; // an empty box keeps this much, no more

    private final ReadableByteChannel from;
    private final int limit;
    private byte[] bytes;
    private ByteBuffer view; // of these bytes, for the channel
    private int start;
    private int end;

    /** A box for messages of at most {@code limit} bytes: whoever reads them refuses longer ones in time. */
    public Inbox(ReadableByteChannel from, int limit) {
        this.from = from;
        this.limit = limit;
        bytes = new byte[Math.min(SMALL, limit)];
        view = ByteBuffer.wrap(bytes);
    }

    /** Waits for more; false when the peer sends no more. */
    public boolean fill() throws IOException {
        return took(from.read(room()));
    }

    /** Sends what is to go out, and then waits for more, in one call if the channel has one for both. */
    public boolean fillAfter(Outbox answers) throws IOException {
        if (!(from instanceof TcpStream stream)
                || answers.isLarge()) { // who sends much keeps no room for that while it waits
            answers.flush();
            return fill();
        }
        int count = stream.exchange(answers.gathered(), room());
        answers.clear();
        return took(count);
    }

    private ByteBuffer room() {
        makeRoom();
        return view.limit(bytes.length).position(end);
    }

    private boolean took(int count) {
        if (count < 0) return false;
        end += count;
        return true;
    }

    /** What is there lies in this array from {@link #start} to {@link #end}, until the next {@link #fill}. */
    public byte[] bytes() {
        return bytes;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public int size() {
        return end - start;
    }

    /** Uses up what lies before {@code newStart}. */
    public void useUpTo(int newStart) {
        start = newStart;
    }

    private void makeRoom() {
        boolean wasFilled = end == bytes.length; // the last read would have taken more
        if (start == end) {
            start = 0;
            end = 0;
            if (wasFilled && bytes.length < LARGE) moveInto(2 * bytes.length);
            else if (bytes.length > LARGE) moveInto(SMALL);
        } else if (wasFilled) {
            if (size() == limit) throw new IllegalStateException("unread: " + limit + " bytes (expected: fewer)");
            moveInto(size() > bytes.length / 2 ? 2 * bytes.length : bytes.length);
        }
    }

    private void moveInto(int capacity) {
        byte[] target = capacity == bytes.length ? bytes : new byte[Math.min(capacity, limit)];
        System.arraycopy(bytes, start, target, 0, size());
        end = size();
        start = 0;
        if (target == bytes) return;
        bytes = target;
        view = ByteBuffer.wrap(target);
    }
}
