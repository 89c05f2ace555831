package dev.coir.channel;

import dev.coir.internal.SpinGuard;
import dev.coir.internal.wait.WaitQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A channel without the waiting: who meets whom, and what is kept meanwhile. */
final class Core {
    /*
     * Everything is guarded by one guard that is held for a few instructions. Who finds a partner waiting deals with it
     * directly: the value goes into its node, or comes out of it, and the partner is unparked when the guard is free again.
     * A select holds the guards of all its channels at once, taken in the order of their numbers.
     *
     * C1. A receiver that waits finds no value: neither in the buffer nor with a sender that waits.
     * C2. A sender that waits finds no room: the buffer is full, and no receiver waits.
     *     (C1, C2: but for nodes whose party has given up or is decided elsewhere, and two clauses of one select.)
     * C3. A node is claimed once, by compare-and-set; its item is written before. So a value goes to exactly one party, and
     *     never to one that has given up. Guarded by ChannelStress.
     * C4. Nobody waits at a closed channel. Guarded by ChannelStress.CloseAgainstSend and CloseAgainstReceive.
     * C5. Who gives up takes its node out, also when it cannot wait for want of stack. So a channel does not grow.
     *     Guarded by SelectTest.aMillionSelectsLeaveNoTrace and StackEndTest.
     *
     * Rejected: queues of cells taken by fetch-and-add, as Kotlin and jox have. They are faster when many cores meet at one
     *     channel, but a party that gives up leaves a cell behind, and a select must be able to withdraw an offer that another
     *     select has seen. See docs/adr/0020.
     */
    private static final AtomicLong NUMBERS = new AtomicLong();

    final long number = NUMBERS.getAndIncrement();
    final WaitQueue<Node> senders = new WaitQueue<>(); // guarded; looked at without the guard, as a guess
    final WaitQueue<Node> receivers = new WaitQueue<>(); // likewise
    private final SpinGuard guard = new SpinGuard();
    private final int capacity;
    private final Buffer buffer;
    private boolean closed; // guarded
    private @Nullable Throwable cause; // guarded
    private long taken; // guarded: how many values have left the buffer at its front
    private @Nullable Node partner; // guarded: whom the present holder of the guard must unpark afterwards

    Core(int capacity) {
        this.capacity = capacity;
        this.buffer = Buffer.of(capacity);
    }

    void lock() {
        guard.acquire();
    }

    /** Frees the guard; the caller must then unpark the party that is returned. */
    @Nullable
    Node unlock() {
        Node waking = partner;
        partner = null;
        guard.release();
        return waking;
    }

    private void unlockAndWake() {
        Node waking = unlock();
        if (waking != null) waking.unpark();
    }

    // ---- sending and receiving -------------------------------------------------------------------------------------

    /** Sends, if possible; else, if there is a node, it stands in the queue when this returns {@link Answer#WAIT}. */
    Answer send(Object value, @Nullable Node node) {
        lock();
        try {
            Answer answer = sendLocked(value);
            if (answer == Answer.WAIT && node != null) senders.addLast(node);
            return answer;
        } finally {
            unlockAndWake();
        }
    }

    /** Receives, if possible; else, if there is a node, it stands in the queue when this returns {@link Answer#WAIT}. */
    Object receive(@Nullable Node node) {
        lock();
        try {
            Object answer = receiveLocked();
            if (answer == Answer.WAIT && node != null) receivers.addLast(node);
            return answer;
        } finally {
            unlockAndWake();
        }
    }

    Answer sendLocked(Object value) {
        if (closed) return Answer.CLOSED;
        for (Node receiver = receivers.pollFirst(); receiver != null; receiver = receivers.pollFirst()) {
            receiver.item = value;
            if (receiver.claim()) {
                partner = receiver;
                return Answer.SENT;
            }
        }
        if (buffer.size >= capacity) return Answer.WAIT;
        buffer.add(value);
        return Answer.SENT;
    }

    /** The value, or {@link Answer#WAIT} or {@link Answer#CLOSED}. */
    Object receiveLocked() {
        Object kept = buffer.poll();
        if (kept != null) {
            taken++;
            if (!senders.isEmpty()) admitLocked();
            return kept;
        }
        Object offered = claimSenderLocked();
        if (offered != null) return offered;
        return closed ? Answer.CLOSED : Answer.WAIT;
    }

