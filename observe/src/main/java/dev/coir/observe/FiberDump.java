package dev.coir.observe;

import dev.coir.executor.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What a scheduler's threads and fibers were doing at a moment. Shows every fiber that runs, and every one that has ever
 * suspended and has not ended; those that were started and have not begun are counted only.
 *
 * {@snippet :
 * System.err.println(FiberDump.of(scheduler));
 * }
 *
 * <p>Nothing is stopped for it, so each fiber is seen at a moment of its own: what is said of one fiber goes together, what is
 * said of two need not.
 */
public final class FiberDump {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final String scheduler;
    private final String state;
    private final Instant time;
    private final List<WorkerView> workers;
    private final List<FiberView> fibers;
    private final long queued;

    FiberDump(
            String scheduler,
            String state,
            Instant time,
            List<WorkerView> workers,
            List<FiberView> fibers,
            long queued) {
        this.scheduler = scheduler;
        this.state = state;
        this.time = time;
        this.workers = List.copyOf(workers);
        this.fibers = List.copyOf(fibers);
        this.queued = queued;
    }

    /**
     * Looks at a scheduler. From any thread or fiber. The stacks of LIGHT fibers are told by their own threads, each of which
     * is waited for up to a tenth of a second: one that is busy for longer leaves the stacks of its waiting fibers out.
     *
     * @param scheduler any scheduler, closed ones included
     * @return what was found
     */
    public static FiberDump of(Scheduler scheduler) {
        return of(scheduler, PATIENCE);
    }

    /**
     * Looks at a scheduler, with a patience of your own.
     *
     * @param scheduler any scheduler, closed ones included
     * @param patience how long to wait for threads none of which answers; zero: stacks of suspended LIGHT fibers are left out
     * @return what was found
     * @throws IllegalArgumentException when the patience is negative
     */
    public static FiberDump of(Scheduler scheduler, Duration patience) {
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(patience, "patience");
        if (patience.isNegative())
            throw new IllegalArgumentException("patience: " + patience + " (expected: zero or more)");
        return Survey.take(scheduler, nanos(patience));
    }

    private static long nanos(Duration patience) {
        return patience.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toNanos() : patience.toNanos();
    }

    /**
     * Whose dump it is.
     *
     * @return the scheduler's name
     */
    public String scheduler() {
        return scheduler;
    }

    /**
     * Where the scheduler stood in its life.
     *
     * @return OPEN, CLOSING or STOPPED
     */
    public String state() {
        return state;
    }

    /**
     * When it was taken.
     *
     * @return the moment at which it was begun
     */
    public Instant time() {
        return time;
    }

    /**
     * The scheduler's threads, spare and bound ones included.
     *
     * @return by group and number
     */
    public List<WorkerView> workers() {
        return workers;
    }

    /**
     * The fibers that it knows.
     *
     * @return by their numbers
     */
    public List<FiberView> fibers() {
        return fibers;
    }

    /**
     * How many tasks and fibers stood in queues, those that have not begun included. Fibers tied to one thread are not counted.
     *
     * @return the number of tasks
     */
    public long queued() {
        return queued;
    }

    /**
     * The dump for tools.
     *
     * @return one JSON object
     */
    public String toJson() {
        return DumpText.json(this);
    }

    /** The dump for people. Fibers that do the same at the same place stand together. */
    @Override
    public String toString() {
        return DumpText.text(this);
    }
}
