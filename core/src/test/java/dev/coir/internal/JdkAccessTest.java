package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.FirstSteps;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JVMs started with and without the flags: what they say, and that the cure they print cures. */
class JdkAccessTest {
    private static final String EXPORTS = "--add-exports=java.base/jdk.internal.vm=";
    private static final String OPENS = "--add-opens=java.base/java.lang=";
    private static final List<String> FLAGS = List.of(EXPORTS + "ALL-UNNAMED", OPENS + "ALL-UNNAMED");
    private static final List<String> MODULE_FLAGS = List.of(EXPORTS + "dev.coir.core", OPENS + "dev.coir.core");

    private record Outcome(int exit, String output) {
        void assertWorks() {
            assertEquals(0, exit, output);
            assertEquals("works", output.strip());
        }

        void assertRefused(String flags) {
            assertNotEquals(0, exit, output);
            assertTrue(output.contains("java.lang.IllegalStateException: Coir needs access to internals"), output);
            assertTrue(output.lines().anyMatch(line -> line.strip().equals(flags)), output);
            assertTrue(output.contains("JDK_JAVA_OPTIONS"), output);
            assertFalse(output.contains("works"), output);
        }
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Outcome onClassPath(List<String> flags, String firstStep) throws Exception {
        var arguments = new ArrayList<>(flags);
        arguments.addAll(List.of("-cp", place(JdkAccess.class) + File.pathSeparator + place(FirstSteps.class)));
        return java(null, arguments, firstStep);
    }

    private static Outcome onModulePath(List<String> flags) throws Exception {
        var arguments = new ArrayList<>(flags);
        arguments.addAll(List.of("--module-path", place(JdkAccess.class), "--add-modules", "dev.coir.core"));
        arguments.addAll(List.of("-cp", place(FirstSteps.class)));
        return java(null, arguments, "coroutine");
    }

    private static Outcome java(@Nullable String options, List<String> arguments, String firstStep) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        command.addAll(List.of(FirstSteps.class.getName(), firstStep));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        if (options != null) builder.environment().put("JDK_JAVA_OPTIONS", options);
        Process process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coroutine", "isInside", "suspend", "generator", "twice"})
    void withoutFlagsTheFirstTouchIsRefusedWithTheFlagsOnOneLine(String firstStep) throws Exception {
        onClassPath(List.of(), firstStep).assertRefused(String.join(" ", FLAGS));
    }

    @Test
    void withOneFlagOnlyTheOtherIsAskedFor() throws Exception {
        onClassPath(FLAGS.subList(0, 1), "coroutine").assertRefused(FLAGS.get(1));
        onClassPath(FLAGS.subList(1, 2), "coroutine").assertRefused(FLAGS.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coroutine", "generator"})
    void withThePrintedFlagsItWorks(String firstStep) throws Exception {
        onClassPath(FLAGS, firstStep).assertWorks();
    }

    @Test
    void withThePrintedFlagsInTheEnvironmentItWorks() throws Exception {
        var outcome = java(
                String.join(" ", FLAGS),
                List.of("-cp", place(JdkAccess.class) + File.pathSeparator + place(FirstSteps.class)),
                "coroutine");
        assertEquals(0, outcome.exit(), outcome.output());
        assertTrue(outcome.output().lines().anyMatch("works"::equals), outcome.output());
    }

    @Test
    void asANamedModuleTheFlagsNameTheModule() throws Exception {
        onModulePath(List.of()).assertRefused(String.join(" ", MODULE_FLAGS));
        onModulePath(FLAGS).assertRefused(String.join(" ", MODULE_FLAGS));
        onModulePath(MODULE_FLAGS).assertWorks();
    }
}