    private @Nullable Object claimSenderLocked() {
        for (Node sender = senders.pollFirst(); sender != null; sender = senders.pollFirst()) {
            Object value = sender.item;
            if (sender.claim()) {
                partner = sender;
                return value;
            }
        }
        return null;
    }

    /** There is room for one more: the first sender that waits goes on. */
    private void admitLocked() {
        Object value = claimSenderLocked();
        if (value != null) buffer.add(value);
    }

    /** Takes out a node whose party has given up, perhaps for want of stack: so none is asked for. */
    void forget(WaitQueue<Node> queue, Node node) {
        guard.acquireInside();
        queue.remove(node);
        unlockAndWake();
    }

    /** Whether a receiver would seem to wait. A guess, without the guard. */
    boolean looksEmpty() {
        return buffer.size == 0 && senders.isEmpty();
    }

    /** Whether a sender would seem to wait. A guess, without the guard. */
    boolean looksFull() {
        return buffer.size >= capacity && receivers.isEmpty();
    }

    // ---- closing ---------------------------------------------------------------------------------------------------

    void close(@Nullable Throwable why) {
        Node waking = null;
        lock();
        try {
            if (closed) return;
            closed = true;
            cause = why;
            waking = claimAllLocked(receivers, claimAllLocked(senders, null));
        } finally {
            unlockAndWake();
        }
        while (waking != null) {
            Node next = waking.nextToWake;
            waking.nextToWake = null;
            waking.unpark();
            waking = next;
        }
    }

    private static @Nullable Node claimAllLocked(WaitQueue<Node> queue, @Nullable Node claimed) {
        for (Node node = queue.pollFirst(); node != null; node = queue.pollFirst()) {
            node.item = Answer.CLOSED;
            if (!node.claim()) continue;
            node.nextToWake = claimed;
            claimed = node;
        }
        return claimed;
    }

    boolean isClosed() {
        lock();
        boolean now = closed;
        unlockAndWake();
        return now;
    }

    ChannelClosedException closedToSenders() {
        return new ChannelClosedException("send to a closed channel", cause());
    }

    ChannelClosedException closedToReceivers() {
        return new ChannelClosedException("receive from a closed channel that has no value left", cause());
    }

    @Nullable
    Throwable cause() {
        lock();
        Throwable now = cause;
        unlockAndWake();
        return now;
    }

    // ---- looking into it -------------------------------------------------------------------------------------------

    int capacity() {
        return capacity;
    }

    int size() {
        lock();
        int now = buffer.size;
        unlockAndWake();
        return now;
    }

    @Nullable
    Object peek() {
        lock();
        Object first = buffer.peek();
        unlockAndWake();
        return first;
    }

    Object[] toArray() {
        lock();
        try {
            return buffer.toArray();
        } finally {
            unlockAndWake();
        }
    }

    /** The values of one moment, and how many had left at the front by then: the number of the first of them. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Contents(Object[] values, long first) {}

    Contents contents() {
        lock();
        try {
            return new Contents(buffer.toArray(), taken);
        } finally {
            unlockAndWake();
        }
    }

    /**
     * Takes out a value that had a number, unless it has left. Those taken out from the middle move what is behind them
     * forward: so it is looked for from its number on to the front.
     */
    boolean remove(Object value, long number) {
        lock();
        try {
            long place = number - taken;
            boolean removed = place >= 0 && buffer.removeUpTo((int) place, value);
            if (removed) admitLocked();
            return removed;
        } finally {
            unlockAndWake();
        }
    }

    @Override
    public String toString() {
        lock();
        int size = buffer.size;
        int sending = senders.size();
        int receiving = receivers.size();
        boolean over = closed;
        unlockAndWake();
        String kind = capacity == 0
                ? "rendezvous"
                : capacity == Integer.MAX_VALUE ? "unlimited, " + size + " held" : size + " of " + capacity + " held";
        return "Channel[" + kind + (sending == 0 ? "" : ", " + sending + " sending")
                + (receiving == 0 ? "" : ", " + receiving + " receiving") + (over ? ", closed" : "") + "]";
    }
}
