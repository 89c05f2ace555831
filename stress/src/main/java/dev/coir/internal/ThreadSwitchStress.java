package dev.coir.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The invariant T6 of {@link ThreadSwitch}, with real virtual threads that one actor carries. */
public final class ThreadSwitchStress {
    static {
        ThreadSwitch.prepare();
    }

    private ThreadSwitchStress() {}

    /** T6. A thread parks while it is interrupted: does its carrier stay interrupted? */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "the carrier is as it was")
    @Outcome(expect = FORBIDDEN, desc = "the interrupt has reached a carrier that the thread had left")
    @State
    public static class InterruptAgainstUnmount {
        private volatile @Nullable Runnable slice;
        private volatile @Nullable Thread carrier;
        private volatile boolean nearlyParked;
        private final Thread thread = JdkAccess.newVirtualThread(command -> slice = command, null, () -> {
            nearlyParked = true;
            ThreadSwitch.park(Thread.currentThread(), (byte) 0);
        });

        public InterruptAgainstUnmount() {
            thread.start();
        }

        private void run() {
            ThreadSwitch.run(thread, Objects.requireNonNull(slice));
        }

        @Actor
        public void carrier() {
            carrier = Thread.currentThread();
            run();
        }

        @Actor
        public void interrupter() {
            for (int i = 0; i < 2000 && !nearlyParked; i++) Thread.onSpinWait();
            for (int i = ThreadLocalRandom.current().nextInt(20); i > 0; i--) Thread.onSpinWait();
            thread.interrupt();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = Objects.requireNonNull(carrier).isInterrupted() ? 1 : 0;
            while (thread.isAlive()) { // the JDK would keep it for ever
                LockSupport.unpark(thread);
                run();
            }
        }
    }
}
