package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The mistake: who unmounts a thread takes its carrier away by a store with release, and looks for an interrupt after it without a
 * fence. The store may pass the look: he sees no interrupt, and who interrupts still sees the carrier.
 */
public final class CarrierLeftWithoutFence {
    private final Object interruptLock = new Object();
    private final AtomicBoolean mounted = new AtomicBoolean(true);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final AtomicBoolean carrierInterrupted = new AtomicBoolean();

    public void unmount() {
        mounted.setRelease(false);
        if (!interrupted.getAcquire()) return;
        synchronized (interruptLock) {
            carrierInterrupted.set(false);
        }
    }

    public void interrupt() {
        synchronized (interruptLock) {
            interrupted.set(true);
            if (mounted.get()) carrierInterrupted.set(true);
        }
    }

    /** ThreadSwitchStress.InterruptAgainstUnmount, which must fail. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "the carrier is as it was")
    @Outcome(expect = FORBIDDEN, desc = "the interrupt has reached a carrier that the thread had left")
    @State
    public static class Planted {
        private final CarrierLeftWithoutFence thread = new CarrierLeftWithoutFence();

        @Actor
        public void carrier() {
            thread.unmount();
        }

        @Actor
        public void interrupter() {
            thread.interrupt();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = thread.carrierInterrupted.get() ? 1 : 0;
        }
    }
}
