package dev.coir.testing;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own, for what needs other flags or might end it.
 *
 * @param exit its exit code
 * @param output what it printed, to either stream
 */
public record ChildJvm(int exit, String output) {
    /** What opens the JDK to classes on the class path. */
    public static final List<String> FLAGS = List.of(
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED");

    /** Runs java to its end, with the given options in the environment or none. */
    public static ChildJvm run(@Nullable String optionsVariable, List<String> arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        if (optionsVariable != null) builder.environment().put("JDK_JAVA_OPTIONS", optionsVariable);
        Process process = builder.start();
        try {
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ChildJvm(process.waitFor(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs a main class of the tests, core and tests on the class path, with the given flags. */
    public static ChildJvm run(List<String> flags, Class<?> main, String... arguments) throws Exception {
        var all = new ArrayList<>(flags);
        all.addAll(List.of("-cp", classPath(), main.getName()));
        all.addAll(List.of(arguments));
        return run(null, all);
    }

    /** Core and its tests. */
    public static String classPath() {
        return place(dev.coir.coro.Coroutine.class) + File.pathSeparator + place(ChildJvm.class);
    }

    /** The folder or jar that a class was loaded from. */
    public static Path place(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
