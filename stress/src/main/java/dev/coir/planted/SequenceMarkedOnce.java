package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: the writer marks only the end of its write, so a reader in the middle of it sees the same version twice. */
public final class SequenceMarkedOnce {
    private volatile long version;
    private int x;
    private int y;

    public void write() {
        x = 1;
        for (int i = 0; i < 5; i++) Thread.onSpinWait(); // stopped for a while where it hurts most
        y = 1;
        version = 2;
    }

    /** SeqLockStress.WriteAgainstRead, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "before or after")
    @Outcome(expect = FORBIDDEN, desc = "torn")
    @State
    public static class Planted {
        private final SequenceMarkedOnce lock = new SequenceMarkedOnce();

        @Actor
        public void writes() {
            lock.write();
        }

        @Actor
        public void reads(II_Result r) {
            long stamp;
            do {
                stamp = lock.version;
                r.r1 = lock.x;
                r.r2 = lock.y;
            } while (lock.version != stamp);
        }
    }
}
