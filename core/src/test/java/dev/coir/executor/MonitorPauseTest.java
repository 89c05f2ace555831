package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A process that was stopped for a while is not full of fibers that took long. */
class MonitorPauseTest {
    @Test
    void timeInWhichTheProcessWasStoppedIsNobodysSlice() throws Exception {
        ChildJvm child = ChildJvm.run(ChildJvm.FLAGS, Stopped.class, "20", "sleep 0.1");
        assertEquals("stalls: 0\n", child.output());
        assertEquals(0, child.exit());
    }

    @Test
    void norIsItWhenItIsStoppedOftenWithinOneSlice() throws Exception {
        ChildJvm child = ChildJvm.run(ChildJvm.FLAGS, Stopped.class, "150", "sleep 0.02");
        assertEquals("stalls: 0\n", child.output());
        assertEquals(0, child.exit());
    }

    /** Has itself stopped twice, for two seconds, in the middle of a slice, where one second is a stall. */
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
                Fiber<Void> busy = Fiber.builder()
                        .on(scheduler)
                        .kind(Fiber.Kind.LIGHT)
                        .start(() -> {
                            while (!over.get()) {
                                spin(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[0])));
                                Fiber.yield();
                            }
                            return null;
                        });
                long pid = ProcessHandle.current().pid();
                String stop = "kill -STOP " + pid + "; sleep 2; kill -CONT " + pid;
                new ProcessBuilder("sh", "-c", stop + "; " + args[1] + "; " + stop)
                        .inheritIO()
                        .start()
                        .waitFor();
                over.set(true);
                busy.join();
            }
            System.out.println("stalls: " + stalls);
        }

        /** Uses that much of a processor, however long it takes. */
        private static void spin(long nanos) {
            var threads = ManagementFactory.getThreadMXBean();
            long end = threads.getCurrentThreadCpuTime() + nanos;
            while (threads.getCurrentThreadCpuTime() < end) Thread.onSpinWait();
        }
    }
}
