package dev.coir.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The invariant T6 of {@link ThreadSwitch}, with real virtual threads that one actor carries. */
public final class ThreadSwitchStress {
    private static final MethodHandle ALONE = // a row of one
            ThreadSwitch.rows(MethodHandles.empty(MethodType.methodType(Thread.class, Thread.class, Object.class)));

    private ThreadSwitchStress() {}

    /** T6. A thread parks while it is interrupted: does its carrier stay interrupted? */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "the carrier is as it was")
    @Outcome(expect = FORBIDDEN, desc = "the interrupt has reached a carrier that the thread had left")
    @State
    public static class InterruptAgainstUnmount {
        private volatile @Nullable Runnable slice;
        private volatile boolean nearlyParked;
        private volatile boolean interrupted; // and its interrupter has nothing more to do with it
        private final Thread thread = JdkAccess.newVirtualThread(command -> slice = command, null, false, () -> {
            nearlyParked = true;
            ThreadSwitch.park(Thread.currentThread(), (byte) 0, () -> {});
        });

        public InterruptAgainstUnmount() {
            thread.start();
        }

        @Actor
        public void carrier(I_Result r) {
            ThreadSwitch.run(ALONE, thread, Objects.requireNonNull(slice));
            while (!interrupted) Thread.onSpinWait();
            r.r1 = Thread.interrupted() ? 1 : 0;
            while (thread.isAlive()) // the JDK would keep it for ever
            ThreadSwitch.run(ALONE, thread, Objects.requireNonNull(slice));
        }

        /** Leaving the stack takes much longer than interrupting; so this one aims, or else it would always be early. */
        @Actor
        public void interrupter() {
            for (int i = 0; i < 2000 && !nearlyParked; i++) Thread.onSpinWait();
            for (int i = ThreadLocalRandom.current().nextInt(20); i > 0; i--) Thread.onSpinWait();
            thread.interrupt();
            interrupted = true;
        }
    }
}
