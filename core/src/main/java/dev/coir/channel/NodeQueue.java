package dev.coir.channel;

import org.jspecify.annotations.Nullable;

/** Parties that wait at one end of a channel, first come, first served. Guarded by the channel. */
final class NodeQueue {
    private @Nullable Node first;
    private @Nullable Node last;
    private int size;

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    void add(Node node) {
        Node previous = last;
        node.before = previous;
        node.queued = true;
        last = node;
        if (previous == null) first = node;
        else previous.after = node;
        size++;
    }

    @Nullable
    Node poll() {
        Node node = first;
        if (node != null) remove(node);
        return node;
    }

    /** Takes a node out, wherever it stands; it may be out already. */
    void remove(Node node) {
        if (!node.queued) return;
        Node before = node.before;
        Node after = node.after;
        if (before == null) first = after;
        else before.after = after;
        if (after == null) last = before;
        else after.before = before;
        node.before = null;
        node.after = null;
        node.queued = false;
        size--;
    }
}
