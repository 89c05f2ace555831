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

/** The invariants of {@link Choice}, with parties that spin. A result of 0 is a time-out, -1 a closed channel. */
public final class SelectStress {
    private SelectStress() {}

    /** S1, S2. Two send to the two channels of a select that may give up: does at most one succeed, and no more is received? */
    @JCStressTest
    @Outcome(id = "1, 0, 7, 0", expect = ACCEPTABLE, desc = "the first channel")
    @Outcome(id = "0, 1, 8, 0", expect = ACCEPTABLE, desc = "the second channel")
    @Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "too late, or too early")
    @Outcome(expect = FORBIDDEN, desc = "two clauses happened, or a value is lost, or a place was left behind")
    @State
    public static class TwoSenders {
        private final Quiet<Integer> a = new Quiet<>(0);
        private final Quiet<Integer> b = new Quiet<>(0);

        @Actor
        public void toA(IIII_Result r) {
            r.r1 = a.trySend(7) ? 1 : 0;
        }

        @Actor
        public void toB(IIII_Result r) {
            r.r2 = b.trySend(8) ? 1 : 0;
        }

        @Actor
        public void selecting(IIII_Result r) {
            r.r3 = QuietSelect.orGiveUp(a.onReceive(v -> v), b.onReceive(v -> v));
        }

        @Arbiter
        public void afterwards(IIII_Result r) {
            r.r4 = a.standing() + b.standing();
        }
    }

    /** S1. Two selects offer the same two channels to each other, in opposite order: do they agree, and does neither block? */
    @JCStressTest
    @Outcome(id = "1, 7, 0", expect = ACCEPTABLE, desc = "met at the first channel")
    @Outcome(id = "8, 1, 0", expect = ACCEPTABLE, desc = "met at the second channel")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "did not meet")
    @Outcome(expect = FORBIDDEN, desc = "they disagree, or a place was left behind")
    @State
    public static class SelectAgainstSelect {
        private final Quiet<Integer> a = new Quiet<>(0);
        private final Quiet<Integer> b = new Quiet<>(0);

        @Actor
        public void one(III_Result r) {
            r.r1 = QuietSelect.orGiveUp(a.onSend(7, () -> 1), b.onReceive(v -> v));
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = QuietSelect.orGiveUp(b.onSend(8, () -> 1), a.onReceive(v -> v));
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r3 = a.standing() + b.standing();
        }
    }

    /** S1. Both select over both ends of one channel, without giving up: they meet, one way or the other. */
    @JCStressTest
    @Outcome(
            id = {"1, 7", "8, 1"},
            expect = ACCEPTABLE,
            desc = "one sent, the other received")
    @Outcome(expect = FORBIDDEN, desc = "they disagree")
    @State
    public static class BothEnds {
        private final Quiet<Integer> channel = new Quiet<>(0);

        @Actor
        public void one(II_Result r) {
            r.r1 = QuietSelect.select(channel.onSend(7, () -> 1), channel.onReceive(v -> v));
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = QuietSelect.select(channel.onReceive(v -> v), channel.onSend(8, () -> 1));
        }
    }

    /** S1. One channel is closed while another gets a value: does the select see exactly one of the two? */
    @JCStressTest
    @Outcome(id = "8, 0, 0", expect = ACCEPTABLE, desc = "the value")
    @Outcome(id = "-1, 8, 0", expect = ACCEPTABLE, desc = "the end; the value is still there")
    @Outcome(expect = FORBIDDEN, desc = "the value is lost or doubled")
    @State
    public static class CloseAgainstSend {
        private final Quiet<Integer> a = new Quiet<>(0);
        private final Quiet<Integer> b = new Quiet<>(1);

        @Actor
        public void closer() {
            a.close();
        }

        @Actor
        public void sender() {
            b.trySend(8);
        }

        @Actor
        public void selecting(III_Result r) {
            r.r1 = QuietSelect.select(a.onReceive(v -> v), b.onReceive(v -> v));
        }

        @Arbiter
        public void afterwards(III_Result r) {
            r.r2 = b.tryReceive().orElse(0);
            r.r3 = a.standing() + b.standing();
        }
    }
}
