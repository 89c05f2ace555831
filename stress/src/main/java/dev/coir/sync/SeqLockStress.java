package dev.coir.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The invariant S1 of {@link SeqLock}. */
public final class SeqLockStress {
    private SeqLockStress() {}

    /** S1. One writes two plain fields, one reads them: do they belong together? */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "before or after")
    @Outcome(expect = FORBIDDEN, desc = "torn")
    @State
    public static class WriteAgainstRead {
        private final SeqLock lock = new SeqLock();
        private int x; // plain on purpose
        private int y;

        @Actor
        public void writes() {
            lock.write(() -> {
                x = 1;
                y = 1;
            });
        }

        @Actor
        public void reads(II_Result r) {
            long stamp;
            do {
                stamp = lock.beginRead();
                r.r1 = x;
                r.r2 = y;
            } while (!lock.validate(stamp));
        }
    }
}
