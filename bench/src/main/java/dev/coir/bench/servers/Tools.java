package dev.coir.bench.servers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The programs of other people that this needs. */
final class Tools {
    private Tools() {}

    static List<String> missing(String... names) {
        return Arrays.stream(names).filter(each -> !isThere(each)).toList();
    }

    private static boolean isThere(String name) {
        String path = System.getenv("PATH");
        if (path == null) return false;
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** How to get one. */
    static String cure(String name) {
        return "apt-get install "
                + switch (name) {
                    case "redis-benchmark" -> "redis-tools";
                    case "go" -> "golang-go";
                    case "taskset" -> "util-linux";
                    default -> name;
                };
    }
}
