package dev.coir.bench;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The crowds that fiber benchmarks work with: schedulers of one and two workers, and the JDK's virtual threads. */
public final class Crowds {
    private Crowds() {}

    /** A scheduler with one worker. */
    @State(Scope.Benchmark)
    public static class One extends Running {
        public One() {
            super(1);
        }
    }

    /** A scheduler with two workers. */
    @State(Scope.Benchmark)
    public static class Two extends Running {
        public Two() {
            super(2);
        }
    }

    /** A scheduler that lives as long as the measurement. */
    @State(Scope.Benchmark)
    public abstract static class Running {
        final Scheduler scheduler;

        Running(int workers) {
            scheduler = Scheduler.start(workers);
        }

        @TearDown(Level.Trial)
        public void stop() {
            scheduler.close();
        }

        /** Runs {@code body} in as many fibers, started from inside, and waits for all. */
        void run(Fiber.Kind kind, int fibers, Runnable body) throws InterruptedException {
            var done = new CountDownLatch(fibers);
            scheduler.execute(() -> {
                var builder = Fiber.builder().on(scheduler).kind(kind);
                for (int i = 0; i < fibers; i++) {
                    builder.start(() -> {
                        body.run();
                        done.countDown();
                    });
                }
            });
            done.await();
        }
    }

    /** Runs {@code body} in as many virtual threads, started from inside one, and waits for all. */
    static void runInVirtualThreads(int threads, Runnable body) throws InterruptedException {
        var done = new CountDownLatch(threads);
        Thread.startVirtualThread(() -> {
            for (int i = 0; i < threads; i++) {
                Thread.startVirtualThread(() -> {
                    body.run();
                    done.countDown();
                });
            }
        });
        done.await();
    }
}
