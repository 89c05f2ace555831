package dev.coir.executor;

import java.util.List;

/**
 * A look at a scheduler: cheap, and consistent enough to reason with.
 *
 * @param name the scheduler's name
 * @param workers its workers, by group and number
 * @param sharedQueued tasks in the shared queues
 * @param suspendedFibers fibers that have suspended at least once and have not ended
 * @param timers timers that are set
 * @param handoffs times that a worker went on with another thread because its own was blocked, or gave way
 */
public record SchedulerStats(
        String name, List<WorkerStats> workers, int sharedQueued, int suspendedFibers, int timers, long handoffs) {
    /**
     * What one worker has done since it started.
     *
     * @param group its group
     * @param index its number in the group
     * @param ran tasks and slices of fibers run
     * @param stolen tasks taken from other workers
     * @param parked times it fell asleep
     * @param polled times it polled
     * @param overflowed tasks moved from its own queue to the shared one
     * @param queued tasks in its own queue now
     */
    public record WorkerStats(
            int group, int index, long ran, long stolen, long parked, long polled, long overflowed, int queued) {}

    /**
     * Tasks and slices run by all workers.
     *
     * @return the sum
     */
    public long ran() {
        return workers.stream().mapToLong(WorkerStats::ran).sum();
    }

    /**
     * Tasks taken from other workers, by all.
     *
     * @return the sum
     */
    public long stolen() {
        return workers.stream().mapToLong(WorkerStats::stolen).sum();
    }
}
