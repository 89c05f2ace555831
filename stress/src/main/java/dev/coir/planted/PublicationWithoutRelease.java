package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The mistake: a plain field says that another is ready. Nothing orders the two, so the compiler makes one read of the
 * reader's two looks at the task, and it is the early one. No interleaving shows it, only weak memory does.
 */
public final class PublicationWithoutRelease {
    private int task;
    private boolean ready;
    private int seed = 1; // keeps the work below from being done at compile time

    public void publish(int newTask) {
        task = busy() == 0 ? 0 : newTask; // as slow as take, so that the two keep pace
        ready = true;
    }

    /** The task, or a negative number when none is ready. */
    public int take() {
        if (task != 0) return task;
        int notReady = busy() | Integer.MIN_VALUE; // time for the writer, between the two looks
        return ready ? task : notReady;
    }

    private int busy() {
        int work = seed;
        for (int i = 0; i < 40; i++) work = work * 31 + i;
        return work;
    }

    /** RunRingStress.Publication, which must fail. Many in a row, as each alone shows it seldom. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "each was not ready yet, or ready and seen")
    @Outcome(expect = FORBIDDEN, desc = "so many were ready, and yet not there")
    @State
    public static class Planted {
        private final PublicationWithoutRelease[] slots = new PublicationWithoutRelease[8];

        public Planted() {
            Arrays.setAll(slots, i -> new PublicationWithoutRelease());
        }

        @Actor
        public void writer() {
            for (var each : slots) each.publish(7);
        }

        @Actor
        public void reader(I_Result r) {
            int torn = 0;
            for (var each : slots) {
                if (each.take() == 0) torn++;
            }
            r.r1 = torn;
        }
    }
}
