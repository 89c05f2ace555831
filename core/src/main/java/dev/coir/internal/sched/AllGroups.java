package dev.coir.internal.sched;

import dev.coir.internal.Stack;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** A scheduler's groups as one: who is there, and whether anybody runs. Any thread. */
final class AllGroups {
    private final Group[] groups;
    private final Numbers numbers;

    AllGroups(Group[] groups, Numbers numbers) {
        this.groups = groups;
        this.numbers = numbers;
    }

    /** Whether every thread of its own sleeps, be it inside a task. A hint, exact for who fences as O1 of Monitor says. */
    boolean nobodyRuns() {
        for (Group group : groups) if (!group.nobodyRuns()) return false;
        return true;
    }

    /** Whether a thread of its own sleeps inside a task. */
    boolean somebodyWaitsInside() {
        for (Group group : groups) if (group.somebodyWaitsInside()) return true;
        return false;
    }

    /** How often a worker has woken; two looks that agree tell that nobody did between. */
    long awakenings() {
        long sum = 0;
        for (Group group : groups) sum += group.awakenings();
        return sum;
    }

    boolean isWatchingIo() {
        for (Group group : groups) if (group.reactor.poller().isWatching()) return true;
        return false;
    }

    /** The carriers there are, a copy, by group and number. */
    List<Carrier> carriers() {
        List<Carrier> all = new ArrayList<>();
        boolean pinned = Stack.stay();
        try {
            for (Group group : groups) {
                all.addAll(group.slots.carriers()); // holders, and then others, would miss one that moves meanwhile
                for (Worker worker : group.workers()) {
                    if (worker != null && !worker.carrier.canHandOff()) all.add(worker.carrier);
                }
            }
        } finally {
            Stack.mayLeave(pinned);
        }
        all.sort(
                Comparator.comparingInt((Carrier each) -> each.group().number()).thenComparingInt(Carrier::number));
        return all;
    }

    /** The virtual threads of fibers that run or have suspended; those that have not run yet are not known. */
    Stream<Thread> virtualThreads() {
        Set<Live> known = new LinkedHashSet<>();
        for (Carrier carrier : carriers()) if (carrier.running() instanceof Live running) known.add(running);
        known.addAll(numbers.suspendedTasks()); // after: one that suspends meanwhile is in one of the two
        return known.stream().map(Party::threadOf).filter(Objects::nonNull);
    }
}
