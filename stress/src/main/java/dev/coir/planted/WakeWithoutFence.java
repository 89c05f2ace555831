package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The mistake: the submitter publishes with release, as a ring does, and looks for sleepers without a full fence between.
 * The store may pass the look, and the task waits while the worker sleeps. No interleaving shows it, only weak memory does.
 */
public final class WakeWithoutFence {
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Whether the submitter must wake the worker. */
    public boolean submit() {
        tasks.setRelease(1);
        return asleep.get();
    }

    /** Whether the worker, having announced its sleep, sees a task after all. */
    public boolean announceAndRescan() {
        asleep.getAndSet(true);
        return tasks.get() != 0;
    }

    /** WakePolicyStress.LostWake, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them notices the other")
    @Outcome(expect = FORBIDDEN, desc = "the task waits and the worker sleeps")
    @State
    public static class Planted {
        private final WakeWithoutFence policy = new WakeWithoutFence();

        @Actor
        public void submitter(ZZ_Result r) {
            r.r1 = policy.submit();
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            r.r2 = policy.announceAndRescan();
        }
    }
}
