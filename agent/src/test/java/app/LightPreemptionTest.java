package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.agent.boot.Poll;
import dev.coir.coro.Coroutine;
import dev.coir.coro.Generator;
import dev.coir.fiber.Fiber;
import dev.coir.sync.SpinLock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A LIGHT fiber gives way only where no lock of its thread can be held. */
@Timeout(60)
class LightPreemptionTest {
    private static void givesWay(Preempted.Body body) {
        assertTrue(Preempted.during(Fiber.Kind.LIGHT, body), "it should have given way");
    }

    private static void runsOn(Preempted.Body body) {
        assertFalse(Preempted.during(Fiber.Kind.LIGHT, body), "it gave way with a lock in hand, or perhaps so");
    }

    @AfterEach
    void theFlagIsDown() {
        assertEquals(0, Poll.pending());
    }

    @Test
    void inPlainCodeInStreamsAndInSorts() {
        givesWay(Runnable::run);
        givesWay(point -> List.of(1).forEach(each -> point.run()));
        givesWay(point -> List.of(1, 2).stream().map(each -> each + 1).forEach(each -> point.run()));
        givesWay(point -> {
            var list = new ArrayList<>(List.of(2, 1, 3));
            list.sort(Comparator.comparing(each -> {
                point.run();
                return each;
            }));
            assertEquals(List.of(1, 2, 3), list);
        });
    }

    private synchronized void synchronizedMethod(Runnable point) {
        point.run();
    }

    @Test
    void notInsideMonitors() {
        runsOn(this::synchronizedMethod);
        runsOn(point -> {
            synchronized (this) {
                point.run();
            }
        });
        runsOn(point -> {
            synchronized (this) {
                List.of(1).forEach(each -> point.run());
            }
        });
    }

    @Test
    void afterTheMonitorIsLeft() {
        givesWay(point -> {
            synchronized (this) {
                Preempted.spin();
            }
            point.run();
        });
    }

    private static void underAndAfter(Lock lock) {
        runsOn(point -> {
            lock.lock();
            try {
                point.run();
            } finally {
                lock.unlock();
            }
        });
        runsOn(point -> {
            assertTrue(lock.tryLock());
            try {
                point.run();
            } finally {
                lock.unlock();
            }
        });
        runsOn(point -> {
            assertTrue(lock.tryLock(1, TimeUnit.SECONDS));
            try {
                point.run();
            } finally {
                lock.unlock();
            }
        });
        givesWay(point -> {
            lock.lock();
            lock.unlock();
            point.run();
        });
    }

    @Test
    void notUnderALock() {
        underAndAfter(new ReentrantLock());
        underAndAfter(new ReentrantReadWriteLock().readLock());
        underAndAfter(new ReentrantReadWriteLock().writeLock());
        underAndAfter(new SpinLock());
    }

    @Test
    void notUnderALockTakenTwiceAndFreedOnce() {
        var lock = new ReentrantLock();
        runsOn(point -> {
            lock.lock();
            lock.lock();
            lock.unlock();
            point.run();
            lock.unlock();
        });
    }

    @Test
    void notAfterTakingAPermitOrAStamp() {
        var permits = new Semaphore(1);
        runsOn(point -> {
            permits.acquire();
            point.run();
            permits.release();
        });
        var stamped = new StampedLock();
        runsOn(point -> {
            long stamp = stamped.writeLock();
            point.run();
            stamped.unlockWrite(stamp);
        });
    }

    @Test
    void notInsideOtherCodeOfTheJdk() {
        runsOn(point -> new ConcurrentHashMap<String, String>().computeIfAbsent("key", key -> {
            point.run();
            return key;
        }));
    }

    @Test
    void notInsideACoroutineOrAGenerator() {
        runsOn(point -> Coroutine.of(point).resume());
        runsOn(point -> {
            Generator<Integer> one = Generator.of(sink -> {
                point.run();
                sink.yield(1);
            });
            for (int each : one) assertEquals(1, each);
        });
    }

    @Test
    void notInsideACallbackThatCoirCalls() {
        runsOn(point -> {
            var first = Fiber.builder().unstarted(() -> "done");
            first.toCompletableFuture().whenComplete((text, failure) -> point.run());
            assertTrue(first.cancel(false));
        });
    }
}
