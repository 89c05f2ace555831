package dev.coir.internal.sched;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the operating system knows of a thread, where it tells: on Linux, in /proc. */
final class OsThread {
    static final OsThread UNKNOWN = new OsThread(null);
    private final @Nullable Path stat;

    private OsThread(@Nullable Path stat) {
        this.stat = stat;
    }

    /** The calling thread, as the system sees it. */
    static OsThread current() {
        try {
            Path own = Files.readSymbolicLink(Path.of("/proc/thread-self")); // <process>/task/<thread>
            return new OsThread(Path.of("/proc").resolve(own).resolve("stat"));
        } catch (IOException | RuntimeException | OutOfMemoryError elsewhere) {
            return UNKNOWN;
        }
    }

    /** Whether the thread may be waiting: true also where the system does not tell. */
    boolean maySleep() {
        if (stat == null) return true;
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            int end = line.lastIndexOf(')'); // of the name, which may hold anything
            return end < 0 || line.length() < end + 3 || line.charAt(end + 2) != 'R';
        } catch (IOException | RuntimeException ended) {
            return true;
        }
    }
}
