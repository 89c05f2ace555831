package dev.coir.internal.sched;

import dev.coir.internal.task.Live;
import dev.coir.internal.task.Registry;
import java.util.ArrayList;
import java.util.List;

/** A scheduler in numbers: counted when asked, consistent enough to reason with. */
public final class Numbers {
    private final Group[] groups;

    Numbers(Group[] groups) {
        this.groups = groups;
    }

    /**
     * What each worker has done.
     *
     * @return workers by group and number
     */
    public List<WorkerNumbers> workers() {
        List<WorkerNumbers> all = new ArrayList<>();
        for (Group group : groups) {
            for (Worker w : group.workers()) if (w != null) all.add(numbersOf(w));
            for (Worker w : group.slots.others()) all.add(numbersOf(w));
        }
        return all;
    }

    private static WorkerNumbers numbersOf(Worker w) {
        return new WorkerNumbers(
                w.group.index, w.number, w.ran, w.stolen, w.parked, w.polled, w.overflowed, w.local.size());
    }

    /**
     * How many tasks stand in the shared queues.
     *
     * @return the number of tasks
     */
    public int sharedQueued() {
        int sum = 0;
        for (Group group : groups) sum += group.shared.size();
        return sum;
    }

    /**
     * How many timers are set.
     *
     * @return the number of timers
     */
    public int timersSet() {
        int sum = 0;
        for (Group group : groups) sum += group.reactor.timers.size();
        return sum;
    }

    /**
     * How often a slot has changed hands.
     *
     * @return the sum
     */
    public long handoffs() {
        long sum = 0;
        for (Group group : groups) sum += group.slots.moves();
        return sum;
    }

    /**
     * How often the monitor has taken a slot.
     *
     * @return the sum
     */
    public long slotsTaken() {
        long sum = 0;
        for (Group group : groups) sum += group.slots.taken();
        return sum;
    }

    /**
     * How many tasks are suspended, or queued after having been.
     *
     * @return the number of tasks
     */
    public int suspended() {
        int sum = 0;
        for (Group group : groups) {
            for (Registry registry : group.registries()) sum += registry.size();
        }
        return sum;
    }

    /**
     * The tasks that have suspended and not ended.
     *
     * @return a copy
     */
    public List<Live> suspendedTasks() {
        List<Live> all = new ArrayList<>();
        for (Group group : groups) {
            for (Registry registry : group.registries()) registry.copyTo(all);
        }
        return all;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Group group : groups) {
            text.append("group ")
                    .append(group.index)
                    .append(": ")
                    .append(group.shared.size())
                    .append(" shared, ");
            text.append(Long.bitCount(group.wake.sleepers()))
                    .append(" asleep, ")
                    .append(group.wake.searchers())
                    .append(" searching");
            for (Worker w : group.workers()) {
                if (w == null) continue;
                text.append(", worker ")
                        .append(w.number)
                        .append(": ")
                        .append(w.local.size())
                        .append(" queued, ")
                        .append(w.ran)
                        .append(" ran");
            }
            text.append("; ");
        }
        return text.append(suspended())
                .append(" suspended; ")
                .append(timersSet())
                .append(" timers")
                .toString();
    }
}
