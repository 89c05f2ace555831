package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The mistake: a signal that meets one who gives up just now is used up, and does not go on to the next. */
public final class SignalTakenByOneWhoGaveUp {
    private final AtomicBoolean[] decided = {new AtomicBoolean(), new AtomicBoolean()};
    private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger woken = new AtomicInteger();

    SignalTakenByOneWhoGaveUp() {
        queue.add(0);
        queue.add(1);
    }

    public void signal() {
        Integer first = queue.poll();
        if (first != null && decided[first].compareAndSet(false, true)) woken.incrementAndGet();
    }

    /** The first gives up; false when it was woken before. */
    public boolean giveUp() {
        if (!decided[0].compareAndSet(false, true)) return false;
        queue.remove(0);
        return true;
    }

    /** ConditionStress, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "the first was woken, or it gave up and the second was")
    @Outcome(expect = FORBIDDEN, desc = "nobody was woken")
    @State
    public static class Planted {
        private final SignalTakenByOneWhoGaveUp condition = new SignalTakenByOneWhoGaveUp();

        @Actor
        public void signals() {
            condition.signal();
        }

        @Actor
        public void givesUp(II_Result r) {
            r.r1 = condition.giveUp() ? 1 : 0;
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r2 = condition.woken.get();
        }
    }
}
