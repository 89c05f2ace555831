package dev.coir.bench.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time as Linux tells it, in the kernel and outside, in seconds; exact to a hundredth. */
final class CpuTime {
    private static final double TICKS_PER_SECOND = 100; // what Linux tells user programs, on every machine
    private static final int OWN = 11; // where the user's time stands behind the name; the kernel's is the next
    private static final int OF_CHILDREN = 13;

    private CpuTime() {}

    /** Of all threads of a process that is alive. */
    static double of(Process process) throws IOException {
        return read(String.valueOf(process.pid()), OWN);
    }

    /** Of this process's children that have ended and were waited for. */
    static double ofEndedChildren() throws IOException {
        return read("self", OF_CHILDREN);
    }

    private static double read(String process, int field) throws IOException {
        String stat = Files.readString(Path.of("/proc", process, "stat"));
        String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(behindName[field]) + Long.parseLong(behindName[field + 1])) / TICKS_PER_SECOND;
    }
}
