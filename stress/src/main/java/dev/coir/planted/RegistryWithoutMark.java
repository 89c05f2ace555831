package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The mistake: who leaves finds the fiber claimed but not yet linked, and leaves no mark that it has gone. So it is linked
 * afterwards and stays for ever.
 */
public final class RegistryWithoutMark {
    private static final int NOWHERE = 0;
    private static final int CLAIMED = 1;
    private static final int ENDED = 2;
    private final AtomicInteger place = new AtomicInteger(NOWHERE);
    private int linked; // guarded by this

    public void enter() {
        if (!place.compareAndSet(NOWHERE, CLAIMED)) return;
        synchronized (this) {
            linked++;
        }
    }

    public void leave() {
        if (place.getAndSet(ENDED) != CLAIMED) return;
        synchronized (this) {
            if (linked > 0) linked--;
        }
    }

    /** RegistryStress.EnterAgainstLeave, which must fail. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "not registered")
    @Outcome(expect = FORBIDDEN, desc = "a fiber that has ended stays registered")
    @State
    public static class Planted {
        private final RegistryWithoutMark registry = new RegistryWithoutMark();

        @Actor
        public void firstWorker() {
            registry.enter();
        }

        @Actor
        public void lastWorker() {
            registry.leave();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            synchronized (registry) {
                r.r1 = registry.linked;
            }
        }
    }
}
