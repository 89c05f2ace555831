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

/** The mistake: a runner looks for work and then says that it leaves; work that came between finds a runner, and none comes. */
public final class StrandWithOneFlag {
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private int ran; // the runner's

    public void execute() {
        queued.incrementAndGet();
        if (!running.compareAndSet(false, true)) return;
        while (queued.get() > 0) {
            queued.decrementAndGet();
            ran++;
        }
        for (int i = 0; i < 10; i++) Thread.onSpinWait(); // stopped for a while where it hurts most
        running.set(false);
    }

    /** StrandStress.MutualExclusion, which must fail. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both ran")
    @Outcome(expect = FORBIDDEN, desc = "a task is left behind")
    @State
    public static class Planted {
        private final StrandWithOneFlag strand = new StrandWithOneFlag();

        @Actor
        public void first() {
            strand.execute();
        }

        @Actor
        public void second() {
            strand.execute();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = strand.ran;
        }
    }
}
