package dev.coir.internal.sched;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler is to be like; checked where it is made.
 *
 * @param name names its threads
 * @param workers threads of its own, 0 or more
 * @param groups among how many groups they are divided
 * @param sharedQueueOnly whether workers have no queues of their own
 * @param runQueueCapacity of each group's shared queue
 * @param stealEvery from other groups of the node, every so many tries; 0: never
 * @param crossNodeStealEvery from groups of other nodes, every so many tries; 0: never
 * @param workerStackSize in bytes, 0 for the JVM's default
 * @param maxSpareCarriers how many threads may stand in for blocked ones
 * @param timeSlice how long a fiber may run before it is asked to yield, or is found to block
 * @param spareKeepAlive how long a thread that stands in waits for work before it ends
 * @param stallThreshold how long a slice may take before it is reported; zero for never
 * @param findings gets what the monitor finds
 * @param placement groups on nodes, threads on processors
 * @param pollers makes a poller per group
 * @param uncaughtHandler gets what tasks throw, null for the thread's own
 */
public record SchedulerConfig(
        String name,
        int workers,
        int groups,
        boolean sharedQueueOnly,
        int runQueueCapacity,
        int stealEvery,
        int crossNodeStealEvery,
        long workerStackSize,
        int maxSpareCarriers,
        Duration timeSlice,
        Duration spareKeepAlive,
        Duration stallThreshold,
        Findings findings,
        Placement placement,
        Supplier<Poller> pollers,
        @Nullable UncaughtExceptionHandler uncaughtHandler) {}
