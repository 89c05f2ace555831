package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The platform threads of this process. */
final class Threads {
    private Threads() {}

    /** Those that are alive. */
    static Set<Thread> live() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** Fails when others are alive than these and those that stay by design: a thread ends a moment after it was told to. */
    static void awaitAtMost(Set<Thread> expected) {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (!left(expected).isEmpty() && System.nanoTime() < deadline) Thread.yield();
        assertEquals(Set.of(), left(expected), "left running");
    }

    private static Set<Thread> left(Set<Thread> expected) {
        Set<Thread> left = live();
        left.removeAll(expected);
        left.removeIf(Threads::stays);
        return left;
    }

    private static boolean stays(Thread thread) {
        String name = thread.getName();
        return name.startsWith("coir-net-") // serves those who run on no scheduler's thread
                || name.startsWith("coir-blocking-") // makes blocking calls for them, and is kept for a while
                || name.startsWith("coir-common") // the scheduler of everybody
                || name.equals("coir-timer") // wakes fibers that wait for a time on no scheduler
                || name.startsWith("ForkJoinPool-") // carries the JDK's virtual threads
                || name.startsWith("VirtualThread-") // likewise
                || name.equals("process reaper") // waits for what tests started
                || name.startsWith("junit-"); // watches the test
    }

    /** The stacks of all of them. */
    static String dump() {
        var text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            text.append(each.getKey())
                    .append(' ')
                    .append(each.getKey().getState())
                    .append('\n');
            for (StackTraceElement frame : each.getValue())
                text.append("    at ").append(frame).append('\n');
        }
        return text.toString();
    }
}
