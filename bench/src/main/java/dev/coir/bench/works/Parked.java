package dev.coir.bench.works;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.TimeUnit;

/** A crowd of parked fibers. */
@FunctionalInterface
public interface Parked {
    /** Starts a crowd and returns when all of it waits. */
    @FunctionalInterface
    interface Maker {
        Parked park(int fibers) throws Exception;
    }

    /** Wakes them and waits for their end. */
    void release() throws Exception;

    /** Frames of code that is not compiled yet are several times larger, so crowds come and go before the one that counts. */
    int WARM_CROWDS = 40;

    /** How often they do, and after each time the compilers may finish: what they make is first used, and mended, the next time. */
    int WARM_TIMES = 3;

    /** How many fibers each of them has, at most. */
    int WARM_FIBERS = 5_000;

    /** For how long at most to wait until the process is quiet. */
    long SETTLE_MILLIS = 3_000;

    /** Bytes of heap per parked fiber, after collections. Stacks of parked fibers are on the JVM's heap. */
    static Round memory(Maker maker) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return fibers -> {
            for (int time = 0; time < WARM_TIMES; time++) {
                for (int i = 0; i < WARM_CROWDS; i++)
                    maker.park(Math.min(fibers, WARM_FIBERS)).release();
                settle(system);
            }
            long before = usedHeap();
            Parked crowd = maker.park(fibers);
            long after = usedHeap();
            crowd.release();
            return new double[] {(after - before) / (double) fibers};
        };
    }

    /** Percent of one processor that the process uses while the crowd waits, over {@code ops} milliseconds. */
    static Round idleCpu(int fibers, Maker maker) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return millis -> {
            Parked crowd = maker.park(fibers);
            settle(system);
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            Thread.sleep(millis);
            long wall = System.nanoTime() - start;
            long used = system.getProcessCpuTime() - cpu;
            crowd.release();
            return new double[] {100.0 * used / wall};
        };
    }

    /** Lets the JVM's compilers finish what they were given. */
    private static void settle(OperatingSystemMXBean system) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);
        int quiet = 0;
        while (quiet < 3 && System.nanoTime() < end) {
            long cpu = system.getProcessCpuTime();
            Thread.sleep(100);
            boolean isQuiet = system.getProcessCpuTime() - cpu < TimeUnit.MILLISECONDS.toNanos(1);
            quiet = isQuiet ? quiet + 1 : 0;
        }
    }

    private static long usedHeap() throws InterruptedException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
            TimeUnit.MILLISECONDS.sleep(20); // for what references and cleaners let go
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
