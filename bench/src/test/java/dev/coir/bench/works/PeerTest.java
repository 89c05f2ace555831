package dev.coir.bench.works;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every system of the JVM does its works, in tiny doses. Nothing is measured here. */
@Timeout(60)
class PeerTest {
    private static final String[] ALL = {
        "FiberYield",
        "FiberPark",
        "ChannelRoundTrip",
        "ChannelPipeline",
        "ChannelSelect",
        "FiberRing",
        "FiberSpawn",
        "Skynet",
        "ForkJoinTree",
        "NestedWait",
        "MutexContended",
        "MutexAlone",
        "Timers",
        "WakeLatency",
        "StartLatency",
        "ParkedMemory",
        "IdleCpu",
        "TaskTree"
    };

    static Stream<Arguments> systemsAndWorks() {
        return Stream.of(
                        works("coir-virtual", ALL),
                        works("coir-light", ALL),
                        works("coir-task", "StartLatency", "TaskTree"),
                        works(
                                "jdk",
                                Stream.of(ALL)
                                        .filter(each -> !each.equals("ChannelSelect"))
                                        .toArray(String[]::new)),
                        works("kotlin", ALL),
                        works("jox", "ChannelRoundTrip", "ChannelPipeline", "ChannelSelect", "FiberRing"),
                        works(
                                "floor",
                                "FiberYield",
                                "FiberPark",
                                "ChannelRoundTrip",
                                "FiberSpawn",
                                "WakeLatency",
                                "StartLatency",
                                "ParkedMemory"))
                .flatMap(each -> each);
    }

    private static Stream<Arguments> works(String system, String... works) {
        return Stream.of(works).map(each -> Arguments.of(system, each));
    }

    @ParameterizedTest
    @MethodSource("systemsAndWorks")
    void everySystemDoesItsWorksAgainAndAgain(String system, String work) throws Exception {
        int size = work.endsWith("Tree") || work.equals("NestedWait") ? 3 : 10;
        int ops = switch (work) {
            case "Skynet", "Timers" -> 1000;
            case "WakeLatency", "StartLatency" -> 5;
            default -> 20;
        };
        Round round = Child.peer(system, 2).work(work, size);
        for (int i = 0; i < 2; i++) {
            for (double figure : round.run(ops)) assertTrue(Double.isFinite(figure), work + ": " + figure);
        }
    }

    @Test
    void aWorkThatASystemDoesNotDoIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Child.peer("jox", 1).work("Skynet", 10));
        assertThrows(IllegalArgumentException.class, () -> Child.peer("erlang", 1));
    }
}
