package dev.coir.executor;

import dev.coir.executor.Scheduler.Policy;
import dev.coir.internal.sched.MachinePlacement;
import dev.coir.internal.sched.Placement;
import dev.coir.internal.sched.Pollers;
import dev.coir.internal.sched.SchedulerConfig;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.sched.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Collects and checks the settings of a scheduler. */
final class SchedulerBuilder implements Scheduler.Builder {
    private static final int MAX_PER_GROUP = 64;
    private static final int MAX_WORKERS = 8192; // as many processors as Linux can have
    private static final Duration SPARE_KEEP_ALIVE = Duration.ofSeconds(5);
    private static final AtomicInteger STARTED = new AtomicInteger();

    private @Nullable String name;
    private int workers = Runtime.getRuntime().availableProcessors();
    private int groups; // 0: as few as will do
    private Policy policy = Policy.WORK_STEALING;
    private int runQueueCapacity = 1 << 22;
    private int stealEvery = 16;
    private int crossNodeStealEvery;
    private boolean numaAware;
    private boolean pinToCpus;
    private long workerStackSize;
    private int maxSpareCarriers = 256;
    private Duration timeSlice = Duration.ofMillis(10);
    private Duration stallThreshold = Duration.ofSeconds(1);
    private Reports reports = Reports.LOGGED;
    private Thread.@Nullable UncaughtExceptionHandler uncaughtHandler;

    @Override
    public SchedulerBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    @Override
    public Scheduler.Builder workers(int n) {
        workers = atLeast(0, n, "workers");
        if (n > MAX_WORKERS) {
            throw new IllegalArgumentException("workers: " + n + " (expected: at most " + MAX_WORKERS
                    + ", each is a thread of the system; fibers wait without one, and for calls that block there is"
                    + " Fiber.blocking)");
        }
        return this;
    }

    @Override
    public Scheduler.Builder groups(int n) {
        groups = atLeast(1, n, "groups");
        return this;
    }

    @Override
    public Scheduler.Builder policy(Policy p) {
        policy = Objects.requireNonNull(p, "policy");
        return this;
    }

    @Override
    public Scheduler.Builder runQueueCapacity(int powerOfTwo) {
        if (powerOfTwo < 1 || Integer.bitCount(powerOfTwo) != 1) {
            throw new IllegalArgumentException("runQueueCapacity: " + powerOfTwo + " (expected: a power of two)");
        }
        runQueueCapacity = powerOfTwo;
        return this;
    }

    @Override
    public Scheduler.Builder stealEvery(int n) {
        stealEvery = atLeast(0, n, "stealEvery");
        return this;
    }

    @Override
    public Scheduler.Builder crossNodeStealEvery(int n) {
        crossNodeStealEvery = atLeast(0, n, "crossNodeStealEvery");
        return this;
    }

    @Override
    public Scheduler.Builder numaAware(boolean b) {
        numaAware = b;
        return this;
    }

    @Override
    public Scheduler.Builder pinToCpus(boolean b) {
        pinToCpus = b;
        return this;
    }

    @Override
    public Scheduler.Builder workerStackSize(long bytes) {
        if (bytes < 0) throw new IllegalArgumentException("workerStackSize: " + bytes + " (expected: 0 or more bytes)");
        workerStackSize = bytes;
        return this;
    }

    @Override
    public Scheduler.Builder maxSpareCarriers(int n) {
        maxSpareCarriers = atLeast(0, n, "maxSpareCarriers");
        return this;
    }

    @Override
    public Scheduler.Builder timeSlice(Duration d) {
        if (Objects.requireNonNull(d, "timeSlice").isNegative() || d.isZero())
            throw new IllegalArgumentException("timeSlice: " + d + " (expected: more than zero)");
        timeSlice = d;
        return this;
    }

    @Override
    public Scheduler.Builder stallThreshold(Duration d) {
        if (Objects.requireNonNull(d, "stallThreshold").isNegative())
            throw new IllegalArgumentException(
                    "stallThreshold: " + d + " (expected: more than zero, or zero for never)");
        stallThreshold = d;
        return this;
    }

    @Override
    public Scheduler.Builder reports(Reports r) {
        reports = Objects.requireNonNull(r, "reports");
        return this;
    }

    @Override
    public Scheduler.Builder uncaughtHandler(Thread.UncaughtExceptionHandler h) {
        uncaughtHandler = Objects.requireNonNull(h, "uncaughtHandler");
        return this;
    }

    @Override
    public Scheduler start() {
        return new Scheduler(new SchedulerCore(config()), false);
    }

    SchedulerConfig config() {
        int needed = Math.max(1, (workers + MAX_PER_GROUP - 1) / MAX_PER_GROUP);
        Topology machine = numaAware || pinToCpus ? Topology.read(Path.of("/sys")) : null;
        int count = groups != 0 ? groups : Math.max(needed, defaultGroups(machine));
        if (count < needed) {
            throw new IllegalArgumentException("groups: " + count + " for " + workers + " workers (expected: " + needed
                    + " or more, 64 workers each)");
        }
        if (count > Math.max(1, workers)) {
            throw new IllegalArgumentException("groups: " + count + " (expected: no more than the " + workers
                    + " workers, or one; in a group without threads nobody would run the tasks)");
        }
        String given = name != null ? name : "coir-" + STARTED.incrementAndGet();
        return new SchedulerConfig(
                given,
                workers,
                count,
                policy == Policy.SHARED_QUEUE,
                runQueueCapacity,
                stealEvery,
                crossNodeStealEvery,
                workerStackSize,
                maxSpareCarriers,
                timeSlice,
                SPARE_KEEP_ALIVE,
                stallThreshold,
                new ReportedFindings(given, reports),
                machine == null ? Placement.ANYWHERE : new MachinePlacement(machine, count, numaAware, pinToCpus),
                Pollers.DEFAULT,
                uncaughtHandler);
    }

    private int defaultGroups(@Nullable Topology machine) {
        int nodes = machine != null && numaAware ? machine.nodes().size() : 1;
        return workers == 0 ? 1 : Math.min(nodes, workers);
    }

    private static int atLeast(int least, int value, String what) {
        if (value < least)
            throw new IllegalArgumentException(what + ": " + value + " (expected: " + least + " or more)");
        return value;
    }
}
