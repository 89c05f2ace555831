package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: send reads the newest task and then writes its own, instead of one compare-and-set. */
public final class MailboxSentWithoutCas {
    private record Node(int value, @Nullable Node older) {}

    private static final Node READING = new Node(0, null);
    private volatile @Nullable Node newest;

    public boolean send(int value) {
        Node seen = newest;
        newest = new Node(value, seen);
        return seen == null;
    }

    public List<Integer> takeAll() {
        Node each = newest;
        newest = READING;
        var oldestFirst = new ArrayList<Integer>();
        for (; each != null && each != READING; each = each.older) oldestFirst.addFirst(each.value);
        return oldestFirst;
    }

    public boolean tryIdle() {
        if (newest != READING) return false;
        newest = null;
        return true;
    }

    /** MailboxStress.OneReader, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one brings a reader")
    @Outcome(expect = FORBIDDEN, desc = "two readers")
    @State
    public static class Planted {
        private final MailboxSentWithoutCas box = new MailboxSentWithoutCas();

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = box.send(1);
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = box.send(2);
        }
    }
}
