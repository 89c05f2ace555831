package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One task at a time, in order, over any executor. */
class StrandTest {
    private final ManualExecutor manual = new ManualExecutor();
    private final List<String> printed = new ArrayList<>();

    private static ExecutorService pool(int threads) {
        return Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("worker ", 0).factory());
    }

    /** Waits for all that was submitted before. */
    private static void flush(Executor strand) throws InterruptedException {
        var flushed = new CountDownLatch(1);
        strand.execute(flushed::countDown);
        flushed.await();
    }

    @Test
    void theExampleCounts1024CriticalSections() throws Exception {
        int[] sections = {0};
        try (var workers = pool(4)) {
            var strand = Strand.over(workers);
            try (var clients = pool(5)) {
                for (int i = 0; i < 1024; i++) clients.execute(() -> strand.execute(() -> ++sections[0]));
            }
            flush(strand);
            printed.add("# critical sections: " + sections[0]);
        }
        assertEquals(List.of("# critical sections: 1024"), printed);
    }

    /** Counts without any synchronisation, and checks who runs: any overlap or lost write shows. */
    private static final class Counter {
        private final int[] lastOf;
        private int count;
        private boolean busy;
        private final List<String> breaches = new ArrayList<>();

        Counter(int submitters) {
            lastOf = new int[submitters];
        }

        void enter(int submitter, int number) {
            if (busy) breaches.add("two at once");
            busy = true;
            if (++lastOf[submitter] != number) breaches.add("out of order: " + number + " of " + submitter);
            count++;
            busy = false;
        }
    }

    private static void hammer(Strand strand, int submitters, int each) throws Exception {
        var counter = new Counter(submitters);
        Crowd.run(submitters, submitter -> {
            for (int n = 1; n <= each; n++) {
                int number = n;
                strand.execute(() -> counter.enter(submitter, number));
            }
        });
        flush(strand);
        assertEquals(List.of(), counter.breaches);
        assertEquals(submitters * each, counter.count);
    }

    @Test
    void overAFixedPoolTasksExcludeEachOtherAndKeepEachSubmittersOrder() throws Exception {
        try (var workers = pool(4)) {
            hammer(Strand.over(workers), 5, 20_000);
        }
    }

    @Test
    void overTheCommonPoolAsWell() throws Exception {
        hammer(Strand.over(ForkJoinPool.commonPool()), 3, 20_000);
    }

    @Test
    void overVirtualThreadsAsWell() throws Exception {
        try (var perTask = Executors.newVirtualThreadPerTaskExecutor()) {
            hammer(Strand.over(perTask), 3, 20_000);
        }
    }

    @Test
    void overAThreadPerTaskThatHopsAfterEveryThousandAsWell() throws Exception {
        hammer(Strand.over(turn -> Thread.ofPlatform().daemon().start(turn)), 3, 20_000);
    }

    @Test
    void overAStrandOverAStrandAsWell() throws Exception {
        try (var workers = pool(2)) {
            hammer(Strand.over(Strand.over(Strand.over(workers))), 3, 20_000);
        }
    }

    @Test
    void overTheSubmittersOwnThreadsAsWell() throws Exception {
        hammer(Strand.over(Runnable::run), 4, 20_000);
    }

    @Test
    void twoStrandsOverOneDoNotMix() throws Exception {
        try (var workers = pool(2)) {
            var shared = Strand.over(workers);
            Crowd.run(2, i -> hammer(Strand.over(shared), 2, 5_000));
        }
    }

    @Test
    void aThousandSubmitsBeforeAnyRunNeedOneTurn() {
        var strand = Strand.over(manual);
        for (int i = 0; i < 1000; i++) strand.execute(() -> printed.add("ran"));
        assertEquals(1, manual.size());
        assertEquals(1, manual.drain());
        assertEquals(1000, printed.size());
    }

    @Test
    void moreLoadMeansFewerTurnsPerTask() {
        assertEquals(100, turnsFor(1, 100));
        assertEquals(10, turnsFor(10, 100));
        assertEquals(1, turnsFor(100, 100));
    }

    /** How many turns it takes when {@code atOnce} tasks gather before each. */
    private int turnsFor(int atOnce, int tasks) {
        var strand = Strand.over(manual);
        int turns = 0;
        for (int submitted = 0; submitted < tasks; submitted += atOnce) {
            for (int i = 0; i < atOnce; i++) strand.execute(() -> {});
            turns += manual.drain();
        }
        return turns;
    }

    @Test
    void afterAThousandTasksTheThreadIsGivenBack() {
        var strand = Strand.over(manual);
        for (int i = 0; i < 2500; i++) strand.execute(() -> printed.add("ran"));
        assertTrue(manual.runNext());
        assertEquals(1000, printed.size());
        assertTrue(manual.runNext());
        assertEquals(2000, printed.size());
        assertTrue(manual.runNext());
        assertEquals(2500, printed.size());
        assertTrue(manual.isEmpty());
    }

    @Test
    void anIdleStrandWakesUpAgain() {
        var strand = Strand.over(manual);
        for (int round = 1; round <= 3; round++) {
            strand.execute(() -> printed.add("ran"));
            assertEquals(1, manual.drain());
            assertEquals(round, printed.size());
        }
    }

    @Test
    void aTaskThatSubmitsToItsOwnStrandRunsLaterInTheSameTurn() {
        var strand = Strand.over(manual);
        strand.execute(() -> {
            strand.execute(() -> printed.add("second"));
            printed.add("first");
        });
        assertEquals(1, manual.drain());
        assertEquals(List.of("first", "second"), printed);
    }

    @Test
    void overTheCallingThreadATaskThatSubmitsIsNotInterrupted() {
        var strand = Strand.over(Runnable::run);
        strand.execute(() -> {
            strand.execute(() -> {
                strand.execute(() -> printed.add("third"));
                printed.add("second");
            });
            printed.add("first");
        });
        assertEquals(List.of("first", "second", "third"), printed);
    }

    @Test
    void anEndlessTaskThatSubmitsItselfLetsOthersOfAOneThreadExecutorRun() throws Exception {
        try (var one = pool(1)) {
            var strand = Strand.over(one);
            var stop = new CountDownLatch(1);
            strand.execute(new Runnable() {
                @Override
                public void run() {
                    if (stop.getCount() > 0) strand.execute(this);
                }
            });
            one.submit(stop::countDown).get();
        }
    }

    /** A small stack, and more turns than would fit on it if each were nested in the last. */
    @Test
    void overTheCallingThreadALongLoopOfSubmitsDoesNotDeepenTheStack() throws Exception {
        int rounds = 3_000_000;
        var strand = Strand.over(Runnable::run);
        int[] runs = {0};
        int[] overflows = {0};
        var loop = new Runnable() {
            @Override
            public void run() {
                if (++runs[0] < rounds) strand.execute(this);
            }
        };
        var thread = new Thread(null, () -> strand.execute(loop), "small stack", 256 * 1024);
        thread.setUncaughtExceptionHandler((t, failure) -> overflows[0]++);
        thread.start();
        thread.join();
        assertEquals(0, overflows[0]);
        assertEquals(rounds, runs[0]);
        assertEquals("Strand[idle", strand.toString().substring(0, 11));
    }

    @Test
    void aTaskThatThrowsGoesToTheUncaughtHandlerAndTheNextRuns() {
        var planted = new IllegalStateException("planted");
        List<Throwable> uncaught = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            assertSame(Thread.currentThread(), thread);
            uncaught.add(failure);
        });
        var strand = Strand.over(manual);
        strand.execute(() -> {
            throw planted;
        });
        strand.execute(() -> printed.add("next"));
        assertEquals(1, manual.drain());
        assertEquals(List.of(planted), uncaught);
        assertEquals(List.of("next"), printed);
    }

    @Test
    void anErrorDoesNotStopItEither() {
        List<Throwable> uncaught = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        var strand = Strand.over(manual);
        var planted = new StackOverflowError("planted");
        strand.execute(() -> {
            throw planted;
        });
        strand.execute(() -> printed.add("next"));
        assertEquals(1, manual.drain());
        assertEquals(List.of(planted), uncaught);
        assertEquals(List.of("next"), printed);
    }

    @Test
    void aHandlerThatThrowsDoesNotStopItEither() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            printed.add("handled");
            throw new IllegalStateException("from the handler");
        });
        var strand = Strand.over(manual);
        strand.execute(() -> {
            throw new IllegalStateException("planted");
        });
        strand.execute(() -> printed.add("next"));
        assertEquals(1, manual.drain());
        assertEquals(List.of("handled", "next"), printed);
    }

    @Test
    void whatATaskWroteTheNextReadsOnWhicheverThreadItRuns() throws Exception {
        long[] cell = {0};
        var wrong = new AtomicInteger();
        try (var perTask =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            var strand = Strand.over(perTask);
            for (int round = 0; round < 2000; round++) {
                long expected = round;
                strand.execute(() -> {
                    if (cell[0] != expected) wrong.incrementAndGet();
                    cell[0] = expected + 1;
                });
                if (round % 3 == 0) flush(strand);
            }
            flush(strand);
        }
        assertEquals(0, wrong.get());
        assertEquals(2000, cell[0]);
    }

    @Test
    void aNullTaskIsRefusedAndAnIdleStrandStaysIdle() {
        var strand = Strand.over(manual);
        assertThrows(NullPointerException.class, () -> strand.execute(null));
        assertTrue(manual.isEmpty());
        strand.execute(() -> printed.add("ran"));
        assertEquals(1, manual.drain());
        assertEquals(List.of("ran"), printed);
    }

    @Test
    void aNullInnerExecutorIsRefused() {
        var refusal = assertThrows(NullPointerException.class, () -> Strand.over(null));
        assertEquals("inner", refusal.getMessage());
    }

    @Test
    void itsTextTellsWhetherItIsBusy() {
        var strand = Strand.over(manual);
        assertEquals("Strand[idle, over ManualExecutor[0 queued]]", strand.toString());
        strand.execute(() -> printed.add(strand.toString()));
        assertEquals("Strand[busy, over ManualExecutor[1 queued]]", strand.toString());
        assertEquals(1, manual.drain());
        assertEquals(List.of("Strand[busy, over ManualExecutor[0 queued]]"), printed);
        assertEquals("Strand[idle, over ManualExecutor[0 queued]]", strand.toString());
    }
}
