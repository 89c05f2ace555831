package dev.coir.net;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Who makes the calls in a test: fibers of one kind on so many workers, or threads of some kind. */
final class Ground implements AutoCloseable {
    /** A ground to be made. */
    record Spec(Who who, int workers) {
        Ground open() {
            return new Ground(this);
        }

        @Override
        public String toString() {
            return who + (workers == 0 ? "" : " on " + workers);
        }
    }

    enum Who {
        VIRTUAL_FIBERS,
        LIGHT_FIBERS,
        TASKS,
        FIBERS_ON_A_POOL,
        THREADS,
        VIRTUAL_THREADS
    }

    static Stream<Spec> all() {
        List<Spec> specs = new ArrayList<>();
        for (int workers : new int[] {1, 2, 8}) {
            specs.add(new Spec(Who.VIRTUAL_FIBERS, workers));
            specs.add(new Spec(Who.LIGHT_FIBERS, workers));
        }
        specs.add(new Spec(Who.TASKS, 2));
        specs.add(new Spec(Who.FIBERS_ON_A_POOL, 0));
        specs.add(new Spec(Who.THREADS, 0));
        specs.add(new Spec(Who.VIRTUAL_THREADS, 0));
        String only = System.getProperty("coir.ground", ""); // to look at one of them
        return specs.stream().filter(each -> each.who().name().contains(only));
    }

    static final int SECONDS = 20; // after which something hangs

    private final Spec spec;
    private final Scheduler scheduler;
    private final ExecutorService pool;
    private final List<Future<?>> all = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Thread> liveBefore = Threads.live();

    private Ground(Spec spec) {
        this.spec = spec;
        this.scheduler = spec.workers == 0 ? null : Scheduler.start(spec.workers);
        this.pool = spec.who == Who.FIBERS_ON_A_POOL ? Executors.newFixedThreadPool(2) : null;
    }

    Spec spec() {
        return spec;
    }

    /** Runs a body; what it throws leaves get. */
    <T> Future<T> go(Callable<T> body) {
        Future<T> future = switch (spec.who) {
            case VIRTUAL_FIBERS -> Fiber.go(scheduler, body);
            case LIGHT_FIBERS ->
                Fiber.builder().on(scheduler).kind(Fiber.Kind.LIGHT).start(body);
            case FIBERS_ON_A_POOL -> Fiber.go(pool, body);
            case TASKS -> {
                var task = new FutureTask<>(body);
                scheduler.execute(task);
                yield task;
            }
            case THREADS -> start(Thread.ofPlatform(), body);
            case VIRTUAL_THREADS -> start(Thread.ofVirtual(), body);
        };
        all.add(future);
        return future;
    }

    private <T> Future<T> start(Thread.Builder builder, Callable<T> body) {
        var task = new FutureTask<>(body);
        threads.add(builder.start(task));
        return task;
    }

    static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(future + " did not end within " + SECONDS + " s.\n" + Threads.dump(), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) throw cause;
            throw e;
        }
    }

    @Override
    public void close() throws Exception {
        for (Future<?> each : all) each.cancel(true);
        if (scheduler != null) scheduler.close();
        if (pool != null) pool.close();
        for (Thread each : threads) each.join();
        Threads.awaitAtMost(liveBefore);
    }
}
