package dev.coir.examples;

import dev.coir.executor.Strand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A strand runs tasks one at a time without a lock, and needs few turns of its pool for many tasks. */
final class StrandTour implements Section {
    private static final int THREADS = 4;
    private static final int INCREMENTS = 1_000_000;

    private static final class Counter {
        private int value;

        void increment() {
            value++;
        }
    }

    @Override
    public String name() {
        return "strand";
    }

    @Override
    public String title() {
        return "A strand: one task at a time, without a lock";
    }

    @Override
    public void run(Screen screen) throws InterruptedException {
        screen.say(THREADS + " threads hand in " + Screen.count(INCREMENTS) + " tasks, each of them a bare value++.\n"
                + "The counter has no lock and is not volatile.");
        screen.gap();

        var unprotected = new Counter();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            submitAll(pool, unprotected);
        }
        int lost = INCREMENTS - unprotected.value;
        screen.show("to the pool itself:      counted " + Screen.count(unprotected.value)
                + (lost == 0 ? "  (none lost, this time)" : "  (" + Screen.count(lost) + " lost)"));

        var counter = new Counter();
        var turns = new AtomicLong();
        long start = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Executor counted = turn -> {
                turns.incrementAndGet();
                pool.execute(turn);
            };
            Strand strand = Strand.over(counted);
            submitAll(strand, counter);
            CompletableFuture.runAsync(() -> {}, strand).join(); // submitted last, so it runs last
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        screen.show("to a strand over it:     counted " + Screen.count(counter.value));
        screen.gap();
        screen.say("It took " + millis + " ms and " + Screen.count(turns.get()) + " turns of the pool, "
                + Math.round((double) INCREMENTS / turns.get()) + " tasks in each on average.");
        screen.note("A turn runs what has gathered, and after 1,000 tasks lets others have the thread.");
    }

    /** Returns when all is handed in, which is before all has run. */
    private static void submitAll(Executor to, Counter counter) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < INCREMENTS / THREADS; n++) to.execute(counter::increment);
            }));
        }
        for (Thread thread : threads) thread.join();
    }
}
