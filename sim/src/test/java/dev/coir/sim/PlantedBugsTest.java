package dev.coir.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.channel.Channel;
import dev.coir.fiber.Fiber;
import dev.coir.parallel.Parallel;
import dev.coir.sync.Latch;
import dev.coir.sync.Mutex;
import dev.coir.sync.RwLock;
import dev.coir.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mistakes as people make them. Each must be found within some hundred seeds, and its seed must bring it back, step by step. */
@Timeout(60)
@SuppressWarnings("WaitNotInLoop") // that is one of the mistakes
class PlantedBugsTest {
    private static SimulationFailure found(Simulation.Program program) throws InterruptedException {
        var failure = assertThrows(SimulationFailure.class, () -> Simulation.explore(500, program));
        var again = assertThrows(
                SimulationFailure.class, () -> Simulation.run(failure.report().seed(), program));
        assertEquals(failure.report(), again.report());
        return failure;
    }

    @Test
    void aLostUpdate() throws Exception {
        found(() -> {
            int[] account = {100};
            Runnable withdraw = () -> {
                if (account[0] < 70) return;
                Simulation.point();
                account[0] -= 70;
            };
            Parallel.run(withdraw, withdraw);
            assertTrue(account[0] >= 0);
        });
    }

    @Test
    void locksTakenInTwoOrders() throws Exception {
        var failure = found(() -> {
            var left = new Mutex();
            var right = new Mutex();
            Parallel.run(() -> both(left, right), () -> both(right, left));
        });
        assertTrue(failure.getMessage().contains("2 fibers wait"), failure::getMessage);
        assertTrue(failure.getMessage().contains("lock of a Mutex"), failure::getMessage);
    }

    private static void both(Mutex first, Mutex second) {
        first.lock();
        Simulation.point();
        second.lock();
        second.unlock();
        first.unlock();
    }

    @Test
    void aSignalThatComesBeforeTheWait() throws Exception {
        found(() -> {
            var lock = new Mutex();
            Condition arrived = lock.newCondition();
            Fiber<Boolean> waiting = Fiber.go(() -> {
                lock.lock();
                try {
                    arrived.await(); // and nobody asks first whether it has arrived
                } finally {
                    lock.unlock();
                }
                return true;
            });
            lock.lock();
            arrived.signal();
            lock.unlock();
            waiting.join();
        });
    }

    @Test
    void aConditionThatIsNotCheckedAgain() throws Exception {
        found(() -> {
            var lock = new Mutex();
            Condition filled = lock.newCondition();
            Queue<String> queue = new ArrayDeque<>();
            Runnable take = () -> {
                lock.lock();
                try {
                    if (queue.isEmpty()) filled.awaitUninterruptibly(); // if instead of while
                    assertNotNull(queue.poll());
                } finally {
                    lock.unlock();
                }
            };
            Runnable put = () -> {
                lock.lock();
                try {
                    queue.add("one");
                    filled.signal();
                } finally {
                    lock.unlock();
                }
                Fiber.yield();
            };
            Parallel.run(take, take, put, put);
        });
    }

    @Test
    void aTimeOutThatLosesWhatItWaitedFor() throws Exception {
        found(() -> {
            var mail = Channel.<String>rendezvous();
            Fiber.go(() -> {
                Fiber.sleep(Duration.ofMillis(10));
                mail.send("a letter"); // for ever, when nobody is there any more
                return null;
            });
            mail.receive(Duration.ofMillis(10));
        });
    }

    @Test
    void oneWhoIsHeldUpForLong() throws Exception {
        found(() -> {
            var ready = new Latch(1);
            boolean[] slowStarted = {false};
            Fiber.go(() -> {
                slowStarted[0] = true;
            });
            Fiber.go(() -> {
                for (int i = 0; i < 30; i++) Fiber.yield(); // "by then the other must have started"
                assertTrue(slowStarted[0]);
                ready.countDown();
            });
            assertTrue(ready.await(1, TimeUnit.HOURS));
        });
    }

    @Test
    void aPermitThatIsNotGivenBackWhenCancelled() throws Exception {
        found(() -> {
            var permits = new Semaphore(1);
            Callable<Boolean> use = () -> {
                permits.acquire();
                Fiber.sleep(Duration.ofMillis(1));
                permits.release(); // and not in a finally block
                return true;
            };
            Fiber<Boolean> one = Fiber.go(use);
            Fiber.go(use);
            Fiber.sleep(Duration.ofMillis(1));
            one.cancel(true);
            assertTrue(permits.tryAcquire(1, TimeUnit.HOURS));
        });
    }

    @Test
    void anAnswerThatIsTakenForThatOfTheNextRequest() throws Exception {
        found(() -> {
            var requests = Channel.<Integer>buffered(4);
            var answers = Channel.<Integer>buffered(4);
            Fiber.go(() -> {
                for (int i = 0; i < 3; i++) {
                    int request = requests.receive();
                    Fiber.sleep(Duration.ofMillis(Simulation.random().nextInt(8)));
                    answers.send(request);
                }
                return null;
            });
            for (int request = 0; request < 3; request++) {
                requests.send(request);
                var answer = answers.receive(Duration.ofMillis(5));
                if (answer.isPresent()) assertEquals(request, answer.get());
            }
        });
    }

    @Test
    void aSecondLockWithoutASecondLook() throws Exception {
        found(() -> {
            var lock = new RwLock();
            int[] made = {0};
            Runnable makeOnce = () -> {
                lock.readLock().lock();
                boolean isMade = made[0] > 0;
                lock.readLock().unlock();
                Simulation.point(); // for a lock that is free makes nobody wait
                if (isMade) return;
                lock.writeLock().lock();
                made[0]++;
                lock.writeLock().unlock();
            };
            Parallel.run(makeOnce, makeOnce);
            assertEquals(1, made[0]);
        });
    }

    @Test
    void monitorsTakenInTwoOrders() throws Exception {
        var failure = found(() -> {
            var left = new Object();
            var right = new Object();
            Parallel.run(() -> both(left, right), () -> both(right, left));
        });
        assertTrue(failure.getMessage().contains("2 fibers wait"), failure::getMessage);
    }

    private static void both(Object first, Object second) {
        synchronized (first) {
            Simulation.point();
            synchronized (second) {
                Simulation.point();
            }
        }
    }

    @Test
    void theSameProgramsWithoutTheMistakeAreLeftAlone() throws Exception {
        Simulation.explore(500, () -> {
            int[] account = {100};
            var lock = new Mutex();
            Runnable withdraw = () -> {
                lock.lock();
                try {
                    if (account[0] < 70) return;
                    Simulation.point();
                    account[0] -= 70;
                } finally {
                    lock.unlock();
                }
            };
            Parallel.run(withdraw, withdraw);
            assertEquals(30, account[0]);
        });
    }
}
