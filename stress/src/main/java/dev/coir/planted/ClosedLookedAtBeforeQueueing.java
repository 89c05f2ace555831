package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.internal.SpinGuard;
import java.util.ArrayDeque;
import java.util.Queue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The mistake: a receiver looks whether the channel is closed before it takes the guard, and then waits for ever. */
public final class ClosedLookedAtBeforeQueueing {
    private final SpinGuard guard = new SpinGuard();
    private final Queue<Object> receivers = new ArrayDeque<>();
    private volatile boolean closed;

    public void receive() {
        if (closed) return;
        guard.acquire();
        receivers.add("a receiver");
        guard.release();
    }

    public void close() {
        guard.acquire();
        closed = true;
        receivers.clear();
        guard.release();
    }

    /** ChannelStress.CloseAgainstReceive, which must fail. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "nobody waits at a closed channel")
    @Outcome(expect = FORBIDDEN, desc = "a receiver waits for ever")
    @State
    public static class Planted {
        private final ClosedLookedAtBeforeQueueing channel = new ClosedLookedAtBeforeQueueing();

        @Actor
        public void receiver() {
            channel.receive();
        }

        @Actor
        public void closer() {
            channel.close();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = channel.receivers.size();
        }
    }
}
