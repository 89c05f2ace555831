package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A process that was stopped for a while is not full of fibers that took long. */
class MonitorPauseTest {
    @Test
    void timeInWhichTheProcessWasStoppedIsNobodysSlice() throws Exception {
        ChildJvm child = ChildJvm.run(ChildJvm.FLAGS, Stopped.class);
        assertEquals("stalls: 0\n", child.output());
        assertEquals(0, child.exit());
    }

    /** Has itself stopped for two seconds, in the middle of a slice, where one second is a stall. */
    static final class Stopped {
        private Stopped() {}

        public static void main(String[] args) throws Exception {
            var stalls = new AtomicInteger();
            var reports = new Reports() {
                @Override
                public void stalled(Stall stall) {
                    stalls.incrementAndGet();
                }
            };
            var over = new AtomicBoolean();
            try (var scheduler = Scheduler.builder()
                    .workers(1)
                    .stallThreshold(Duration.ofSeconds(1))
                    .reports(reports)
                    .start()) {
                Fiber<Void> busy = Fiber.go(scheduler, () -> {
                    while (!over.get()) {
                        long end = System.nanoTime() + 20_000_000;
                        while (System.nanoTime() < end) Thread.onSpinWait();
                        Fiber.yield();
                    }
                    return null;
                });
                long pid = ProcessHandle.current().pid();
                String script = "kill -STOP " + pid + "; sleep 2; kill -CONT " + pid;
                for (int i = 0; i < 2; i++) {
                    new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor();
                }
                over.set(true);
                busy.join();
            }
            System.out.println("stalls: " + stalls);
        }
    }
}
