package dev.coir.executor;

import dev.coir.internal.StackRoom;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * A queue of tasks that run when you say so, on your thread, in the order they came. Made for tests, and for loops that
 * already have a thread.
 *
 * <p>Any thread may {@link #execute}; usually one thread runs the tasks, though nothing breaks when several do. A task
 * that throws has been taken from the queue; what it threw leaves the method that ran it, and the others stay queued.
 */
public final class ManualExecutor implements Executor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** An executor with nothing to run. */
    public ManualExecutor() {}

    @Override
    public void execute(Runnable task) {
        tasks.add(Objects.requireNonNull(task, "task"));
    }

    /**
     * Runs the oldest task.
     *
     * @return false when there was none
     */
    public boolean runNext() {
        StackRoom.ensureMore(); // what is taken must be run
        Runnable task = tasks.poll();
        if (task == null) return false;
        task.run();
        return true;
    }

    /**
     * Runs tasks, those included that are added meanwhile, until {@code n} have run or none is left.
     *
     * @param n the most to run, 0 or more
     * @return how many ran
     */
    public int runAtMost(int n) {
        if (n < 0) throw new IllegalArgumentException("n: " + n + " (expected: 0 or more)");
        int ran = 0;
        while (ran < n && runNext()) ran++;
        return ran;
    }

    /**
     * Runs tasks until none is left, those included that are added meanwhile; with tasks that add themselves again this
     * does not return.
     *
     * @return how many ran
     */
    public int drain() {
        int ran = 0;
        while (runNext()) ran++;
        return ran;
    }

    /**
     * How many tasks are queued; counts them one by one.
     *
     * @return the number of tasks
     */
    public int size() {
        return tasks.size();
    }

    /**
     * Whether no task is queued.
     *
     * @return true when there is nothing to run
     */
    public boolean isEmpty() {
        return tasks.isEmpty();
    }

    @Override
    public String toString() {
        return "ManualExecutor[" + size() + " queued]";
    }
}
