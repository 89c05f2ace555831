package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

    private static final int ROUNDS_OF_SEARCH = 10;

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

    /**
     * A search, like Lincheck's: it goes on with those not found yet, and fails when the dose is used up. On idle cores one
     * round finds all; on a busy machine the two actors seldom run at once.
     */
    @Test
    void everyPlantedBugIsFound() throws Exception {
        Set<String> missing = names(PLANTED);
        assertFalse(missing.isEmpty(), "no planted bugs on the class path");
        for (int round = 1; round <= ROUNDS_OF_SEARCH && !missing.isEmpty(); round++) {
            var run = JcstressRun.of(
                    "planted-" + round,
                    String.join("|", missing),
                    Duration.ofMinutes(15),
                    jvmArgs("-jvmArgs", RANDOM_CODE_MOTION),
                    List.of("-sc", "false", "-f", "1", "-iters", "1", "-time", "500"));
            System.out.println(run.summary());
            missing.removeAll(run.observedForbidden());
        }
        assertTrue(missing.isEmpty(), () -> "planted bugs not found: " + missing + "; see target/jcstress");
    }

    @Test
    void aRunThatDoesNotEndInTimeIsKilledAndShown() {
        var late = assertThrows(
                AssertionError.class,
                () -> JcstressRun.of("late", REAL, Duration.ofMillis(1), jvmArgs("-jvmArgs", "")));
        assertTrue(late.getMessage().startsWith("jcstress did not end within PT0.001S"), late::getMessage);
        assertEquals(
                0,
                ProcessHandle.current()
                        .descendants()
                        .filter(ProcessHandle::isAlive)
                        .count(),
                "children left");
    }

    private static List<String> jvmArgs(String option, String more) {
        return List.of(option, System.getProperty("coir.flags", "") + " -ea" + more);
    }

    /** Each actor in the interpreter, in C1 and in C2, with and without random code motion. */
    private static List<String> everyCompiler() {
        return List.of("-sc", "true", "-f", "1", "-fsm", "1", "-iters", "1", "-time", "500");
    }

    /** The tests that match and can run here: jcstress leaves out those with more actors than the machine has processors. */
    private static Set<String> names(String pattern) {
        int processors = Runtime.getRuntime().availableProcessors();
        var names = new TreeSet<String>();
        for (String name : TestList.tests()) {
            if (!name.matches(pattern)) continue;
            if (TestList.getInfo(name).threads() <= processors) names.add(name);
            else System.out.println("left out, it has more actors than there are processors: " + name);
        }
        return names;
    }
}
