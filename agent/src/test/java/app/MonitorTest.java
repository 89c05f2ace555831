package app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Reports;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The monitor and the agent together: on one worker, others run beside a fiber that never waits. */
@Timeout(60)
class MonitorTest {
    private static volatile boolean stop;
    private static volatile int sink;

    /** Runs {@code body} in a fiber until a ticker on the same worker has ticked twenty times. */
    private static void besideATicker(Fiber.Kind kind, Runnable body) {
        stop = false;
        try (var scheduler =
                Scheduler.builder().workers(1).reports(Reports.NONE).start()) {
            Fiber<Void> busy = Fiber.builder().on(scheduler).kind(kind).start(() -> {
                body.run();
                return null;
            });
            Fiber.go(scheduler, () -> {
                        for (int i = 0; i < 20; i++) Fiber.sleep(Duration.ofMillis(10));
                        stop = true;
                        return null;
                    })
                    .join();
            busy.join();
        }
        assertTrue(stop);
    }

    private static void count() {
        int i = 0;
        while (!stop) i++;
        sink = i;
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void anEndlessLoop(Fiber.Kind kind) {
        besideATicker(kind, MonitorTest::count);
    }

    @Test
    void anEndlessLoopInsideSynchronized() {
        var monitor = new Object();
        besideATicker(Fiber.Kind.VIRTUAL, () -> {
            synchronized (monitor) {
                count();
                assertTrue(Thread.holdsLock(monitor));
            }
        });
    }

    @Test
    void anEndlessLoopInsideALambdaInAStream() {
        besideATicker(
                Fiber.Kind.VIRTUAL,
                () -> sink = Stream.of(1, 2, 3)
                        .map(each -> {
                            count();
                            return each;
                        })
                        .mapToInt(Integer::intValue)
                        .sum());
    }
}
