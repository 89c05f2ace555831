package dev.coir.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

/** Runs the main method of a test's class in a JVM of its own. */
final class ChildJvm {
    private ChildJvm() {}

    static final List<String> FLAGS = List.of(
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED");

    /** What it printed. */
    static String run(List<String> flags, Class<?> main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, child.waitFor(), printed);
        return printed.strip();
    }
}
