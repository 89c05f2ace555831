package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.ChildJvm;
import dev.coir.testing.FirstSteps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JVMs started with and without the flags: what they say, and that the cure they print cures. */
class JdkAccessTest {
    private static final String EXPORTS = "--add-exports=java.base/jdk.internal.vm=";
    private static final String OPENS = "--add-opens=java.base/java.lang=";
    private static final List<String> FLAGS = ChildJvm.FLAGS;
    private static final List<String> MODULE_FLAGS = List.of(EXPORTS + "dev.coir.core", OPENS + "dev.coir.core");

    private static void assertWorks(ChildJvm child) {
        assertEquals(0, child.exit(), child.output());
        assertTrue(child.output().lines().anyMatch("works"::equals), child.output());
    }

    private static void assertRefused(ChildJvm child, String flags) {
        String output = child.output();
        assertNotEquals(0, child.exit(), output);
        assertTrue(output.contains("java.lang.IllegalStateException: Coir needs access to internals"), output);
        assertTrue(output.lines().anyMatch(line -> line.strip().equals(flags)), output);
        assertTrue(output.contains("JDK_JAVA_OPTIONS"), output);
        assertFalse(output.contains("works"), output);
    }

    private static ChildJvm onClassPath(List<String> flags, String firstStep) throws Exception {
        return ChildJvm.run(flags, FirstSteps.class, firstStep);
    }

    private static ChildJvm onModulePath(List<String> flags) throws Exception {
        var arguments = new ArrayList<>(flags);
        String core = ChildJvm.place(JdkAccess.class).toString();
        String tests = ChildJvm.place(FirstSteps.class).toString();
        arguments.addAll(List.of("--module-path", core, "--add-modules", "dev.coir.core", "-cp", tests));
        arguments.addAll(List.of(FirstSteps.class.getName(), "coroutine"));
        return ChildJvm.run(null, arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coroutine", "isInside", "suspend", "generator", "light", "virtual", "twice"})
    void withoutFlagsTheFirstTouchIsRefusedWithTheFlagsOnOneLine(String firstStep) throws Exception {
        assertRefused(onClassPath(List.of(), firstStep), String.join(" ", FLAGS));
    }

    @Test
    void withOneFlagOnlyTheOtherIsAskedFor() throws Exception {
        assertRefused(onClassPath(FLAGS.subList(0, 1), "coroutine"), FLAGS.get(1));
        assertRefused(onClassPath(FLAGS.subList(1, 2), "coroutine"), FLAGS.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coroutine", "generator", "light", "virtual"})
    void withThePrintedFlagsItWorks(String firstStep) throws Exception {
        assertWorks(onClassPath(FLAGS, firstStep));
    }

    @Test
    void withThePrintedFlagsInTheEnvironmentItWorks() throws Exception {
        var arguments = List.of("-cp", ChildJvm.classPath(), FirstSteps.class.getName(), "coroutine");
        assertWorks(ChildJvm.run(String.join(" ", FLAGS), arguments));
    }

    @Test
    void asANamedModuleTheFlagsNameTheModule() throws Exception {
        assertRefused(onModulePath(List.of()), String.join(" ", MODULE_FLAGS));
        assertRefused(onModulePath(FLAGS), String.join(" ", MODULE_FLAGS));
        assertWorks(onModulePath(MODULE_FLAGS));
    }
}
