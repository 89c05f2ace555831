package dev.coir.bench.peers;

import static dev.coir.bench.peers.Contender.COIR_LIGHT;
import static dev.coir.bench.peers.Contender.GO;
import static dev.coir.bench.peers.Contender.JDK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.bench.peers.Work.Dose;
import dev.coir.bench.peers.Work.Measure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sides take turns as promised. They are scripts here, and nothing is measured. */
@Timeout(60)
class ContestTest {
    private static final String OBEDIENT = """
            echo ready
            while read command rest; do
              case $command in
                warm) echo warmed 2 ;;
                round) echo figures 5 ;;
                bytes) echo bytes 16 ;;
              esac
            done""";
    private static final String DIES_IN_THE_FIRST_ROUND = "echo ready; read w; echo warmed 2; read r; echo no luck >&2";

    @TempDir
    Path logs;

    private final Map<Contender, String> scripts = new EnumMap<>(Contender.class);
    private final List<String> turns = new ArrayList<>();

    private final Contest.Starter starter = new Contest.Starter() {
        @Override
        public boolean canRun(Contender contender) {
            return scripts.containsKey(contender);
        }

        @Override
        public List<String> of(Side side, Work work, Dose dose) {
            return List.of("sh", "-c", Objects.requireNonNull(scripts.get(side.contender())));
        }
    };

    private final Contest.Listener listener = new Contest.Listener() {
        @Override
        public void doing(Work work, Side side, int fork, String what) {
            turns.add(fork + " " + side.contender().id() + " " + what);
        }

        @Override
        public void found(Work work, Result result, int fork, double figure) {}
    };

    private Map<Side, Result> hold(int forks) throws Exception {
        var dose = new Dose(1, 1000, 1, 2);
        var work = new Work(
                "Made",
                "",
                "Made up",
                List.of(new Measure("", "ns")),
                dose,
                dose,
                List.of(COIR_LIGHT, JDK, GO),
                false,
                false);
        return new Contest(starter, true, forks, logs, listener).hold(work);
    }

    @Test
    void allWarmUpThenTakeTurnsEverySecondTimeBackwards() throws Exception {
        scripts.put(COIR_LIGHT, OBEDIENT);
        scripts.put(JDK, OBEDIENT);
        hold(1);
        assertEquals(
                List.of(
                        "1 coir-light warming up",
                        "1 jdk warming up",
                        "1 coir-light round 1 of 2",
                        "1 jdk round 1 of 2",
                        "1 jdk round 2 of 2",
                        "1 coir-light round 2 of 2",
                        "1 coir-light counting bytes",
                        "1 jdk counting bytes"),
                turns);
    }

    @Test
    void everyForkAddsItsRounds() throws Exception {
        scripts.put(GO, OBEDIENT);
        Result result = hold(3).get(Side.of(GO, 2));
        assertTrue(result != null && result.isComplete());
        assertEquals(6, result.samples(0).count());
        assertTrue(Double.isNaN(result.bytesPerOp()), "only JVMs count bytes");
    }

    @Test
    void aSideThatFailsLeavesAndTheOthersGoOn() throws Exception {
        scripts.put(COIR_LIGHT, OBEDIENT);
        scripts.put(JDK, DIES_IN_THE_FIRST_ROUND);
        scripts.put(GO, OBEDIENT);
        Map<Side, Result> results = hold(2);
        Result failed = Objects.requireNonNull(results.get(Side.of(JDK, 2)));
        assertEquals("ended: no luck", failed.failure());
        assertEquals(
                1, turns.stream().filter(each -> each.contains("jdk round")).count());
        for (Side each : List.of(Side.of(COIR_LIGHT, 1), Side.of(GO, 2))) {
            Result result = Objects.requireNonNull(results.get(each));
            assertNull(result.failure());
            assertEquals(4, result.samples(0).count());
        }
    }
}
