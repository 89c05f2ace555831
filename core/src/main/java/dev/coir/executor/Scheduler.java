package dev.coir.executor;

import dev.coir.internal.StackRoom;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs tasks and fibers on a few threads: M:N, work-stealing, with timers and a poller in its loop.
 *
 * {@snippet :
 * try (var scheduler = Scheduler.start(4)) {
 *     scheduler.execute(() -> System.out.println("on a worker"));
 *     scheduler.awaitIdle();
 * }
 * }
 *
 * <p>Its threads are daemons. {@link #close} waits for all that was started.
 */
public final class Scheduler implements Executor, AutoCloseable {
    static {
        SchedulerCore.install(executor -> executor instanceof Scheduler scheduler ? scheduler.core : null);
    }

    private final SchedulerCore core;
    private final boolean common;

    Scheduler(SchedulerCore core, boolean common) {
        this.core = core;
        this.common = common;
        core.ownedBy(this);
    }

    /**
     * Starts a scheduler with a worker per available processor.
     *
     * @return the scheduler
     */
    public static Scheduler start() {
        return builder().start();
    }

    /**
     * Starts a scheduler.
     *
     * @param workers how many threads it has, 0 to 8192; 0: only bound threads run its tasks
     * @return the scheduler
     */
    public static Scheduler start(int workers) {
        return builder().workers(workers).start();
    }

    /**
     * The scheduler that fibers use when nothing else is said. Started at first use, never closed.
     *
     * @return the same each time
     */
    public static Scheduler common() {
        return Common.INSTANCE;
    }

    /**
     * For a scheduler with other than the usual settings.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new SchedulerBuilder();
    }

    /**
     * Runs a task on a worker. What it throws goes to the uncaught handler.
     *
     * @param task what to run
     * @throws RejectedExecutionException when the queue is full or the scheduler closed; the task will not run
     */
    @Override
    public void execute(Runnable task) {
        StackRoom.ensureMore();
        core.spawn(Tasks.of(Objects.requireNonNull(task, "task")), -1);
    }

    /**
     * Runs a task once, later.
     *
     * @param task what to run
     * @param delay how long from now; none when negative
     * @return a handle to cancel it by
     */
    public ScheduledTask schedule(Runnable task, Duration delay) {
        Objects.requireNonNull(task, "task");
        return new ScheduledTask(core.schedule(task, nanos(Objects.requireNonNull(delay, "delay")), 0));
    }

    /**
     * Runs a task again and again, until it is cancelled or the scheduler closes. A run that is late is not made up for.
     *
     * @param task what to run
     * @param period from the start of one run to the start of the next, more than zero
     * @return a handle to cancel it by
     */
    public ScheduledTask scheduleEvery(Runnable task, Duration period) {
        Objects.requireNonNull(task, "task");
        long nanos = nanos(Objects.requireNonNull(period, "period"));
        if (nanos == 0) throw new IllegalArgumentException("period: " + period + " (expected: more than zero)");
        return new ScheduledTask(core.schedule(task, nanos, nanos));
    }

    private static long nanos(Duration duration) {
        if (duration.isNegative()) return 0;
        try {
            return duration.toNanos();
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Waits until nothing is queued and nothing runs; fibers that wait do not count.
     *
     * @throws InterruptedException when interrupted
     * @throws IllegalStateException when called from one of its own tasks
     */
    public void awaitIdle() throws InterruptedException {
        core.awaitIdle(Long.MAX_VALUE);
    }

    /**
     * Waits until nothing is queued and nothing runs; fibers that wait do not count. A worker that is awake counts as running
     * until it sleeps, and an idle one may wake for a moment to look around: so a timeout of zero may find the scheduler busy
     * that has nothing to do.
     *
     * @param timeout how long to wait at most
     * @return false when the time passed first
     * @throws InterruptedException when interrupted
     * @throws IllegalStateException when called from one of its own tasks
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long nanos = nanos(Objects.requireNonNull(timeout, "timeout"));
        return core.awaitIdle(nanos > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : System.nanoTime() + nanos);
    }

    /**
     * Refuses new tasks, waits until every task and fiber has ended, one-shot tasks that are scheduled for later included, then ends
     * the threads. When the caller is interrupted
     * meanwhile, the fibers are cancelled as by {@link #shutdownNow}. Does nothing when it is closed.
     *
     * @throws IllegalStateException from one of its own tasks, while threads are bound, or on the common scheduler
     */
    @Override
    public void close() {
        refuseIfCommon("close");
        core.close();
    }

    /**
     * Refuses new tasks and cancels the fibers: those that wait are interrupted, those not yet started never run. Does not
     * wait; {@link #close} does.
     *
     * @throws IllegalStateException on the common scheduler
     */
    public void shutdownNow() {
        refuseIfCommon("shutdownNow");
        core.shutdownNow();
    }

    private void refuseIfCommon(String what) {
        if (common) throw new IllegalStateException(what + " of the common scheduler, which all share: start your own");
    }

    /**
     * Ties the calling platform thread to this scheduler: while it waits in one of Coir's operations, it runs tasks.
     *
     * @return to be closed by the same thread
     * @throws WrongThreadException from a virtual thread
     * @throws IllegalStateException when the thread is bound already, or the scheduler closed
     */
    public Binding bind() {
        return new Binding(core.bind());
    }

    /**
     * A look at the numbers.
     *
     * @return a snapshot
     */
    public SchedulerStats stats() {
        List<SchedulerStats.WorkerStats> workers = core.numbers().workers().stream()
                .map(w -> new SchedulerStats.WorkerStats(
                        w.group(), w.index(), w.ran(), w.stolen(), w.parked(), w.polled(), w.overflowed(), w.queued()))
                .toList();
        return new SchedulerStats(
                core.name(),
                workers,
                core.numbers().sharedQueued(),
                core.numbers().suspendedTasks().size(),
                core.numbers().timersSet(),
                core.numbers().handoffs());
    }

    @Override
    public String toString() {
        return core.toString();
    }

    /** How tasks are queued. */
    public enum Policy {
        /** Each worker has a queue of its own, and steals from others when it is empty. */
        WORK_STEALING,
        /** The workers of a group share one queue. */
        SHARED_QUEUE
    }

    /** Settings of a scheduler to be started. */
    public interface Builder {
        /**
         * Names its threads.
         *
         * @param name the name
         * @return this
         */
        Builder name(String name);

        /**
         * How many threads it has.
         *
         * @param n 0 to 8192; 0: only bound threads run its tasks. Default: the available processors
         * @return this
         */
        Builder workers(int n);

        /**
         * Among how many groups the workers are divided.
         *
         * @param n 1 or more; a group has 64 workers at most. Default: as few as will do, or one per node when NUMA-aware
         * @return this
         */
        Builder groups(int n);

        /**
         * How tasks are queued.
         *
         * @param p the policy. Default: work stealing
         * @return this
         */
        Builder policy(Policy p);

        /**
         * How many tasks may stand in a group's shared queue before new ones are refused.
         *
         * @param powerOfTwo the capacity. Default: 4 194 304
         * @return this
         */
        Builder runQueueCapacity(int powerOfTwo);

        /**
         * How often an idle worker tries other groups of its node.
         *
         * @param n every n-th search; 0: never. Default: 16
         * @return this
         */
        Builder stealEvery(int n);

        /**
         * How often an idle worker tries groups of other nodes.
         *
         * @param n every n-th search; 0: never. Default: never
         * @return this
         */
        Builder crossNodeStealEvery(int n);

        /**
         * Whether groups are laid over the machine's NUMA nodes.
         *
         * @param b default: false
         * @return this
         */
        Builder numaAware(boolean b);

        /**
         * Whether each thread is tied to processors.
         *
         * @param b default: false
         * @return this
         */
        Builder pinToCpus(boolean b);

        /**
         * The stack of a worker's thread, which also bounds the depth of a fiber that runs on it.
         *
         * @param bytes 0 for the JVM's default, and so is everything below a megabyte
         * @return this
         */
        Builder workerStackSize(long bytes);

        /**
         * How many extra threads may stand in for blocked ones.
         *
         * @param n 0 or more. Default: 256
         * @return this
         */
        Builder maxSpareCarriers(int n);

        /**
         * How long a fiber may run before it is asked to yield (with the agent), or found to block and its worker handed to
         * another thread.
         *
         * @param d more than zero. Default: 10 ms
         * @return this
         */
        Builder timeSlice(Duration d);

        /**
         * How long a fiber or task may keep its thread before {@link Reports#stalled} tells.
         *
         * @param d zero for never. Default: 1 s
         * @return this
         */
        Builder stallThreshold(Duration d);

        /**
         * Gets what the scheduler's monitor finds wrong.
         *
         * @param r the listener. Default: {@link Reports#LOGGED}
         * @return this
         */
        Builder reports(Reports r);

        /**
         * Gets what tasks throw, and what fibers throw that have no result.
         *
         * @param h the handler. Default: the thread's own
         * @return this
         */
        Builder uncaughtHandler(Thread.UncaughtExceptionHandler h);

        /**
         * Starts it.
         *
         * @return the scheduler
         */
        Scheduler start();
    }

    private static final class Common {
        static final Scheduler INSTANCE = new Scheduler(
                new SchedulerCore(new SchedulerBuilder().name("common").config()), true);
    }
}
