package dev.coir.internal.task;

import dev.coir.internal.Uncaught;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The machine's own time and chance. */
final class SystemWorld implements World {
    /** The one timer thread for those whose executor has no timers; started when first used. */
    private static final class Timer {
        static final ScheduledThreadPoolExecutor THREAD = start();

        private static ScheduledThreadPoolExecutor start() {
            var timer = new ScheduledThreadPoolExecutor(1, Timer::thread);
            timer.setRemoveOnCancelPolicy(true);
            return timer;
        }

        /** Belongs to everybody, so it takes nothing over from whoever needs it first. */
        private static Thread thread(Runnable work) {
            Thread made = Thread.ofPlatform()
                    .daemon()
                    .name("coir-timer")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(work);
            made.setContextClassLoader(ClassLoader.getSystemClassLoader());
            return made;
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public int chance(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    @Override
    public Runnable at(long deadlineNanos, Runnable action) {
        Future<?> alarm = Timer.THREAD.schedule(action, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        return () -> alarm.cancel(false);
    }

    @Override
    public boolean hasOtherThreads() {
        return true;
    }

    @Override
    public void uncaught(Throwable failure) {
        Uncaught.report(failure);
    }
}
