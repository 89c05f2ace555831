package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: room is taken first and given back when it was too much. Others are refused meanwhile for nothing. */
public final class QueueReservedThenGivenBack {
    private static final int CAPACITY = 2;
    private final AtomicLong size = new AtomicLong(1);

    public boolean tryReserve(int count) {
        if (size.addAndGet(count) <= CAPACITY) return true;
        size.addAndGet(-count);
        return false;
    }

    /** SharedQueueStress.RefusedBatch, which must fail. */
    @JCStressTest
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the batch is refused, the task is not")
    @Outcome(expect = FORBIDDEN, desc = "the refused batch took room from the task")
    @State
    public static class Planted {
        private final QueueReservedThenGivenBack queue = new QueueReservedThenGivenBack();

        @Actor
        public void batch(ZZ_Result r) {
            r.r1 = queue.tryReserve(2);
        }

        @Actor
        public void task(ZZ_Result r) {
            r.r2 = queue.tryReserve(1);
        }
    }
}
