package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whatever the inner executor does, accepted tasks run once each, one at a time, and refused ones never. */
class StrandRejectionTest {
    private final ManualExecutor manual = new ManualExecutor();
    private final List<String> printed = new ArrayList<>();

    /** An inner executor that follows a script, call by call; the last line goes for all later calls. */
    private static final class Scripted implements Executor {
        private final Executor[] script;
        private int calls;

        Scripted(Executor... script) {
            this.script = script;
        }

        @Override
        public void execute(Runnable turn) {
            script[Math.min(calls++, script.length - 1)].execute(turn);
        }
    }

    private static Executor refuseWith(RuntimeException refusal) {
        return turn -> {
            throw refusal;
        };
    }

    private final RejectedExecutionException refusal = new RejectedExecutionException("planted");
    private final Executor refuse = refuseWith(refusal);

    private void assertRefused(Throwable expected, Strand strand, String line) {
        var thrown = assertThrows(Throwable.class, () -> strand.execute(() -> printed.add(line)));
        assertSame(expected, thrown);
    }

    @Test
    void theSubmitterGetsTheRefusalItselfAndTheTaskNeverRuns() {
        var strand = Strand.over(new Scripted(refuse, refuse, manual));
        assertRefused(refusal, strand, "refused");
        assertRefused(refusal, strand, "refused again");
        strand.execute(() -> printed.add("accepted"));
        manual.drain();
        assertEquals(List.of("accepted"), printed);
    }

    @Test
    void anyOtherExceptionOfTheInnerExecutorIsARefusalAsWell() {
        var broken = new IllegalStateException("planted");
        var strand = Strand.over(new Scripted(refuseWith(broken), manual));
        assertRefused(broken, strand, "refused");
        strand.execute(() -> printed.add("accepted"));
        manual.drain();
        assertEquals(List.of("accepted"), printed);
    }

    @Test
    void aRefusalThroughAStrandOverAStrandIsTheSameRefusal() {
        var strand = Strand.over(Strand.over(new Scripted(refuse, manual)));
        assertRefused(refusal, strand, "refused");
        strand.execute(() -> printed.add("accepted"));
        manual.drain();
        assertEquals(List.of("accepted"), printed);
    }

    @Test
    void aTurnRefusedAfterAThousandTasksGoesOnAndNothingIsLost() {
        var strand = Strand.over(new Scripted(manual, refuse));
        for (int i = 0; i < 4500; i++) strand.execute(() -> printed.add("ran"));
        assertEquals(1, manual.drain());
        assertEquals(4500, printed.size());
    }

    @Test
    void afterARefusedHandOverTheNextTurnRepeatsNothing() {
        var strand = Strand.over(new Scripted(manual, refuse, manual));
        for (int i = 0; i < 1500; i++) strand.execute(() -> printed.add("ran"));
        assertEquals(1, manual.drain());
        strand.execute(() -> printed.add("later"));
        assertEquals(1, manual.drain());
        assertEquals(1501, printed.size());
        assertEquals("later", printed.getLast());
    }

    @Test
    void aTurnThatBreaksAfterAThousandTasksIsReportedAndNothingIsLost() {
        List<Throwable> uncaught = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        var broken = new IllegalStateException("planted");
        var strand = Strand.over(new Scripted(manual, refuseWith(broken), manual));
        for (int i = 0; i < 1500; i++) strand.execute(() -> printed.add("ran"));
        assertEquals(1, manual.drain());
        assertEquals(1500, printed.size());
        assertEquals(List.of(broken), uncaught);
    }

    @Test
    void aTaskSubmittedInTheMomentOfTheRefusalGetsTheNextTurn() {
        Strand[] strand = new Strand[1];
        strand[0] = Strand.over(new Scripted(
                turn -> {
                    strand[0].execute(() -> printed.add("in that moment"));
                    throw refusal;
                },
                manual));
        assertRefused(refusal, strand[0], "refused");
        assertEquals(List.of(), printed);
        strand[0].execute(() -> printed.add("later"));
        assertEquals(1, manual.drain());
        assertEquals(List.of("in that moment", "later"), printed);
    }

