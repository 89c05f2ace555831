package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.task.Live;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/** Schedulers under test: the watchdog shows them, and at the end nothing of them may be left. */
public final class Schedulers {
    private Schedulers() {}

    /** Starts one whose state, with that of its fibers, is shown when the test hangs. */
    public static Scheduler start(Scheduler.Builder settings) {
        Scheduler scheduler = settings.start();
        Watchdog.show(new Dump(scheduler));
        return scheduler;
    }

    /** As {@link #start(Scheduler.Builder)}, with nothing else set. */
    public static Scheduler start(int workers) {
        return start(Scheduler.builder().workers(workers));
    }

    /** Closes it and fails unless it has left no thread, no fiber, no timer and nothing queued. */
    public static void close(Scheduler scheduler) {
        String name = scheduler.stats().name();
        scheduler.close();
        forget(scheduler);
        var stats = scheduler.stats();
        if (stats.suspendedFibers() != 0 || stats.sharedQueued() != 0 || stats.timers() != 0) {
            throw new AssertionError("left behind: " + scheduler);
        }
        List<String> left = threadsOf(name);
        if (!left.isEmpty()) throw new AssertionError("threads of " + scheduler + " left behind: " + left);
    }

    /** Shows it no longer; for those who close by themselves, many times. */
    public static void forget(Scheduler scheduler) {
        Watchdog.hide(new Dump(scheduler));
    }

    /** The live threads of the scheduler with this name. */
    public static List<String> threadsOf(String schedulerName) {
        List<String> found = new ArrayList<>();
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            ThreadGroup group = each.getThreadGroup();
            if (group != null && group.getName().equals(schedulerName)) found.add(each.getName());
        }
        return found;
    }

    /** What hangs, and where. */
    private record Dump(Scheduler scheduler) {
        @Override
        public String toString() {
            var text = new StringBuilder(scheduler.toString()).append('\n');
            SchedulerCore core = Objects.requireNonNull(SchedulerCore.of((Executor) scheduler));
            for (Live each : core.numbers().suspendedTasks()) {
                text.append("  ").append(each).append('\n');
                if (!(each instanceof Fiber<?> fiber)) continue;
                fiber.thread().ifPresent(thread -> {
                    for (StackTraceElement frame : thread.getStackTrace())
                        text.append("      at ").append(frame).append('\n');
                });
            }
            return text.toString();
        }
    }
}
