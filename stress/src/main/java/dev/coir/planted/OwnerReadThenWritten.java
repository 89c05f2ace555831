package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: the first owner is looked for and then written, in two steps. */
public final class OwnerReadThenWritten {
    private volatile @Nullable Thread owner;

    public boolean claim() {
        if (owner == null) owner = Thread.currentThread();
        return owner == Thread.currentThread();
    }

    /** CoroutineStress.FirstOwner, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one owner")
    @Outcome(expect = FORBIDDEN, desc = "two owners")
    @State
    public static class Planted {
        private final OwnerReadThenWritten coroutine = new OwnerReadThenWritten();

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = coroutine.claim();
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = coroutine.claim();
        }
    }
}
