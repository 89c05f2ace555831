package dev.coir.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.channel.Channel;
import dev.coir.fiber.Fiber;
import dev.coir.scope.Scope;
import dev.coir.sync.Latch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs in which something else than the seed could decide, each run twice with each seed. */
@Timeout(60)
@SuppressWarnings("WaitNotInLoop") // they are in loops
class ReplayTest {
    private static final int SEEDS = 30;

    private static void sameEachTime(Simulation.Program program) throws Exception {
        for (int seed = 0; seed < SEEDS; seed++)
            assertEquals(Simulation.run(seed, program), Simulation.run(seed, program));
    }

    /** The JDK wakes them from a thread of its own: it may come before or after the next alarm, and bring one or two. */
    @Test
    void monitorsAndAlarms() throws Exception {
        sameEachTime(() -> {
            Object[] monitors = {new Object(), new Object()};
            for (int i = 0; i < 6; i++) {
                int number = i;
                Fiber.go(() -> {
                    for (int turn = 0; turn < 3; turn++) {
                        synchronized (monitors[number % 2]) {
                            Fiber.sleep(Duration.ofNanos(1_000 + number));
                        }
                        Fiber.sleep(Duration.ofNanos(500));
                    }
                    return null;
                });
            }
        });
    }

    @Test
    void notifiesOfAMonitor() throws Exception {
        sameEachTime(() -> {
            var monitor = new Object();
            int[] permits = {0};
            for (int i = 0; i < 5; i++) {
                Fiber.go(() -> {
                    synchronized (monitor) {
                        while (permits[0] == 0) monitor.wait();
                        permits[0]--;
                    }
                    Fiber.sleep(Duration.ofNanos(700));
                    return null;
                });
            }
            for (int i = 0; i < 5; i++) {
                synchronized (monitor) {
                    permits[0]++;
                    monitor.notify();
                }
                Fiber.sleep(Duration.ofNanos(600));
            }
        });
    }

    /** A scope keeps its children in a hash table, so the order in which it cancels them is by chance. */
    @Test
    void aScopeThatCancelsManyAtOnce() throws Exception {
        sameEachTime(() -> {
            try (var scope = Scope.open()) {
                for (int i = 0; i < 12; i++) {
                    scope.fork(() -> {
                        try {
                            new Latch(1).await();
                        } finally {
                            Fiber.yield();
                        }
                        return null;
                    });
                }
                scope.fork(() -> {
                    Fiber.sleep(Duration.ofMillis(1));
                    throw new IllegalStateException("as planned");
                });
                Fiber.sleep(Duration.ofMillis(2));
            } catch (IllegalStateException expected) {
                Fiber.yield();
            }
        });
    }

    @Test
    void locksAndQueuesOfTheJdk() throws Exception {
        sameEachTime(() -> {
            var lock = new ReentrantLock();
            var queue = new LinkedBlockingQueue<Integer>(2);
            var hands = new SynchronousQueue<Integer>();
            var done = new CompletableFuture<Integer>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                Fiber.go(() -> {
                    lock.lock();
                    try {
                        Fiber.yield();
                        queue.put(number);
                    } finally {
                        lock.unlock();
                    }
                    hands.put(number);
                    return done.complete(number);
                });
                Fiber.go(() -> hands.take());
            }
            for (int i = 0; i < 4; i++) queue.take();
            Fiber.await(done);
        });
    }

    @Test
    void bothKindsAtOneChannel() throws Exception {
        sameEachTime(() -> {
            var channel = Channel.<Integer>buffered(2);
            List<Fiber<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                Fiber.Kind kind = i % 2 == 0 ? Fiber.Kind.VIRTUAL : Fiber.Kind.LIGHT;
                Fiber.builder().kind(kind).start(() -> {
                    channel.send(number);
                    return null;
                });
                all.add(Fiber.builder().kind(kind).start(() -> channel.receive()));
            }
            for (var each : all) each.join();
            channel.close();
        });
    }
}
