package dev.coir.internal.sched;

import dev.coir.internal.StackRoom;
import dev.coir.internal.task.Tasks;
import java.util.concurrent.atomic.AtomicReference;

/** A command that runs after a delay, once or again and again. */
public final class DelayedTask extends Timer {
    /*
     * from      to         cause                        who moves
     * WAITING   QUEUED     the timer fired              whoever serves timers
     * QUEUED    RUNNING    taken from a run queue       worker
     * RUNNING   WAITING    periodic: set again          worker
     * RUNNING   DONE       ran, not periodic            worker
     * any       CANCELLED  cancel, shutdown             anybody; a run under way goes on, none follows; not from DONE, nor
     *                                                   from RUNNING when it is the only run
     */
    private enum State {
        WAITING,
        QUEUED,
        RUNNING,
        DONE,
        CANCELLED
    }

    private final SchedulerCore core;
    private final Group group;
    private final Runnable command;
    private final long periodNanos; // 0: once
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private long dueNanos; // when it should run next, as of System.nanoTime; written by whoever sets the timer

    DelayedTask(SchedulerCore core, Group group, Runnable command, long periodNanos) {
        this.core = core;
        this.group = group;
        this.command = command;
        this.periodNanos = periodNanos;
    }

    void start(long delayNanos) {
        dueNanos = System.nanoTime() + delayNanos;
        group.reactor.setTimer(this, delayNanos);
    }

    boolean isPeriodic() {
        return periodNanos != 0;
    }

    @Override
    protected void fire() {
        if (state.compareAndSet(State.WAITING, State.QUEUED)) group.submit(Tasks.of(this::runOnce));
    }

    private void runOnce() {
        if (!state.compareAndSet(State.QUEUED, State.RUNNING)) return;
        try {
            command.run();
        } finally {
            if (!isPeriodic()) {
                state.compareAndSet(State.RUNNING, State.DONE);
                core.delayed.forget(this);
            } else if (state.compareAndSet(State.RUNNING, State.WAITING)) {
                long now = System.nanoTime();
                dueNanos += periodNanos;
                if (dueNanos - now < 0) dueNanos = now; // late: skip what was missed, do not pile up
                group.reactor.setTimer(this, dueNanos - now);
                if (state.get() == State.CANCELLED)
                    group.reactor.cancelTimer(this); // cancelled between the two lines above
            }
        }
    }

    /**
     * Sees to it that no further run starts.
     *
     * @return false when there would have been none
     */
    public boolean cancel() {
        StackRoom.ensureMore(); // what is cancelled is forgotten as well
        while (true) {
            State seen = state.get();
            if (seen == State.DONE || seen == State.CANCELLED) return false;
            if (seen == State.RUNNING && !isPeriodic()) return false; // its only run is under way
            if (state.compareAndSet(seen, State.CANCELLED)) {
                group.reactor.cancelTimer(this);
                core.delayed.forget(this);
                return true;
            }
        }
    }

    /**
     * Whether no further run will start.
     *
     * @return true when done or cancelled
     */
    public boolean isDone() {
        State seen = state.get();
        return seen == State.DONE || seen == State.CANCELLED;
    }
}
