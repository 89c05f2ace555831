package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small crowd in JVMs of other kinds: collectors move the stacks of suspended fibers, compilers change the timing. */
class JvmVariantsStressTest {
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-Xint", "-XX:TieredStopAtLevel=1"})
    void aCrowdSurvivesIn(String setting) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("--add-")) command.add(flag);
        }
        if (Chaos.isLongDose()) command.add("-Dcoir.dose=long"); // the build does not set it as a flag
        command.addAll(List.of(
                "-ea",
                Chaos.isLongDose() ? "-Xmx2g" : "-Xmx256m",
                setting,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(Small.class.getName(), Long.toString(Chaos.seed())));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output;
        try (var lines = child.inputReader(StandardCharsets.UTF_8)) {
            output = String.join("\n", lines.lines().toList());
        }
        child.waitFor(1, TimeUnit.MINUTES);
        assertEquals(0, child.exitValue(), setting + ":\n" + output);
        assertEquals(Chaos.isLongDose(), output.contains(Small.MANY_DONE), setting + ":\n" + output);
    }

    /** What the child JVM runs. */
    static final class Small {
        private static final String MANY_DONE = "a million fibers, and half a million steps of each sort";

        private Small() {}

        /** A million fibers in a tree; half a million yields, sleeps and parks. */
        private static void many() {
            var many = new ManyStressTest();
            for (Fiber.Kind kind : Fiber.Kind.values()) {
                many.skynet(kind);
                many.yields(kind);
                many.sleeps(kind);
                many.parks(kind);
            }
        }

        public static void main(String[] args) throws Exception {
            long seed = Long.parseLong(args[0]);
            int size = Chaos.isLongDose() ? 50_000 : 1000;
            for (Chaos.End end : Chaos.End.values()) {
                for (Scheduler.Policy policy : Scheduler.Policy.values()) {
                    Chaos.run(
                            Scheduler.builder().workers(3).policy(policy).uncaughtHandler((thread, failure) -> {}),
                            1,
                            seed++,
                            size,
                            end,
                            Duration.ofSeconds(Chaos.isLongDose() ? 300 : 20));
                }
            }
            if (Chaos.isLongDose()) {
                many();
                System.out.println(MANY_DONE);
            }
            System.exit(0);
        }
    }
}
