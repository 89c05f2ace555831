package dev.coir.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The invariants W1 to W3 of {@link WakePolicy}. */
public final class WakePolicyStress {
    private WakePolicyStress() {}

    /** W1. A task is submitted while the only searcher gives up: does one of the two notice the other? */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the submitter wakes the sleeper")
    @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "the sleeper sees the task")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "the task waits and the worker sleeps")
    @State
    public static class LostWake {
        private final WakePolicy policy = new WakePolicy();
        private int tasks; // plain on purpose: the fences are the policy's

        public LostWake() {
            policy.tryStartSearching();
        }

        @Actor
        public void submitter(II_Result r) {
            tasks = 1;
            VarHandle.fullFence();
            r.r1 = policy.wantsWake() ? policy.claimSleeper() : -1;
        }

        @Actor
        public void sleeper(II_Result r) {
            policy.announceSleep(0);
            policy.stopSearching();
            r.r2 = tasks;
        }
    }

    /**
     * W1. One claims while nobody sleeps, and so counts a searcher for nobody. Meanwhile a worker falls asleep and a task is
     * submitted by one who relies on that searcher: does somebody wake the worker?
     */
    @JCStressTest
    @Outcome(
            id = {"0, -1", "-1, 0"},
            expect = ACCEPTABLE,
            desc = "one of them wakes it")
    @Outcome(expect = FORBIDDEN, desc = "nobody wakes it, or both do")
    @State
    public static class ClaimForNobody {
        private final WakePolicy policy = new WakePolicy();

        @Actor
        public void claimer(II_Result r) {
            r.r1 = policy.claimSleeper();
        }

        @Actor
        public void sleeperThenSubmitter(II_Result r) {
            policy.announceSleep(0);
            r.r2 = policy.wantsWake() ? policy.claimSleeper() : -1;
        }
    }

    /** W2. Two submit while two sleep: is one of them woken, the lowest-numbered, and counted? */
    @JCStressTest
    @Outcome(
            id = {"0, -1, 1, 2", "-1, 0, 1, 2"},
            expect = ACCEPTABLE,
            desc = "worker 0 is woken and counts as the searcher")
    @Outcome(expect = FORBIDDEN, desc = "nobody or both woken, or counted wrongly")
    @State
    public static class BurstWakesOne {
        private final WakePolicy policy = new WakePolicy();

        public BurstWakesOne() {
            policy.announceSleep(0);
            policy.announceSleep(1);
        }

        @Actor
        public void first(IIII_Result r) {
            r.r1 = policy.claimSleeper();
        }

        @Actor
        public void second(IIII_Result r) {
            r.r2 = policy.claimSleeper();
        }

        @Arbiter
        public void afterwards(IIII_Result r) {
            r.r3 = policy.searchers();
            r.r4 = (int) policy.sleepers();
        }
    }

    /** W2. One searches and two more want to: does exactly one of them get in? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "two search")
    @Outcome(expect = FORBIDDEN, desc = "three search, or one is kept out for nothing")
    @State
    public static class AtMostTwoSearch {
        private final WakePolicy policy = new WakePolicy();

        public AtMostTwoSearch() {
            policy.tryStartSearching();
        }

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = policy.tryStartSearching();
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = policy.tryStartSearching();
        }
    }

    /** W3. A submitter wakes a worker that wakes by itself: does exactly one of them clear the bit, and is that counted? */
    @JCStressTest
    @Outcome(id = "0, 0, 1, 1", expect = ACCEPTABLE, desc = "the submitter: it has counted a searcher")
    @Outcome(id = "-1, 1, 0, 1", expect = ACCEPTABLE, desc = "the worker: no searcher is counted")
    @Outcome(expect = FORBIDDEN, desc = "both, none, or counted wrongly")
    @State
    public static class OneWaker {
        private final WakePolicy policy = new WakePolicy();

        public OneWaker() {
            policy.announceSleep(0);
        }

        @Actor
        public void submitter(IIII_Result r) {
            r.r1 = policy.claimSleeper();
        }

        @Actor
        public void worker(IIII_Result r) {
            r.r2 = policy.tryClear(0) ? 1 : 0;
        }

        @Arbiter
        public void afterwards(IIII_Result r) {
            r.r3 = policy.searchers();
            r.r4 = (int) policy.awakenings();
        }
    }

    /** W3. Two workers fall asleep and a third is woken at once: does nobody's bit get lost? */
    @JCStressTest
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "0 and 1 sleep, 5 does not")
    @Outcome(expect = FORBIDDEN, desc = "a bit is lost")
    @State
    public static class BitsOfOthers {
        private final WakePolicy policy = new WakePolicy();

        public BitsOfOthers() {
            policy.announceSleep(5);
        }

        @Actor
        public void first() {
            policy.announceSleep(0);
            policy.tryClear(5);
        }

        @Actor
        public void second() {
            policy.announceSleep(1);
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = (int) policy.sleepers();
        }
    }
}
