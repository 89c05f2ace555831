package dev.coir.fiber;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The one timer thread for fibers whose executor has no timers. */
final class SharedTimer {
    static final ScheduledThreadPoolExecutor INSTANCE = start();

    private SharedTimer() {}

    private static ScheduledThreadPoolExecutor start() {
        var timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("coir-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
