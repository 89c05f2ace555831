package dev.coir.channel;

import dev.coir.internal.wait.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A party that stands in a queue of a channel, with the value it sends or is given. The wait is its own, or that of a
 * {@link Selection} which stands in several queues.
 */
class Node extends Waiter {
    @Nullable
    Node nextToWake; // of those who were claimed together: whoever claimed them

    /**
     * What a sender sends; what a receiver is given; Core.CLOSED for either. Written by whoever claims the node, before it
     * claims: the party may look as soon as it is claimed.
     */
    @Nullable
    Object item;

    /** For a party that parks in its own way. */
    Node(Object party) {
        super(party);
    }

    /** A wait of the calling party, as {@link Interrupts#check} found it. */
    static Node of(Object caller) {
        return new Node(partyOf(caller));
    }

    /** Decides that this is what its party waited for. Under the channel's guard. */
    boolean claim() {
        return trySignal();
    }
}
