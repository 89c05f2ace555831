package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks run when told to, in order, and the counts are exact. */
class ManualExecutorTest {
    private final ManualExecutor manual = new ManualExecutor();
    private final List<String> printed = new ArrayList<>();

    private void submit(String... lines) {
        for (String line : lines) manual.execute(() -> printed.add(line));
    }

    @Test
    void theExamplePrintsFirstSecondThird() {
        manual.execute(() -> printed.add("1st"));
        manual.execute(() -> printed.add("2nd"));
        assertEquals(List.of(), printed);
        assertTrue(manual.runNext());
        assertEquals(List.of("1st"), printed);
        manual.execute(() -> printed.add("3rd"));
        assertEquals(2, manual.drain());
        assertEquals(List.of("1st", "2nd", "3rd"), printed);
    }

    @Test
    void anEmptyOneRunsNothing() {
        assertFalse(manual.runNext());
        assertEquals(0, manual.runAtMost(5));
        assertEquals(0, manual.drain());
        assertEquals(0, manual.size());
        assertTrue(manual.isEmpty());
    }

    @Test
    void runNextRunsExactlyTheOldest() {
        submit("a", "b");
        assertTrue(manual.runNext());
        assertEquals(List.of("a"), printed);
        assertEquals(1, manual.size());
        assertTrue(manual.runNext());
        assertFalse(manual.runNext());
        assertEquals(List.of("a", "b"), printed);
    }

    @Test
    void runAtMostRunsNoMoreThanToldAndNoMoreThanThereAre() {
        submit("a", "b", "c", "d", "e");
        assertEquals(0, manual.runAtMost(0));
        assertEquals(2, manual.runAtMost(2));
        assertEquals(List.of("a", "b"), printed);
        assertEquals(3, manual.size());
        assertEquals(3, manual.runAtMost(Integer.MAX_VALUE));
        assertEquals(List.of("a", "b", "c", "d", "e"), printed);
        assertTrue(manual.isEmpty());
    }

    @Test
    void runAtMostOfANegativeNumberIsRefused() {
        submit("a");
        var refusal = assertThrows(IllegalArgumentException.class, () -> manual.runAtMost(-1));
        assertEquals("n: -1 (expected: 0 or more)", refusal.getMessage());
        assertEquals(1, manual.size());
    }

    @Test
    void drainRunsWhatTasksSubmitAfterWhatWasThere() {
        manual.execute(() -> {
            printed.add("a");
            submit("a's");
        });
        submit("b");
        assertEquals(3, manual.drain());
        assertEquals(List.of("a", "b", "a's"), printed);
    }

    @Test
    void runAtMostCountsWhatTasksSubmit() {
        var runs = new AtomicInteger();
        manual.execute(new Runnable() {
            @Override
            public void run() {
                runs.incrementAndGet();
                manual.execute(this);
            }
        });
        assertEquals(100, manual.runAtMost(100));
        assertEquals(100, runs.get());
        assertEquals(1, manual.size());
    }

    @Test
    void aTaskMayRunTheOthersItself() {
        manual.execute(() -> {
            printed.add("outer begins");
            assertTrue(manual.runNext());
            printed.add("outer ends");
        });
        submit("inner");
        assertEquals(1, manual.drain());
        assertEquals(List.of("outer begins", "inner", "outer ends"), printed);
    }

    @Test
    void whatATaskThrowsLeavesTheMethodAndTheRestStaysQueued() {
        var planted = new IllegalStateException("planted");
        for (int i = 0; i < 3; i++) {
            submit("before");
            manual.execute(() -> {
                throw planted;
            });
        }
        submit("last");
        assertSame(planted, assertThrows(IllegalStateException.class, manual::drain));
        assertEquals(5, manual.size());
        assertSame(planted, assertThrows(IllegalStateException.class, () -> manual.runAtMost(10)));
        assertEquals(3, manual.size());
        assertTrue(manual.runNext());
        assertSame(planted, assertThrows(IllegalStateException.class, manual::runNext));
        assertEquals(1, manual.drain());
        assertEquals(List.of("before", "before", "before", "last"), printed);
    }

    @Test
    void tasksRunOnTheThreadThatRunsThem() throws Exception {
        var ranOn = new ArrayList<Thread>();
        Crowd.onAnotherThread(i -> manual.execute(() -> ranOn.add(Thread.currentThread())));
        assertEquals(1, manual.drain());
        assertEquals(List.of(Thread.currentThread()), ranOn);
    }

    @Test
    void submittingFromManyThreadsLosesNothingAndKeepsEachOnesOrder() throws Exception {
        int threads = 4;
        int each = 5000;
        var last = new int[threads];
        Crowd.run(threads, submitter -> {
            for (int n = 1; n <= each; n++) {
                int number = n;
                manual.execute(() -> assertEquals(number, ++last[submitter]));
            }
        });
        assertEquals(threads * each, manual.size());
        assertEquals(threads * each, manual.drain());
        for (int seen : last) assertEquals(each, seen);
    }

    @Test
    void submittingWhileAnotherThreadRunsLosesNothing() throws Exception {
        int each = 20_000;
        var ran = new AtomicInteger();
        Crowd.run(3, role -> {
            if (role > 0) {
                for (int n = 0; n < each; n++) manual.execute(ran::incrementAndGet);
            } else {
                int counted = 0;
                while (counted < 2 * each) counted += manual.drain();
                assertEquals(2 * each, counted);
            }
        });
        assertEquals(2 * each, ran.get());
    }

    @Test
    void twoThreadsThatRunShareTheTasks() throws Exception {
        int tasks = 20_000;
        var ran = new AtomicInteger();
        for (int n = 0; n < tasks; n++) manual.execute(ran::incrementAndGet);
        var counted = new AtomicInteger();
        Crowd.run(2, i -> counted.addAndGet(manual.drain()));
        assertEquals(tasks, counted.get());
        assertEquals(tasks, ran.get());
    }

    @Test
    void itIsAnExecutorForTheJdk() {
        var future = CompletableFuture.supplyAsync(() -> 6, manual).thenApplyAsync(n -> 7 * n, manual);
        assertFalse(future.isDone());
        assertEquals(2, manual.drain());
        assertEquals(42, future.join());
    }

    @Test
    void aNullTaskIsRefused() {
        var refusal = assertThrows(NullPointerException.class, () -> manual.execute(null));
        assertEquals("task", refusal.getMessage());
        assertTrue(manual.isEmpty());
    }

    @Test
    void itsTextTellsHowManyAreQueued() {
        submit("a", "b");
        assertEquals("ManualExecutor[2 queued]", manual.toString());
    }
}
