package dev.coir.internal.sched;

import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.util.Objects;

/**
 * Brings a task to one carrier. It is linked in the mailbox in the place of that task, which may stand in another queue as well (V2 of
 * {@code VirtualFiber}).
 */
final class Passed extends Task {
    private final Task task;

    Passed(Task task) {
        this.task = task;
    }

    @Override
    protected void runSlice() {
        Carrier here = Objects.requireNonNull(Carrier.current());
        here.runAhead(task);
        here.rowHead = task;
        Tasks.perform(task);
    }

    @Override
    public String toString() {
        return task.toString();
    }
}
