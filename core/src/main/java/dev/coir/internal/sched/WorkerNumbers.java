package dev.coir.internal.sched;

/**
 * What one worker has done.
 *
 * @param group its group
 * @param index its number there
 * @param ran tasks and slices run
 * @param stolen tasks taken from others
 * @param parked times it fell asleep
 * @param polled times it polled
 * @param overflowed tasks moved to the shared queue
 * @param queued tasks in its own queue
 */
public record WorkerNumbers(
        int group, int index, long ran, long stolen, long parked, long polled, long overflowed, int queued) {}
