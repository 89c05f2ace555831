package dev.coir.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariants of {@link Core}, with parties that spin. A result of 0 is a time-out, -1 a closed channel. */
public final class ChannelStress {
    private static final long NEVER = Long.MAX_VALUE;

    private ChannelStress() {}

    /** C3. A sender comes just when the receiver gives up: do both agree whether they met? */
    @JCStressTest
    @Outcome(id = "1, 7, 0", expect = ACCEPTABLE, desc = "they met")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "they did not")
    @Outcome(expect = FORBIDDEN, desc = "the value is lost or doubled, or a node was left behind")
    @State
    public static class SendAgainstGivingUp {
        private final Quiet<Integer> channel = new Quiet<>(0);

        @Actor
        public void sender(III_Result r) {
            r.r1 = channel.trySend(7) ? 1 : 0;
        }

        @Actor
        public void receiver(III_Result r) {
            r.r2 = Quiet.receiveOrGiveUp(channel);
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = channel.standing();
        }
    }

    /** C3. A receiver comes just when the sender gives up: do both agree whether they met? */
    @JCStressTest
    @Outcome(id = "1, 7, 0", expect = ACCEPTABLE, desc = "they met")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "they did not")
    @Outcome(expect = FORBIDDEN, desc = "the value is lost or doubled, or a node was left behind")
    @State
    public static class ReceiveAgainstGivingUp {
        private final Quiet<Integer> channel = new Quiet<>(0);

        @Actor
        public void sender(III_Result r) {
            r.r1 = Quiet.sendOrGiveUp(channel, 7);
        }

        @Actor
        public void receiver(III_Result r) {
            r.r2 = channel.tryReceive().orElse(0);
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = channel.standing();
        }
    }

    /** C1, C2. Both wait until they meet: do they, and does the receiver see what was written before? */
    @JCStressTest
    @Outcome(id = "7, 8", expect = ACCEPTABLE, desc = "they met")
    @Outcome(expect = FORBIDDEN, desc = "what was written before sending is not seen")
    @State
    public static class BothWait {
        private final Quiet<Integer> channel = new Quiet<>(0);
        private int written; // plain on purpose

        @Actor
        public void sender() {
            written = 8;
            Quiet.send(channel, 7, NEVER);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = Quiet.receive(channel, NEVER);
            r.r2 = written;
        }
    }

    /** C3. Two want the one value: does exactly one get it? */
    @JCStressTest
    @Outcome(
            id = {"1, 7, 0, 0", "1, 0, 7, 0"},
            expect = ACCEPTABLE,
            desc = "one of them got it")
    @Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "both had given up")
    @Outcome(expect = FORBIDDEN, desc = "the value is lost or doubled")
    @State
    public static class TwoReceivers {
        private final Quiet<Integer> channel = new Quiet<>(0);

        @Actor
        public void sender(IIII_Result r) {
            r.r1 = Quiet.sendOrGiveUp(channel, 7);
        }

        @Actor
        public void first(IIII_Result r) {
            r.r2 = Quiet.receiveOrGiveUp(channel);
        }

        @Actor
        public void second(IIII_Result r) {
            r.r3 = Quiet.receiveOrGiveUp(channel);
        }

        @Arbiter
        public void afterwards(IIII_Result r) {
            r.r4 = channel.standing();
        }
    }

    /** C2. A sender waits for room, and may give up: is its value in the buffer exactly when it was told so? */
    @JCStressTest
    @Outcome(id = "1, 6, 7", expect = ACCEPTABLE, desc = "admitted, in order")
    @Outcome(id = "0, 6, 0", expect = ACCEPTABLE, desc = "gave up")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled or out of order")
    @State
    public static class RoomAgainstGivingUp {
        private final Quiet<Integer> channel = new Quiet<>(1);

        public RoomAgainstGivingUp() {
            channel.trySend(6);
        }

        @Actor
        public void sender(III_Result r) {
            r.r1 = Quiet.sendOrGiveUp(channel, 7);
        }

        @Actor
        public void receiver(III_Result r) {
            r.r2 = channel.tryReceive().orElse(0);
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = channel.tryReceive().orElse(0);
        }
    }

    /** C4. A sender waits for room while the channel is closed: does it end, and is its value gone? */
    @JCStressTest
    @Outcome(id = "-1, 6, -1", expect = ACCEPTABLE, desc = "refused; only the value before it is received")
    @Outcome(id = "1, 6, 7", expect = ACCEPTABLE, desc = "admitted before the end")
    @Outcome(expect = FORBIDDEN, desc = "lost, or received though it was refused")
    @State
    public static class CloseAgainstSend {
        private final Quiet<Integer> channel = new Quiet<>(1);
        private int first;

        public CloseAgainstSend() {
            channel.trySend(6);
        }

        @Actor
        public void sender(III_Result r) {
            r.r1 = Quiet.send(channel, 7, NEVER);
        }

        @Actor
        public void closer() {
            channel.close();
        }

        @Actor
        public void receiver() {
            first = channel.tryReceive().orElse(0);
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r2 = first;
            r.r3 = Quiet.receiveOrGiveUp(channel);
        }
    }

    /** C4. A receiver waits while one sends and another closes: does it end, and get what was sent? */
    @JCStressTest
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "sent before the end")
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "closed first")
    @Outcome(expect = FORBIDDEN, desc = "the value is lost, or invented")
    @State
    public static class CloseAgainstReceive {
        private final Quiet<Integer> channel = new Quiet<>(1);

        @Actor
        public void sender(II_Result r) {
            r.r1 = Quiet.send(channel, 7, NEVER);
        }

        @Actor
        public void closer() {
            channel.close();
        }

        @Actor
        public void receiver(II_Result r) {
            r.r2 = Quiet.receive(channel, NEVER);
        }
    }
}
