package dev.coir.examples.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A program of other people. A test that needs one which is not there is skipped, and says how to get it. */
public final class Tool {
    private Tool() {}

    /** Skips the calling test unless the program is there. */
    public static void need(String name) {
        assumeTrue(isThere(name), () -> name + " is missing: apt-get install " + debianPackage(name));
    }

    private static boolean isThere(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    private static String debianPackage(String name) {
        return switch (name) {
            case "h2load" -> "nghttp2-client";
            case "redis-cli", "redis-benchmark" -> "redis-tools";
            default -> name;
        };
    }

    /** What it prints, on both of its outputs; it must end well. */
    public static String run(String... command) throws IOException, InterruptedException {
        need(command[0]);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + " failed:\n" + said);
        return said;
    }
}
