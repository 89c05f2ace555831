package dev.coir.bench.peers;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What the figures were measured on. */
final class Machine {
    private Machine() {}

    static Map<String, String> describe(Map<Contender, String> versions) {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("processor", processor());
        found.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        found.put("memory", String.format(Locale.ROOT, "%.0f GB", memory() / 1e9));
        found.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        found.put("JDK", System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + ")");
        versions.forEach((contender, version) -> found.put(contender.label(), version));
        return found;
    }

    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Whether other programs take so much that the figures will show it. */
    static boolean isBusy(double load) {
        return load >= 0.25 * Runtime.getRuntime().availableProcessors();
    }

    private static long memory() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
    }

    private static String processor() {
        Path file = Path.of("/proc/cpuinfo");
        try {
            if (Files.isReadable(file)) {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith("model name"))
                        return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            return "unknown: " + e.getMessage();
        }
        return "unknown";
    }
}
