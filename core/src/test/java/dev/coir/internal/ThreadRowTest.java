package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the JIT makes of a row. Each in a JVM that compiles in its own way, for it takes luck to meet a fault in one that runs other tests. */
class ThreadRowTest {
    private static final int ROUNDS = 20;
    private static final int FIBERS = 1_000;
    private static final int YIELDS = 200;

    /**
     * W2: if the write is lost, each slice from then on goes the JDK's way, and the last fiber to end is kept. With {@code -Xbatch} it was
     * lost in four JVMs of four, without tiers in four of four, and else in some.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-Xbatch", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=1", "-XX:+UseParallelGC"})
    void aCarrierForgetsTheThreadThatHasLeftIt(String flag) throws Exception {
        List<String> flags =
                Stream.concat(ChildJvm.FLAGS.stream(), Stream.of(flag)).toList();
        var child = ChildJvm.run(flags, Yields.class);
        assertEquals("remembered 0 times" + System.lineSeparator(), child.output());
    }

    /** All is prepared on another thread then, while the class of fibers is being initialized: that one must not wait for it. */
    @Test
    void theFirstFiberMayBeMadeInAVirtualThread() throws Exception {
        var child = ChildJvm.run(ChildJvm.FLAGS, MadeInAVirtualThread.class);
        assertEquals("made" + System.lineSeparator(), child.output());
    }

    static final class MadeInAVirtualThread {
        private MadeInAVirtualThread() {}

        public static void main(String[] args) throws Exception {
            Thread maker = Thread.ofVirtual().start(() -> {
                try (var scheduler = Scheduler.start(1)) {
                    System.out.println(Fiber.go(scheduler, () -> "made").join());
                }
            });
            if (maker.join(Duration.ofSeconds(60))) return;
            System.out.println("stuck: " + List.of(maker.getStackTrace()));
            Runtime.getRuntime().halt(1);
        }
    }

    static final class Yields {
        private Yields() {}

        public static void main(String[] args) throws Exception {
            var remembered = new AtomicInteger();
            try (var scheduler = Scheduler.start(1)) {
                for (int round = 0; round < ROUNDS; round++) {
                    Fiber.go(scheduler, Yields::together).get();
                    var looked = new CountDownLatch(1);
                    scheduler.execute(() -> {
                        if (JdkAccess.innermostContinuation() != null) remembered.incrementAndGet();
                        looked.countDown();
                    });
                    looked.await();
                }
            }
            System.out.println("remembered " + remembered + " times");
        }

        private static void together() {
            List<Fiber<?>> fibers = new ArrayList<>();
            for (int i = 0; i < FIBERS; i++) {
                fibers.add(Fiber.go(() -> {
                    for (int k = 0; k < YIELDS; k++) Fiber.yield();
                }));
            }
            fibers.forEach(Fiber::join);
        }
    }
}
