package dev.coir.fiber;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.executor.Scheduler;
import dev.coir.internal.ThreadSwitch;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The invariants V2 and V5 of {@link VirtualFiber}, over a scheduler with a worker of its own. */
public final class VirtualFiberStress {
    private static final Scheduler SCHEDULER = Scheduler.start(1);
    private static final int SPINS = 200; // about as long as it takes from the start to the first slice

    private VirtualFiberStress() {}

    /** V5. A fiber's thread is asked for while the fiber is started and begins: is it the one that runs, and does it end? */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "what was asked for has run, and ended")
    @Outcome(id = "false, .*", expect = FORBIDDEN, desc = "another thread has run")
    @Outcome(expect = FORBIDDEN, desc = "it lives for ever")
    @State
    public static class AskAgainstBegin {
        private final Fiber<Thread> fiber =
                Fiber.builder().on(SCHEDULER).unstarted((Callable<Thread>) Thread::currentThread);
        private Thread asked = Thread.currentThread(); // written by the asker

        @Actor
        public void starter() {
            fiber.start();
        }

        @Actor
        public void asker() {
            for (int i = ThreadLocalRandom.current().nextInt(SPINS); i > 0; i--) Thread.onSpinWait();
            asked = fiber.thread().orElseThrow();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = fiber.join() == asked;
            r.r2 = hasEnded(asked);
        }
    }

    /**
     * V2. A fiber that waits is woken while another has it queued once more, as the JDK does for those who have read its stack: does it
     * wake, and the next time too?
     */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "it was woken both times")
    @Outcome(expect = FORBIDDEN, desc = "it waits for ever")
    @State
    public static class WakeAgainstRead {
        private final Fiber<Boolean> fiber = Fiber.builder().on(SCHEDULER).unstarted(this::waitTwice);
        private final Thread thread = fiber.thread().orElseThrow();
        private volatile int wakeUps;

        public WakeAgainstRead() {
            fiber.start();
            while (fiber.status() != Fiber.Status.WAITING) Thread.onSpinWait();
        }

        private boolean waitTwice() {
            while (wakeUps < 1) LockSupport.park();
            while (wakeUps < 2) LockSupport.park();
            return true;
        }

        private void wake(int time) {
            wakeUps = time;
            LockSupport.unpark(thread);
        }

        @Actor
        public void waker() {
            wake(1);
        }

        @Actor
        public void reader() {
            for (int i = ThreadLocalRandom.current().nextInt(SPINS); i > 0; i--) Thread.onSpinWait();
            ((VirtualFiber<Boolean>) fiber).execute(ThreadSwitch.sliceOf(thread));
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            wake(2);
            r.r1 = hasEnded(thread);
        }
    }

    private static boolean hasEnded(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
