package dev.coir.bench.works;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.TimeUnit;

/** A crowd of parked fibers. */
@FunctionalInterface
public interface Parked {
    /** For the compilers of the JVM to finish what the start of the crowd gave them. */
    long SETTLE_MILLIS = 500;

    /** A small crowd. */
    int FIRST = 1_000;

    /** Starts a crowd and returns when all of it waits. */
    @FunctionalInterface
    interface Maker {
        Parked park(int fibers) throws Exception;
    }

    /** Wakes them and waits for their end. */
    void release() throws Exception;

    /** Bytes of heap per parked fiber, after collections. Stacks of parked fibers are on the JVM's heap. */
    static Round memory(int fibers, Maker maker) {
        return ops -> {
            maker.park(FIRST).release(); // so that classes are loaded
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
            Thread.sleep(SETTLE_MILLIS);
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            Thread.sleep(millis);
            long wall = System.nanoTime() - start;
            long used = system.getProcessCpuTime() - cpu;
            crowd.release();
            return new double[] {100.0 * used / wall};
        };
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
