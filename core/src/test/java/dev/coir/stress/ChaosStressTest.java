package dev.coir.stress;

import dev.coir.executor.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every accepted thing runs exactly once or was cancelled, and the scheduler closes: for 1, 2, 4 and 64 workers, one group
 * and more, both policies, large and small queues, and each way to end.
 *
 * <p>The long dose, and other JVMs, from the folder core:
 * <pre>
 *   mvn test -Dtest='*StressTest' -Dcoir.dose=long
 *   mvn test -Dtest=ChaosStressTest -Dcoir.dose=long -Dcoir.seed=1234
 *   JAVA_TOOL_OPTIONS=-XX:+UseZGC mvn test -Dtest='*StressTest'      also -XX:+UseParallelGC, -XX:+UseG1GC, -Xint,
 *                                                                  -XX:TieredStopAtLevel=1, -XX:-TieredCompilation
 * </pre>
 * JvmVariantsStressTest runs a small crowd in each of these settings on every build.
 */
class ChaosStressTest {
    private static final int[] WORKERS = {1, 2, 4, 64};
    private static final int[] CAPACITIES = {1 << 22, 64};

    @TestFactory
    List<DynamicTest> everyAcceptedThingRunsOnceOrWasCancelled() {
        boolean longDose = Chaos.isLongDose();
        int size = longDose ? 50_000 : 1500;
        int rounds = longDose ? 5 : 1;
        Duration limit = Duration.ofSeconds(longDose ? 180 : 60);
        var seeds = new Random(Chaos.seed());
        List<DynamicTest> tests = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (int workers : WORKERS) {
                for (int groups = 1; groups <= Math.min(2, workers); groups++) {
                    for (Scheduler.Policy policy : Scheduler.Policy.values()) {
                        for (int capacity : CAPACITIES) {
                            for (Chaos.End end : Chaos.End.values()) {
                                long seed = seeds.nextLong();
                                int groupCount = groups;
                                String name = workers + " workers, " + groups + " groups, " + policy + ", capacity "
                                        + capacity + ", " + end + ", seed " + seed;
                                tests.add(DynamicTest.dynamicTest(
                                        name,
                                        () -> Chaos.run(
                                                Scheduler.builder()
                                                        .workers(workers)
                                                        .groups(groupCount)
                                                        .policy(policy)
                                                        .runQueueCapacity(capacity)
                                                        .uncaughtHandler((thread, failure) -> {}),
                                                groupCount,
                                                seed,
                                                size,
                                                end,
                                                limit)));
                            }
                        }
                    }
                }
            }
        }
        return tests;
    }
}
