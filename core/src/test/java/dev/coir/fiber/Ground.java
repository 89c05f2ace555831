package dev.coir.fiber;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.executor.Scheduler.Policy;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What fibers stand on in a contract test: a kind, and how to get an executor.
 *
 * @param name says which
 * @param kind of the fibers
 * @param threads on how many threads its fibers run at once
 * @param opens makes a fresh one
 */
record Ground(String name, Kind kind, int threads, Opening opens) {
    /** Makes an executor for one test. */
    interface Opening {
        Open open() throws Exception;
    }

    /** Ends what an opening began. */
    interface Closing {
        void close() throws Exception;
    }

    /**
     * An executor that works until it is closed.
     *
     * @param executor the executor
     * @param closing ends it, and fails if it left anything behind
     */
    record Open(Executor executor, Closing closing) {}

    /** Schedulers of every size and policy. */
    static Stream<Ground> schedulers(Kind kind) {
        List<Ground> all = new ArrayList<>();
        for (Policy policy : Policy.values()) {
            for (int workers : new int[] {0, 1, 2, 4, 8, 64}) {
                String name = kind + " on " + policy + " with " + workers;
                all.add(new Ground(name, kind, Math.max(1, workers), () -> scheduler(policy, workers)));
            }
        }
        return all.stream();
    }

    /** Executors that are not Coir's schedulers. */
    static Stream<Ground> foreign() {
        return Stream.of(
                new Ground("VIRTUAL on a ForkJoinPool", Kind.VIRTUAL, 2, () -> pool(new ForkJoinPool(2))),
                new Ground("VIRTUAL on a fixed pool", Kind.VIRTUAL, 2, () -> pool(Executors.newFixedThreadPool(2))),
                new Ground("VIRTUAL on a single thread", Kind.VIRTUAL, 1, () -> pool(Executors.newFixedThreadPool(1))),
                new Ground(
                        "VIRTUAL on virtual threads",
                        Kind.VIRTUAL,
                        Runtime.getRuntime().availableProcessors(), // the common scheduler's, which carry them
                        () -> pool(Executors.newVirtualThreadPerTaskExecutor())),
                new Ground("VIRTUAL on a Strand", Kind.VIRTUAL, 1, Ground::strand),
                new Ground("VIRTUAL on a ManualExecutor", Kind.VIRTUAL, 1, Ground::manual),
                new Ground("LIGHT on a ManualExecutor", Kind.LIGHT, 1, Ground::manual));
    }

    private static Open scheduler(Policy policy, int workers) throws InterruptedException {
        Scheduler scheduler =
                Schedulers.start(Scheduler.builder().workers(workers).policy(policy));
        if (workers != 0) return new Open(scheduler, () -> Schedulers.close(scheduler));
        var bound = new CountDownLatch(1);
        var enough = new CompletableFuture<Void>();
        FutureTask<Void> helper = Crowd.start("bound", i -> {
            try (var _ = scheduler.bind()) {
                bound.countDown();
                Fiber.await(enough);
            }
        });
        bound.await();
        return new Open(scheduler, () -> {
            enough.complete(null);
            helper.get();
            Schedulers.close(scheduler);
        });
    }

    private static Open pool(ExecutorService pool) {
        return new Open(pool, pool::close);
    }

    private static Open strand() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        return new Open(Strand.over(pool), pool::close);
    }

    private static Open manual() {
        var manual = new ManualExecutor();
        var enough = new AtomicBoolean();
        FutureTask<Void> drain = Crowd.start("drains", i -> {
            while (!enough.get()) {
                if (!manual.runNext()) LockSupport.parkNanos(20_000);
            }
        });
        return new Open(manual, () -> {
            enough.set(true);
            drain.get();
        });
    }

    @Override
    public String toString() {
        return name;
    }
}
