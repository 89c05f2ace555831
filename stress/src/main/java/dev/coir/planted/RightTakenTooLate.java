package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The mistake: who wakes a fiber queues it first, and takes the right to do so after: it may be that of the next wait already. */
public final class RightTakenTooLate {
    private static final int LOOKS = 200;
    private final AtomicInteger queued = new AtomicInteger();
    private volatile boolean owed = true;

    /** What whoever finds that it may run does. */
    public void wake() {
        if (!owed) return;
        queued.incrementAndGet();
        owed = false;
    }

    /** What its carrier does: it runs, and waits again. */
    public void run() {
        for (int i = 0; i < LOOKS; i++) {
            if (queued.get() == 0) continue;
            queued.decrementAndGet();
            owed = true;
            return;
        }
    }

    /** VirtualFiberStress.WakeAgainstRead, which must fail. */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "it can be woken, or stands in a queue")
    @Outcome(expect = FORBIDDEN, desc = "nobody can wake it any more")
    @State
    public static class Planted {
        private final RightTakenTooLate fiber = new RightTakenTooLate();

        @Actor
        public void waker() {
            fiber.wake();
        }

        @Actor
        public void itsCarrier() {
            fiber.run();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = fiber.owed || fiber.queued.get() != 0;
        }
    }
}