    @Test
    void aTaskSubmittedInTheMomentOfTheRefusalRunsAtOnceWhenTheSecondTurnIsRefusedToo() {
        Strand[] strand = new Strand[1];
        strand[0] = Strand.over(new Scripted(
                turn -> {
                    strand[0].execute(() -> printed.add("in that moment 1"));
                    strand[0].execute(() -> printed.add("in that moment 2"));
                    throw refusal;
                },
                turn -> {
                    strand[0].execute(() -> printed.add("in the next moment"));
                    throw new RejectedExecutionException("planted, second");
                },
                manual));
        assertRefused(refusal, strand[0], "refused");
        assertEquals(List.of("in that moment 1", "in that moment 2", "in the next moment"), printed);
        strand[0].execute(() -> printed.add("later"));
        assertEquals(1, manual.drain());
        assertEquals("later", printed.getLast());
    }

    @Test
    void aTaskSubmittedByAnotherThreadInTheMomentOfTheRefusalStillRuns() {
        Strand[] strand = new Strand[1];
        strand[0] = Strand.over(new Scripted(
                turn -> {
                    try {
                        Crowd.onAnotherThread(i -> strand[0].execute(() -> printed.add("the other's")));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    throw refusal;
                },
                manual));
        assertRefused(refusal, strand[0], "refused");
        assertEquals(1, manual.drain());
        assertEquals(List.of("the other's"), printed);
    }

    @Test
    void anInnerExecutorThatRunsTheTurnAndThenThrowsRunsTheTaskOnce() {
        var strand = Strand.over(new Scripted(
                turn -> {
                    turn.run();
                    throw refusal;
                },
                manual));
        assertRefused(refusal, strand, "ran all the same");
        assertEquals(List.of("ran all the same"), printed);
        strand.execute(() -> printed.add("later"));
        assertEquals(1, manual.drain());
        assertEquals(List.of("ran all the same", "later"), printed);
    }

    /** The turn that was run is over; the one offered now is another's, and must not be mistaken for it. */
    @Test
    void anInnerExecutorThatRunsTheTurnAndThrowsAfterTheNextTurnWasOfferedLosesNothing() {
        Strand[] strand = new Strand[1];
        strand[0] = Strand.over(new Scripted(
                turn -> {
                    turn.run();
                    strand[0].execute(() -> printed.add("the next turn's"));
                    throw refusal;
                },
                manual));
        assertRefused(refusal, strand[0], "ran all the same");
        assertEquals(List.of("ran all the same"), printed);
        manual.drain();
        assertEquals(List.of("ran all the same", "the next turn's"), printed);
        strand[0].execute(() -> printed.add("later"));
        manual.drain();
        assertEquals("later", printed.getLast());
    }

    /** The same at the hand-over after a thousand tasks: what the other turn ran must not be run again. */
    @Test
    void aHandOverThatRunsElsewhereAndThrowsAfterTheNextTurnWasOfferedRunsNothingTwice() {
        Strand[] strand = new Strand[1];
        strand[0] = Strand.over(new Scripted(
                manual,
                turn -> {
                    elsewhere(turn);
                    strand[0].execute(() -> printed.add("the next turn's"));
                    throw refusal;
                },
                manual));
        for (int i = 0; i < 1500; i++) strand[0].execute(() -> printed.add("ran"));
        manual.drain();
        assertEquals(1501, printed.size());
        assertEquals("the next turn's", printed.getLast());
        strand[0].execute(() -> printed.add("later"));
        manual.drain();
        assertEquals(1502, printed.size());
    }

    private static void elsewhere(Runnable turn) {
        try {
            Crowd.onAnotherThread(i -> turn.run());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInnerExecutorThatThrowsAndRunsTheTurnLaterDoesNotBringTheRefusedTaskBack() {
        var strand = Strand.over(new Scripted(
                turn -> {
                    manual.execute(turn);
                    throw refusal;
                },
                manual));
        assertRefused(refusal, strand, "refused");
        assertEquals(1, manual.drain());
        assertEquals(List.of(), printed);
        strand.execute(() -> printed.add("accepted"));
        assertEquals(1, manual.drain());
        assertEquals(List.of("accepted"), printed);
    }

    @Test
    void anInnerExecutorThatRunsTheTurnTwiceRunsTheTasksOnce() {
        var strand = Strand.over(turn -> {
            manual.execute(turn);
            manual.execute(turn);
        });
        for (int i = 0; i < 2500; i++) strand.execute(() -> printed.add("ran"));
        manual.drain();
        assertEquals(2500, printed.size());
    }

    @Test
    void anInnerExecutorThatRunsTheTurnFromInsideATaskDoesNotBreakTheExclusion() {
        List<Runnable> turns = new ArrayList<>();
        var strand = Strand.over(turns::add);
        strand.execute(() -> {
            printed.add("begins");
            turns.getFirst().run();
            printed.add("ends");
        });
        strand.execute(() -> printed.add("second"));
        turns.getFirst().run();
        assertEquals(List.of("begins", "ends", "second"), printed);
    }

    @Test
    void anInnerExecutorThatRunsEveryTurnOnTwoThreadsDoesNotBreakTheExclusion() throws Exception {
        int[] count = {0};
        try (var two = Executors.newFixedThreadPool(2)) {
            var strand = Strand.over(turn -> {
                two.execute(turn);
                two.execute(turn);
            });
            Crowd.run(3, i -> {
                for (int n = 0; n < 20_000; n++) strand.execute(() -> count[0]++);
            });
            var flushed = new CountDownLatch(1);
            strand.execute(flushed::countDown);
            flushed.await();
            assertEquals(60_000, count[0]);
        }
    }

    /** Other people's tasks on those two strands must not be drawn in. */
    @Test
    void anInnerExecutorThatGivesTheTurnToTwoStrandsHarmsNeither() {
        var left = new ManualExecutor();
        var right = new ManualExecutor();
        var leftStrand = Strand.over(left);
        var rightStrand = Strand.over(right);
        var strand = Strand.over(turn -> {
            leftStrand.execute(turn);
            rightStrand.execute(turn);
        });
        leftStrand.execute(() -> printed.add("left 1"));
        rightStrand.execute(() -> printed.add("right 1"));
        strand.execute(() -> printed.add("ran"));
        leftStrand.execute(() -> printed.add("left 2"));
        rightStrand.execute(() -> printed.add("right 2"));
        left.drain();
        assertEquals(List.of("left 1", "ran", "left 2"), printed);
        right.drain();
        assertEquals(List.of("left 1", "ran", "left 2", "right 1", "right 2"), printed);
    }

    @Test
    void overABoundedPoolUnderFourHammeringThreadsExactlyTheAcceptedRun() throws Exception {
        var accepted = new AtomicInteger();
        var refused = new AtomicInteger();
        int[] executed = {0};
        try (var bounded = new ThreadPoolExecutor(
                2, 2, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.AbortPolicy())) {
            // Two strands over so small a pool are refused often, in execute and at the hand-over.
            Strand[] strands = {Strand.over(bounded), Strand.over(bounded), Strand.over(bounded), Strand.over(bounded)};
            int[][] perStrand = new int[strands.length][1];
            Crowd.run(4, i -> {
                for (int n = 0; n < 20_000; n++) {
                    int which = (n + i) % strands.length;
                    try {
                        strands[which].execute(() -> perStrand[which][0]++);
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                }
            });
            for (Strand strand : strands) Crowd.until(() -> strand.toString().startsWith("Strand[idle"));
            for (int[] each : perStrand) executed[0] += each[0];
        }
        assertEquals(80_000, accepted.get() + refused.get());
        assertEquals(accepted.get(), executed[0]);
    }

    @Test
    void whenTheInnerPoolIsShutDownInTheMiddleAllAcceptedTasksRun() throws Exception {
        for (int round = 0; round < 20; round++) {
            var accepted = new AtomicInteger();
            int[] executed = {0};
            var inner = Executors.newFixedThreadPool(2);
            var strand = Strand.over(inner);
            Crowd.run(3, i -> {
                if (i == 0) {
                    Crowd.until(() -> accepted.get() > 1500);
                    inner.shutdown();
                    return;
                }
                for (int n = 0; n < 3000; n++) {
                    try {
                        strand.execute(() -> executed[0]++);
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        assertTrue(inner.isShutdown());
                    }
                }
            });
            assertTrue(inner.awaitTermination(20, TimeUnit.SECONDS));
            Crowd.until(() -> strand.toString().startsWith("Strand[idle"));
            assertEquals(accepted.get(), executed[0]);
        }
    }
}
