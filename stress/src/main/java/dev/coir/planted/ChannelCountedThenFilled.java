package dev.coir.planted;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The mistake: room is counted first and filled after, so that two senders may take the same room. */
public final class ChannelCountedThenFilled {
    private final Queue<Integer> values = new ConcurrentLinkedQueue<>();

    public int send(int value) {
        if (!values.isEmpty()) return 0;
        values.add(value);
        return 1;
    }

    public int receive() {
        Integer value = values.poll();
        return value == null ? 0 : value;
    }
}
