package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.runners.TestList;

/** Runs jcstress: the real classes must pass it, and each planted bug must be found. */
class JcstressTest {
    private static final String REAL = "dev\\.coir\\.(?!planted\\.).*";
    private static final String PLANTED = "dev\\.coir\\.planted\\..*";

    /** Code motion at random: the compiler shows reorderings that it otherwise would not. */
    private static final String RANDOM_CODE_MOTION = " -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM";

    @Test
    void theRealClassesShowNothingForbidden() throws Exception {
        var run = Doses.LONG
                ? JcstressRun.of("real", REAL, Duration.ofMinutes(90), jvmArgs("-jvmArgsPrepend", ""), everyCompiler())
                : JcstressRun.of(
                        "real",
                        REAL,
                        Duration.ofMinutes(15),
                        jvmArgs("-jvmArgs", RANDOM_CODE_MOTION),
                        List.of("-sc", "false", "-f", "1", "-iters", "1", "-time", "300"));
        System.out.println(run.summary());
        assertEquals(names(REAL), run.tests(), "which tests ran");
        assertTrue(
                run.failures().isEmpty(), () -> String.join("\n", run.failures().values()) + "\n" + run.output());
    }

    @Test
    void everyPlantedBugIsFound() throws Exception {
        var run = JcstressRun.of(
                "planted",
                PLANTED,
                Duration.ofMinutes(15),
                jvmArgs("-jvmArgs", RANDOM_CODE_MOTION),
                List.of("-sc", "false", "-f", "2", "-iters", "1", "-time", "1000"));
        System.out.println(run.summary());
        Set<String> planted = names(PLANTED);
        assertFalse(planted.isEmpty(), "no planted bugs on the class path");
        assertAll(planted.stream()
                .map(name -> () -> assertTrue(
                        run.observedForbidden().contains(name), () -> name + ": not found by\n" + run.output())));
    }

    private static List<String> jvmArgs(String option, String more) {
        return List.of(option, System.getProperty("coir.flags", "") + " -ea" + more);
    }

    /** Each actor in the interpreter, in C1 and in C2, with and without random code motion. */
    private static List<String> everyCompiler() {
        return List.of("-sc", "true", "-f", "1", "-fsm", "1", "-iters", "1", "-time", "500");
    }

    private static Set<String> names(String pattern) {
        var names = new TreeSet<String>();
        for (String name : TestList.tests()) {
            if (name.matches(pattern)) names.add(name);
        }
        return names;
    }
}
