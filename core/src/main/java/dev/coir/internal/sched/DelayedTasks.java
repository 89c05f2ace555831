package dev.coir.internal.sched;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The commands of a scheduler that are to run later, so that closing can wait for them or cancel them. Any thread. */
final class DelayedTasks {
    private final SchedulerCore core;
    private final Set<DelayedTask> waiting = ConcurrentHashMap.newKeySet();

    DelayedTasks(SchedulerCore core) {
        this.core = core;
    }

    /** Runs a command later; with a period of 0 once. */
    DelayedTask schedule(Runnable command, long delayNanos, long periodNanos) {
        DelayedTask task = new DelayedTask(core, core.group(-1), command, periodNanos);
        waiting.add(task);
        if (!core.isOpen()) { // after the adding, which closing looks at
            waiting.remove(task);
            throw core.closed();
        }
        task.start(delayNanos);
        return task;
    }

    /** It will not run again. */
    void forget(DelayedTask task) {
        waiting.remove(task);
        core.noteSleep();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Cancels those that would never end. */
    void cancelPeriodic() {
        for (DelayedTask task : waiting) if (task.isPeriodic()) task.cancel();
    }

    void cancelAll() {
        waiting.forEach(DelayedTask::cancel);
    }
}
