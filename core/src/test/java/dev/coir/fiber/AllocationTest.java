package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber.Kind;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch leaves nothing for the collector. In JVMs of their own: strict mode, which tests have, looks through the stack. */
class AllocationTest {
    @ParameterizedTest
    @ValueSource(strings = {"LIGHT yield", "VIRTUAL yield", "VIRTUAL park"})
    void aSwitchAllocatesNothing(String what) throws Exception {
        var child = ChildJvm.run(ChildJvm.FLAGS, Measured.class, what.split(" "));
        assertEquals(0, child.exit(), child::output);
        double bytes = Double.parseDouble(child.output().strip());
        assertTrue(bytes < 0.5, () -> "bytes per " + what + ": " + bytes);
    }

    /** Prints how many bytes a switch allocates once it has been compiled: the least of some rounds. */
    static final class Measured {
        private static final int SWITCHES = 200_000;
        private static final int ROUNDS = 20;

        private Measured() {}

        public static void main(String[] args) {
            Kind kind = Kind.valueOf(args[0]);
            var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            try (var scheduler = Scheduler.start(1)) {
                long worker = Fiber.go(scheduler, () -> VirtualThreads.carrier().threadId())
                        .join();
                double least = Double.MAX_VALUE;
                for (int i = 0; i < ROUNDS && least >= 0.5; i++) {
                    long before = threads.getThreadAllocatedBytes(worker);
                    if (args[1].equals("yield")) yields(scheduler, kind);
                    else parks(scheduler);
                    least = Math.min(least, (double) (threads.getThreadAllocatedBytes(worker) - before) / SWITCHES);
                }
                System.out.println(least);
            }
        }

        private static void yields(Scheduler scheduler, Kind kind) {
            Runnable body = () -> {
                for (int i = 0; i < SWITCHES / 2; i++) Fiber.yield();
            };
            List<Fiber<Void>> both = List.of(
                    Fiber.builder().on(scheduler).kind(kind).start(body),
                    Fiber.builder().on(scheduler).kind(kind).start(body));
            both.forEach(Fiber::join);
        }

        private static void parks(Scheduler scheduler) {
            int[] turn = {0}; // one worker: nobody else runs
            Thread[] both = new Thread[2];
            Fiber<Void> first = Fiber.go(scheduler, () -> plays(both, turn, 0));
            Fiber<Void> second = Fiber.go(scheduler, () -> plays(both, turn, 1));
            first.join();
            second.join();
        }

        private static void plays(Thread[] both, int[] turn, int who) {
            both[who] = Thread.currentThread();
            for (int i = 0; i < SWITCHES / 2; i++) {
                while (turn[0] != who) {
                    if (both[1 - who] == null) Fiber.yield();
                    else LockSupport.park();
                }
                turn[0] = 1 - who;
                if (both[1 - who] != null) LockSupport.unpark(both[1 - who]);
            }
        }
    }
}
