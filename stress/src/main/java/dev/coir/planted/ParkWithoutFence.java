package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The mistake: the fiber's thread stores PARKED with release before it reads the permit. The store may pass the read: the
 * thread finds no permit, and whoever gives it finds no parked fiber. No interleaving shows it, only weak memory does.
 */
public final class ParkWithoutFence {
    private static final int RUNNING = 0;
    private static final int PARKED = 1;
    private static final int QUEUED = 2;
    private final AtomicInteger state = new AtomicInteger(RUNNING);
    private final AtomicBoolean permit = new AtomicBoolean();
    private final AtomicInteger queued = new AtomicInteger();

    /** What the fiber's thread does once the stack is saved. */
    public void park() {
        state.setRelease(PARKED);
        if (permit.getAcquire() && state.compareAndSet(PARKED, QUEUED)) queued.incrementAndGet();
    }

    public void unpark() {
        permit.getAndSet(true);
        if (state.get() == PARKED && state.compareAndSet(PARKED, QUEUED)) queued.incrementAndGet();
    }

    /** LightFiberStress.ParkAgainstUnpark, which must fail. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "queued once")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps with a permit")
    @State
    public static class Planted {
        private final ParkWithoutFence fiber = new ParkWithoutFence();

        @Actor
        public void itsThread() {
            fiber.park();
        }

        @Actor
        public void waker() {
            fiber.unpark();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = fiber.queued.get();
        }
    }
}
