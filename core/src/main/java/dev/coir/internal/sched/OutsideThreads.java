package dev.coir.internal.sched;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The platform threads that are not a scheduler's: could one of them still wake a fiber? */
final class OutsideThreads {
    /*
     * They are looked at one by one, so that the process is not stopped, whoever has whatever stack. That is no single moment, and who
     * has been woken looks like one who waits until it gets a processor. So they must all have had none, from before the first look to
     * some time after the last. Guarded by ReportsTest.
     */
    private static final long UNTIL_WOKEN_NANOS = 10_000_000;

    private OutsideThreads() {}

    /**
     * Whether every thread that keeps the JVM alive waits for Coir itself: in a join, a lock, a channel, a close. Daemon
     * threads are not looked at: most are the JVM's own and wait for ever. If so it takes some milliseconds to be sure.
     */
    static boolean allWaitForFibers() {
        List<Thread> all =
                Arrays.stream(alive()).filter(each -> !each.isDaemon()).toList();
        long[] used = processorTimes(all);
        for (Thread each : all) if (!waitsForCoir(each.getStackTrace())) return false;
        LockSupport.parkNanos(OutsideThreads.class, UNTIL_WOKEN_NANOS);
        return Arrays.equals(used, processorTimes(all));
    }

    private static Thread[] alive() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) root = root.getParent();
        Thread[] found = new Thread[root.activeCount() + 1];
        int count = root.enumerate(found);
        while (count == found.length) { // perhaps not all
            found = new Thread[2 * count];
            count = root.enumerate(found);
        }
        return Arrays.copyOf(found, count);
    }

    private static long[] processorTimes(List<Thread> threads) {
        return threads.stream().mapToLong(ProcessorTime::ofThread).toArray();
    }

    private static boolean waitsForCoir(StackTraceElement[] stack) {
        boolean parked = false;
        for (StackTraceElement frame : stack) {
            String in = frame.getClassName();
            if (in.startsWith("dev.coir.internal.")) return parked;
            if (in.equals("java.util.concurrent.locks.LockSupport")) parked = true;
            else if (!in.startsWith("jdk.internal.") && !parked) return false;
        }
        return stack.length == 0; // one of the JVM's own, or it has ended
    }
}
