package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The sockets and pollers that this process has open. */
final class Descriptors {
    private Descriptors() {}

    static Map<String, String> open() throws IOException {
        Map<String, String> open = new TreeMap<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String target = targetOf(each);
                if (target.startsWith("socket:") || target.startsWith("anon_inode:"))
                    open.put(each.getFileName().toString(), target);
            }
        }
        return open;
    }

    /** Whether this process has a file open. */
    static boolean isOpen(Path file) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.anyMatch(each -> targetOf(each).equals(file.toString()));
        }
    }

    /** Fails when there are others than these; a selector gives a closed channel up when it selects next. */
    static void awaitAtMost(Map<String, String> expected) throws IOException {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (!expected.entrySet().containsAll(open().entrySet()) && System.nanoTime() < deadline) Thread.yield();
        Map<String, String> left = open();
        left.entrySet().removeAll(expected.entrySet());
        assertEquals(Map.of(), left, "left open");
    }

    private static String targetOf(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
