package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.internal.wait.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The mistake: a sender claims the receiver's wait and writes the value after; the receiver may look in between. */
public final class ItemWrittenAfterClaim {
    private static final class Node extends Waiter {
        int item;

        Node() {
            super("spinning");
        }
    }

    private final Node node = new Node();

    public void hand(int value) {
        if (node.trySignal()) node.item = value;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the other may have lost its processor
    public int receive() {
        while (node.isWaiting()) Thread.yield();
        return node.item;
    }

    /** ChannelStress.BothWait, which must fail. */
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "they met")
    @Outcome(expect = FORBIDDEN, desc = "claimed, and given nothing")
    @State
    public static class Planted {
        private final ItemWrittenAfterClaim receiver = new ItemWrittenAfterClaim();

        @Actor
        public void sender() {
            receiver.hand(7);
        }

        @Actor
        public void receiver(I_Result r) {
            r.r1 = receiver.receive();
        }
    }
}
