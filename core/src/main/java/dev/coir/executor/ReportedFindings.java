package dev.coir.executor;

import dev.coir.internal.Uncaught;
import dev.coir.internal.sched.Findings;
import dev.coir.internal.task.Live;
import java.time.Duration;
import java.util.List;

/** Makes reports of what the monitor finds. */
final class ReportedFindings implements Findings {
    private final String scheduler;
    private final Reports reports;

    ReportedFindings(String scheduler, Reports reports) {
        this.scheduler = scheduler;
        this.reports = reports;
    }

    @Override
    public void stalled(String thread, Object task, long nanos, boolean blocked, List<StackTraceElement> stack) {
        report(() -> reports.stalled(
                new Reports.Stall(scheduler, thread, String.valueOf(task), Duration.ofNanos(nanos), blocked, stack)));
    }

    @Override
    public void exhausted(int spares, Object task, List<StackTraceElement> stack) {
        report(() -> reports.sparesExhausted(new Reports.Exhaustion(scheduler, spares, String.valueOf(task), stack)));
    }

    @Override
    public void asleep(List<Live> fibers) {
        report(() -> reports.allAsleep(new Reports.AllAsleep(
                scheduler, fibers.stream().map(String::valueOf).toList())));
    }

    /** A listener that throws must not end the monitor. */
    private static void report(Runnable call) {
        try {
            call.run();
        } catch (Throwable failure) {
            Uncaught.report(failure);
        }
    }
}
