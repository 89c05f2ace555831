package dev.coir.bench.peers;

import static dev.coir.bench.peers.Contender.COIR_LIGHT;
import static dev.coir.bench.peers.Contender.COIR_TASK;
import static dev.coir.bench.peers.Contender.COIR_VIRTUAL;
import static dev.coir.bench.peers.Contender.FLOOR;
import static dev.coir.bench.peers.Contender.GO;
import static dev.coir.bench.peers.Contender.JDK;
import static dev.coir.bench.peers.Contender.JOX;
import static dev.coir.bench.peers.Contender.KOTLIN;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Every goal that the issues 3, 5 and 7 set. Throughput "at least 1.5 times" is time "at most 1 / 1.5". */
final class Goals {
    private static final Side VIRTUAL_2 = Side.of(COIR_VIRTUAL, 2);
    private static final Side LIGHT_1 = Side.of(COIR_LIGHT, 1);
    private static final Side LIGHT_2 = Side.of(COIR_LIGHT, 2);
    private static final Side TASK_1 = Side.of(COIR_TASK, 1);
    private static final Side TASK_2 = Side.of(COIR_TASK, 2);
    private static final Side JDK_2 = Side.of(JDK, 2);
    private static final Side KOTLIN_2 = Side.of(KOTLIN, 2);
    private static final Side JOX_2 = Side.of(JOX, 2);
    private static final Side GO_1 = Side.of(GO, 1);
    private static final Side GO_2 = Side.of(GO, 2);
    private static final Side FLOOR_1 = Side.of(FLOOR, 1);

    private static final double ROUNDING = 0.5; // of a byte: what a lock or a hash table makes once in a while

    static final List<Goal> ALL = List.of(
            Goal.ratio(7, "FiberYield/1000", LIGHT_1, 1.15, FLOOR_1),
            Goal.ratio(3, "FiberYield/1000", LIGHT_1, 1.25, FLOOR_1),
            Goal.ratio(7, "FiberYield/1000", VIRTUAL_2, 0.45, JDK_2),
            Goal.ratio(3, "FiberYield/1000", VIRTUAL_2, 0.5, JDK_2),
            Goal.ratio(7, "FiberYield/1000", VIRTUAL_2, 0.8, GO_2),
            Goal.bytes(3, "FiberYield/1000", LIGHT_1, ROUNDING),
            Goal.bytesMore(3, "FiberYield/1000", VIRTUAL_2, ROUNDING, JDK_2),
            Goal.ratio(3, "FiberPark", VIRTUAL_2, 0.35, JDK_2),
            Goal.ratio(7, "ChannelRoundTrip", LIGHT_1, 0.8, GO_1),
            Goal.ratio(5, "ChannelRoundTrip", LIGHT_1, 0.85, GO_1),
            Goal.ratio(7, "ChannelRoundTrip", VIRTUAL_2, 1.0, GO_2),
            Goal.ratio(5, "ChannelRoundTrip", VIRTUAL_2, 1.1, GO_2),
            Goal.ratio(7, "ChannelRoundTrip", VIRTUAL_2, 0.3, JDK_2),
            Goal.ratio(5, "ChannelRoundTrip", VIRTUAL_2, 0.35, JDK_2),
            Goal.ratio(5, "ChannelPipeline", VIRTUAL_2, 1 / 1.5, JDK_2),
            Goal.ratio(5, "ChannelPipeline", VIRTUAL_2, 1.0, JOX_2),
            Goal.ratio(7, "FiberSpawn", LIGHT_2, 0.5, KOTLIN_2),
            Goal.ratio(7, "FiberSpawn", VIRTUAL_2, 0.5, GO_1, GO_2),
            Goal.ratio(7, "FiberSpawn", VIRTUAL_2, 0.6, JDK_2),
            Goal.ratio(3, "FiberSpawn", LIGHT_2, 0.5, VIRTUAL_2),
            Goal.ratio(7, "Skynet", VIRTUAL_2, 0.6, GO_2),
            Goal.ratio(7, "Skynet", VIRTUAL_2, 0.5, KOTLIN_2),
            Goal.ratio(7, "Skynet", VIRTUAL_2, 0.5, JDK_2),
            Goal.ratio(5, "Skynet", VIRTUAL_2, 0.75, GO_2),
            Goal.ratio(7, "Skynet", LIGHT_2, 0.6, GO_2),
            Goal.ratio(7, "Skynet", LIGHT_2, 0.5, KOTLIN_2),
            Goal.ratio(7, "Skynet", LIGHT_2, 0.5, JDK_2),
            Goal.ratio(5, "MutexContended", VIRTUAL_2, 0.5, JDK_2),
            Goal.ratio(5, "MutexAlone", VIRTUAL_2, 1.2, JDK_2),
            Goal.ratio(7, "Timers", VIRTUAL_2, 0.5, JDK_2),
            Goal.ratio(7, "WakeLatency", VIRTUAL_2, 1.0, JDK_2),
            Goal.ratio(7, "WakeLatency", VIRTUAL_2, 1.0, JDK_2).of(1),
            Goal.figure(3, "StartLatency", TASK_2, 20),
            Goal.figure(7, "ParkedMemory", LIGHT_1, 400),
            Goal.figure(3, "ParkedMemory", LIGHT_1, 450),
            Goal.ratio(7, "ParkedMemory", LIGHT_1, 0.3, GO_2),
            Goal.ratio(7, "ParkedMemory", VIRTUAL_2, 1.1, JDK_2),
            Goal.figure(3, "ParkedMemory", VIRTUAL_2, 750),
            Goal.ratio(7, "ParkedMemory", VIRTUAL_2, 0.3, GO_2),
            Goal.figure(7, "IdleCpu", VIRTUAL_2, 1),
            Goal.figure(7, "IdleCpu", LIGHT_2, 1),
            Goal.speedup(7, "TaskTree", TASK_2, 1.8, TASK_1),
            Goal.speedup(3, "TaskTree", TASK_2, 1.7, TASK_1));

    private Goals() {}

    static List<Goal> of(Work work) {
        return ALL.stream()
                .filter(each -> Objects.equals(each.work(), work.id()))
                .toList();
    }

    /** The sides without which the work's goals cannot be judged. */
    static List<Side> sidesOf(Work work) {
        return of(work).stream()
                .flatMap(each -> Stream.concat(Stream.of(each.side()), each.against().stream()))
                .distinct()
                .sorted()
                .toList();
    }
}
