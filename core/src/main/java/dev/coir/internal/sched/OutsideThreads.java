package dev.coir.internal.sched;

import java.util.Map;

/** The platform threads that are not a scheduler's: could one of them still wake a fiber? */
final class OutsideThreads {
    private OutsideThreads() {}

    /**
     * Whether every thread that keeps the JVM alive waits for Coir itself: in a join, a lock, a channel, a close. Daemon
     * threads are not looked at: most are the JVM's own and wait for ever.
     */
    static boolean allWaitForFibers() {
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            Thread thread = each.getKey();
            if (thread.isDaemon() || each.getValue().length == 0) continue;
            if (!waitsForCoir(each.getValue())) return false;
        }
        return true;
    }

    private static boolean waitsForCoir(StackTraceElement[] stack) {
        boolean parked = false;
        for (StackTraceElement frame : stack) {
            String in = frame.getClassName();
            if (in.startsWith("dev.coir.internal.")) return parked;
            if (in.equals("java.util.concurrent.locks.LockSupport")) parked = true;
            else if (!in.startsWith("jdk.internal.") && !parked) return false;
        }
        return false;
    }
}
