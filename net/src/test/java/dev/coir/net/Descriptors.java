package dev.coir.net;

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
                if (target.startsWith("socket:") || target.startsWith("anon_inode:[event"))
                    open.put(each.getFileName().toString(), target);
            }
        }
        return open;
    }

    private static String targetOf(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
