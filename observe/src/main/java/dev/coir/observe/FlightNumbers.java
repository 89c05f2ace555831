package dev.coir.observe;

import dev.coir.executor.Scheduler;
import dev.coir.executor.SchedulerStats;
import java.util.Objects;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * Puts a scheduler's numbers into the recordings of Java Flight Recorder, once a second while there is one. Costs nothing else.
 *
 * {@snippet :
 * try (var numbers = FlightNumbers.of(scheduler)) { ... }   // and: java -XX:StartFlightRecording ...
 * }
 *
 * <p>VIRTUAL fibers stand in recordings anyway, as the virtual threads that they are: the JDK's own events tell of their pinning, sleeping and
 * samples.
 */
public final class FlightNumbers implements AutoCloseable {
    private final Scheduler scheduler;
    private final Runnable hook = this::emit; // one object: the recorder finds it again by it

    private FlightNumbers(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Begins to record a scheduler's numbers, in all recordings of this JVM.
     *
     * @param scheduler any scheduler
     * @return ends it when closed
     */
    public static FlightNumbers of(Scheduler scheduler) {
        var numbers = new FlightNumbers(Objects.requireNonNull(scheduler, "scheduler"));
        FlightRecorder.addPeriodicEvent(SchedulerNumbers.class, numbers.hook);
        return numbers;
    }

    private void emit() {
        var event = new SchedulerNumbers();
        if (!event.isEnabled()) return;
        event.tell(scheduler.stats());
        event.commit();
    }

    /** Records them no longer. */
    @Override
    public void close() {
        FlightRecorder.removePeriodicEvent(hook);
    }

    /** What a recording holds. Counters go on from the scheduler's start. */
    @Name("dev.coir.SchedulerNumbers")
    @Label("Scheduler Numbers")
    @Description("What a scheduler of Coir has run and holds")
    @Category("Coir")
    @Period("1 s")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads them
    private static final class SchedulerNumbers extends Event {
        @Label("Scheduler")
        private String scheduler = "";

        @Label("Workers")
        private int workers;

        @Label("Slices Run")
        private long ran;

        @Label("Tasks Stolen")
        private long stolen;

        @Label("Hand-offs")
        private long handoffs;

        @Label("Queued")
        private long queued;

        @Label("Suspended Fibers")
        private int suspendedFibers;

        @Label("Timers")
        private int timers;

        void tell(SchedulerStats stats) {
            scheduler = stats.name();
            workers = stats.workers().size();
            ran = stats.ran();
            stolen = stats.stolen();
            handoffs = stats.handoffs();
            queued = stats.sharedQueued()
                    + stats.workers().stream()
                            .mapToLong(SchedulerStats.WorkerStats::queued)
                            .sum();
            suspendedFibers = stats.suspendedFibers();
            timers = stats.timers();
        }
    }
}
