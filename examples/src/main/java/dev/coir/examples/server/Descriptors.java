package dev.coir.examples.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many connections a process can afford. */
final class Descriptors {
    /** For the files that a JVM opens on the way: without them not even a class can be loaded. */
    private static final int SPARE = 16;

    private Descriptors() {}

    /** The limit of this process, less what is open and some to spare; many where that is not known. */
    static int forConnections() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long left = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - SPARE;
            return Math.clamp(left, 1, Integer.MAX_VALUE);
        }
        return Integer.MAX_VALUE;
    }
}
