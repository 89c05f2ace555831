package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber.Status;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * V2 of VirtualFiber. Whoever reads the stack of a virtual thread that could run halts it meanwhile, and hands it to its
 * scheduler once more afterwards: a thread dump of a fiber that stands in a queue queues it a second time.
 */
@ParameterizedClass
@CsvSource({"WORK_STEALING, false", "WORK_STEALING, true", "SHARED_QUEUE, false", "SHARED_QUEUE, true"})
class QueuedFiberDumpTest {
    private static final int CROWD = 3000; // more than a ring holds, so that lists are queued as well

    @Parameter(0)
    private Scheduler.Policy policy;

    @Parameter(1)
    private boolean local;

    private final List<Scheduler> made = new ArrayList<>();

    private Scheduler start(int workers) {
        Scheduler scheduler =
                Schedulers.start(Scheduler.builder().workers(workers).policy(policy));
        made.add(scheduler);
        return scheduler;
    }

    @AfterEach
    void everythingEnds() throws Exception {
        for (Scheduler each : made) Schedulers.close(each);
    }

    /** Each read left one more entry in the queue, for good: after a thousand the fiber that was read had nearly all the turns. */
    @Test
    void whoIsReadOftenGetsNoMoreTurnsThanOthers() {
        Scheduler scheduler = start(1);
        var stop = new AtomicBoolean();
        var turns = new AtomicInteger[] {new AtomicInteger(), new AtomicInteger()};
        List<Fiber<?>> both = new ArrayList<>();
        for (AtomicInteger own : turns) {
            both.add(Fiber.builder().on(scheduler).local(local).start(() -> {
                while (!stop.get()) {
                    own.incrementAndGet();
                    Fiber.yield();
                }
            }));
        }
        Thread read = both.getFirst().thread().orElseThrow();
        for (int i = 0; i < 1000; i++) read.getStackTrace();
        int[] before = {turns[0].get(), turns[1].get()};
        Crowd.until(() -> turns[0].get() - before[0] > 100_000);
        int others = turns[1].get() - before[1];
        stop.set(true);
        both.forEach(Fiber::join);
        assertTrue(others > 20_000, () -> "turns of the other: " + others);
    }

    @Test
    void whatIsReadWhileItStandsInAQueueStaysThereAndRuns() {
        Scheduler scheduler = start(1);
        var stop = new AtomicBoolean();
        var begun = new AtomicInteger();
        List<Fiber<?>> crowd = crowd(scheduler, CROWD, begun, stop);
        Crowd.until(() -> begun.get() == CROWD);

        var holds = new AtomicBoolean();
        var release = new AtomicBoolean();
        Fiber<?> holder = Fiber.builder().on(scheduler).start(() -> {
            holds.set(true);
            while (!release.get()) Thread.onSpinWait();
        });
        Crowd.until(holds::get);
        for (Fiber<?> each : crowd) assertEquals(Status.QUEUED, each.status());
        for (int i = 0; i < 2 * CROWD; i += 3) read(crowd.get(i % CROWD)); // the others must not be lost with them
        stop.set(true);
        release.set(true);
        holder.join();
        crowd.forEach(Fiber::join);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 50, CROWD})
    void whatIsReadAgainAndAgainWhileItYieldsLosesNobody(int count) {
        Scheduler scheduler = start(2);
        var stop = new AtomicBoolean();
        List<Fiber<?>> crowd = crowd(scheduler, count, new AtomicInteger(), stop);
        for (int i = 0; i < 5 * CROWD; i += 2) read(crowd.get(i % count));
        stop.set(true);
        crowd.forEach(Fiber::join);
    }

    private static void read(Fiber<?> fiber) {
        fiber.thread().orElseThrow().getStackTrace();
    }

    private List<Fiber<?>> crowd(Scheduler on, int count, AtomicInteger begun, AtomicBoolean stop) {
        List<Fiber<?>> crowd = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            crowd.add(Fiber.builder().on(on).local(local).start(() -> {
                begun.incrementAndGet();
                while (!stop.get()) Fiber.yield();
            }));
        }
        return crowd;
    }
}
