package dev.coir.internal.sched;

import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.RunRing;
import dev.coir.internal.task.Task;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Schedulers for tests of their parts: without threads, to be driven by hand, or with a few. */
final class Cores {
    private Cores() {}

    /** A configuration that a test changes where it matters. */
    static SchedulerConfig config(int workers, int groups) {
        return new SchedulerConfig(
                "test",
                workers,
                groups,
                false,
                1024,
                0,
                0,
                0,
                0,
                Duration.ofMillis(10),
                Duration.ofSeconds(5),
                Duration.ZERO,
                Findings.IGNORED,
                Placement.ANYWHERE,
                Pollers.DEFAULT,
                null);
    }

    /** One group, no threads. */
    static SchedulerCore byHand() {
        return new SchedulerCore(config(0, 1));
    }

    static SchedulerCore byHand(boolean sharedQueueOnly, int runQueueCapacity) {
        var c = config(0, 1);
        return new SchedulerCore(new SchedulerConfig(
                c.name(),
                0,
                1,
                sharedQueueOnly,
                runQueueCapacity,
                0,
                0,
                0,
                0,
                c.timeSlice(),
                c.spareKeepAlive(),
                c.stallThreshold(),
                c.findings(),
                c.placement(),
                c.pollers(),
                null));
    }

    static SchedulerCore stealing(int groups, int stealEvery, int crossNodeStealEvery, Placement placement) {
        var c = config(0, groups);
        return new SchedulerCore(new SchedulerConfig(
                c.name(),
                0,
                groups,
                false,
                1024,
                stealEvery,
                crossNodeStealEvery,
                0,
                0,
                c.timeSlice(),
                c.spareKeepAlive(),
                c.stallThreshold(),
                c.findings(),
                placement,
                c.pollers(),
                null));
    }

    static SchedulerCore polling(int workers, Supplier<Poller> pollers) {
        return polling(workers, pollers, null);
    }

    static SchedulerCore polling(
            int workers, Supplier<Poller> pollers, @Nullable UncaughtExceptionHandler uncaughtHandler) {
        var c = config(workers, 1);
        return new SchedulerCore(new SchedulerConfig(
                c.name(),
                workers,
                1,
                false,
                1024,
                0,
                0,
                0,
                0,
                c.timeSlice(),
                c.spareKeepAlive(),
                c.stallThreshold(),
                c.findings(),
                c.placement(),
                pollers,
                uncaughtHandler));
    }

    /** A worker of the group that the calling thread drives by hand, with a ring of the default size. */
    static Worker join(Group group) {
        synchronized (group.core.lock) {
            return group.bind(Thread.currentThread()).worker;
        }
    }

    /** A worker that the calling thread drives by hand, with a small ring; others of the group do not know it. */
    static Worker apart(Group group, int ringCapacity) {
        LocalQueue ring = ringCapacity == 0 ? LocalQueue.NONE : new RunRing(ringCapacity);
        return Carrier.boundTo(Thread.currentThread(), group, 0, ring).worker;
    }

    static Task task(String name) {
        return new Named(name);
    }

    /** Tasks t0, t1, ... */
    static Task[] tasks(int count) {
        var tasks = new Task[count];
        for (int i = 0; i < count; i++) tasks[i] = task("t" + i);
        return tasks;
    }

    private static final class Named extends Task {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        protected void runSlice() {
            throw new AssertionError(name + " is only moved about, never run");
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
