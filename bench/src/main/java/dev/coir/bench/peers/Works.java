package dev.coir.bench.peers;

import static dev.coir.bench.peers.Contender.BOOST;
import static dev.coir.bench.peers.Contender.COIR_LIGHT;
import static dev.coir.bench.peers.Contender.COIR_TASK;
import static dev.coir.bench.peers.Contender.COIR_VIRTUAL;
import static dev.coir.bench.peers.Contender.FLOOR;
import static dev.coir.bench.peers.Contender.GO;
import static dev.coir.bench.peers.Contender.JDK;
import static dev.coir.bench.peers.Contender.JOX;
import static dev.coir.bench.peers.Contender.KOTLIN;

import dev.coir.bench.peers.Work.Dose;
import dev.coir.bench.peers.Work.Measure;
import java.util.List;

/**
 * Every work. A round takes some 20 to 100 milliseconds, but for the big ones, whose fibers are its operations. boost.fiber is left out where a stack of its
 * own for each of a hundred thousand fibers would make it a comparison of stack allocators; the JDK has no select.
 */
final class Works {
    private static final List<Measure> NANOS = List.of(new Measure("", "ns"));
    private static final List<Measure> PERCENTILES =
            List.of(new Measure("p50", "us"), new Measure("p99", "us"), new Measure("p99.9", "us"));
    private static final List<Contender> ALL_BUT_FLOOR = List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, GO, BOOST);
    private static final List<Contender> WITH_FLOOR = List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, GO, BOOST, FLOOR);
    private static final List<Contender> FLOOR_NO_BOOST = List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, GO, FLOOR);
    private static final List<Contender> WITH_JOX = List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, JOX, GO, BOOST);
    private static final List<Contender> WITH_JOX_AND_FLOOR =
            List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, JOX, GO, BOOST, FLOOR);
    private static final List<Contender> NO_BOOST = List.of(COIR_VIRTUAL, COIR_LIGHT, JDK, KOTLIN, GO);

    static final List<Work> ALL = List.of(
            work("FiberYield", "10", "Yield among 10", NANOS, WITH_FLOOR)
                    .doses(new Dose(10, 100_000, 1000, 5), new Dose(10, 100_000, 2500, 8))
                    .asDivisible(),
            work("FiberYield", "1000", "Yield among 1 000", NANOS, WITH_FLOOR)
                    .doses(new Dose(1_000, 100_000, 2000, 5), new Dose(1_000, 200_000, 3000, 8))
                    .asDivisible(),
            work("FiberYield", "100000", "Yield among 100 000", NANOS, FLOOR_NO_BOOST)
                    .doses(new Dose(100_000, 1_000_000, 1000, 2), new Dose(100_000, 2_000_000, 2500, 4))
                    .asDivisible(),
            work("FiberPark", "", "Wake a partner and wait for its answer", NANOS, FLOOR_NO_BOOST)
                    .doses(new Dose(2, 20_000, 800, 5), new Dose(2, 40_000, 1500, 8)),
            work("ChannelRoundTrip", "", "Channel round trip, no buffer", NANOS, WITH_JOX_AND_FLOOR)
                    .doses(new Dose(2, 20_000, 800, 5), new Dose(2, 40_000, 1500, 8)),
            work("ChannelPipeline", "", "A value through a buffer of 100", NANOS, WITH_JOX)
                    .doses(new Dose(2, 200_000, 800, 5), new Dose(2, 400_000, 1500, 8)),
            work(
                            "ChannelSelect",
                            "",
                            "Select of two channels",
                            NANOS,
                            List.of(COIR_VIRTUAL, COIR_LIGHT, KOTLIN, JOX, GO))
                    .doses(new Dose(2, 20_000, 800, 5), new Dose(2, 40_000, 1500, 8)),
            work("FiberRing", "", "A token's hop in a ring of 1 000", NANOS, WITH_JOX)
                    .doses(new Dose(1_000, 50_000, 800, 5), new Dose(1_000, 100_000, 1500, 8)),
            work("FiberSpawn", "", "Spawn and join", NANOS, WITH_FLOOR)
                    .doses(new Dose(1, 20_000, 800, 5), new Dose(1, 20_000, 1500, 8))
                    .asDivisible(),
            work("Skynet", "", "Skynet", List.of(new Measure("", "ms")), NO_BOOST)
                    .doses(new Dose(1, 100_000, 700, 3), new Dose(1, 1_000_000, 2000, 3))
                    .asBig(),
            work("ForkJoinTree", "", "A fiber of a binary tree that joins its two", NANOS, ALL_BUT_FLOOR)
                    .doses(new Dose(14, 1, 800, 5), new Dose(14, 1, 1500, 8)),
            work("NestedWait", "", "A fiber of a tree that waits for its eight", NANOS, ALL_BUT_FLOOR)
                    .doses(new Dose(4, 4, 800, 5), new Dose(4, 8, 1500, 8)),
            work("MutexContended", "", "Lock and unlock, 8 at once", NANOS, NO_BOOST)
                    .doses(new Dose(8, 80_000, 700, 5), new Dose(8, 400_000, 1500, 8)),
            work("MutexAlone", "", "Lock and unlock, nobody else there", NANOS, ALL_BUT_FLOOR)
                    .doses(new Dose(1, 1_000_000, 400, 5), new Dose(1, 2_000_000, 1000, 8)),
            work("Timers", "", "Set a timer and let it fire", NANOS, NO_BOOST)
                    .doses(new Dose(1, 100_000, 500, 2), new Dose(1, 1_000_000, 1500, 2))
                    .asBig(),
            work("WakeLatency", "", "Wake-up from an outside thread", PERCENTILES, FLOOR_NO_BOOST)
                    .doses(new Dose(1, 500, 1000, 3), new Dose(1, 1_000, 4000, 5)),
            work(
                            "StartLatency",
                            "",
                            "Start from an outside thread",
                            PERCENTILES,
                            List.of(COIR_VIRTUAL, COIR_LIGHT, COIR_TASK, JDK, KOTLIN, GO, FLOOR))
                    .doses(new Dose(1, 500, 1000, 3), new Dose(1, 1_000, 4000, 5)),
            work("ParkedMemory", "", "A parked fiber", List.of(new Measure("", "bytes")), FLOOR_NO_BOOST)
                    .doses(new Dose(1, 100_000, 0, 1), new Dose(1, 1_000_000, 0, 1))
                    .asBig(),
            work("IdleCpu", "", "10 000 parked, CPU", List.of(new Measure("", "% of a core")), NO_BOOST)
                    .doses(new Dose(10_000, 700, 0, 1), new Dose(10_000, 3_000, 0, 1)),
            work(
                            "TaskTree",
                            "",
                            "A tree of tasks of 1 us, per task",
                            NANOS,
                            List.of(COIR_VIRTUAL, COIR_LIGHT, COIR_TASK, JDK, KOTLIN, GO))
                    .doses(new Dose(14, 1, 600, 5), new Dose(14, 1, 1500, 8)));

    private Works() {}

    private static Draft work(
            String name, String variant, String title, List<Measure> measures, List<Contender> contenders) {
        return (quick, full) -> new Work(name, variant, title, measures, quick, full, contenders, false, false);
    }

    private interface Draft {
        Work doses(Dose quick, Dose full);
    }
}
