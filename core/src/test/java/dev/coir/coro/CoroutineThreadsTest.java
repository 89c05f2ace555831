package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import dev.coir.testing.VirtualThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Coroutines in virtual threads, virtual threads in coroutines. */
class CoroutineThreadsTest {
    private final List<String> printed = new ArrayList<>();

    /** Runs what a virtual thread's scheduler was given, on the calling thread, until nothing is given any more. */
    private static void drain(Queue<Runnable> turns) {
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) turn.run();
    }

    @Test
    void aVirtualThreadMountedOnTopIsOutsideTheCoroutine() {
        var turns = new ArrayDeque<Runnable>();
        Thread mounted = VirtualThreads.unstarted(turns::add, () -> {
            assertFalse(Coroutine.isInside());
            var refusal = assertThrows(IllegalStateException.class, Coroutine::suspend);
            assertTrue(refusal.getMessage().startsWith("suspend outside a coroutine: VirtualThread["));
            printed.add("mounted");
            Thread.yield();
            assertFalse(Coroutine.isInside());
            assertThrows(IllegalStateException.class, Coroutine::suspend);
            printed.add("mounted again");
        });
        var co = Coroutine.of(() -> {
            mounted.start();
            turns.remove().run();
            assertTrue(Coroutine.isInside());
            Coroutine.suspend();
            drain(turns);
            assertTrue(Coroutine.isInside());
            Coroutine.suspend();
            printed.add("body's end");
        });
        co.resume();
        assertEquals(List.of("mounted"), printed);
        co.resume();
        assertEquals(List.of("mounted", "mounted again"), printed);
        assertFalse(mounted.isAlive());
        assertFalse(co.isDone());
        co.resume();
        assertTrue(co.isDone());
        assertEquals("body's end", printed.getLast());
    }

    @Test
    void aVirtualThreadMountedOnTopHasCoroutinesOfItsOwn() {
        var turns = new ArrayDeque<Runnable>();
        Thread mounted = VirtualThreads.unstarted(turns::add, () -> {
            var own = Coroutine.of(() -> {
                printed.add("own 1");
                Thread.yield();
                assertTrue(Coroutine.isInside());
                Coroutine.suspend();
                printed.add("own 2");
            });
            own.resume();
            assertFalse(Coroutine.isInside());
            own.resume();
            assertTrue(own.isDone());
        });
        var co = Coroutine.of(() -> {
            mounted.start();
            turns.remove().run();
            printed.add("between");
            Coroutine.suspend();
        });
        co.resume();
        drain(turns); // the second half is mounted outside the coroutine
        co.resume();
        assertTrue(co.isDone());
        assertFalse(mounted.isAlive());
        assertEquals(List.of("own 1", "between", "own 2"), printed);
    }

    @Test
    void aVirtualThreadMountedOnTopCannotResumeTheCoroutineBelow() {
        var turns = new ArrayDeque<Runnable>();
        Coroutine[] below = new Coroutine[1];
        Thread mounted = VirtualThreads.unstarted(turns::add, () -> {
            assertThrows(WrongThreadException.class, below[0]::resume);
            printed.add("refused");
        });
        below[0] = Coroutine.of(() -> {
            mounted.start();
            drain(turns);
            Coroutine.suspend();
        });
        below[0].resume();
        below[0].resume();
        assertTrue(below[0].isDone());
        assertEquals(List.of("refused"), printed);
    }

    @Test
    void inAVirtualThreadTheBodyParksAndContinuesOnAnotherCarrier() throws Exception {
        var carriers = new ArrayList<Thread>();
        var turns = new ArrayDeque<Runnable>();
        Coroutine[] co = new Coroutine[1];
        Thread virtual = VirtualThreads.unstarted(turns::add, () -> {
            co[0] = Coroutine.of(() -> {
                for (int i = 1; i <= 3; i++) {
                    LockSupport.park();
                    carriers.add(VirtualThreads.carrier());
                    Coroutine.suspend();
                    printed.add("step " + i);
                }
            });
            while (!co[0].isDone()) {
                assertFalse(Coroutine.isInside());
                co[0].resume();
            }
        });
        virtual.start();
        for (int i = 0; i < 4; i++) {
            Crowd.onAnotherThread(one -> turns.remove().run());
            LockSupport.unpark(virtual);
        }
        assertFalse(virtual.isAlive());
        assertTrue(co[0].isDone());
        assertEquals(List.of("step 1", "step 2", "step 3"), printed);
        assertEquals(3, carriers.size());
        assertNotEquals(carriers.get(0), carriers.get(1));
        assertNotEquals(carriers.get(1), carriers.get(2));
    }

    @Test
    void aParkedVirtualThreadKeepsItsRunningCoroutineToItself() throws Exception {
        var parked = new CountDownLatch(1);
        Coroutine co = Coroutine.of(() -> {
            parked.countDown();
            LockSupport.park();
            Coroutine.suspend();
            printed.add("went on");
        });
        Thread virtual = Thread.ofVirtual().start(() -> {
            co.resume();
            co.resume();
        });
        parked.await();
        Crowd.untilWaiting(virtual);
        assertThrows(WrongThreadException.class, co::resume);
        LockSupport.unpark(virtual);
        virtual.join();
        assertTrue(co.isDone());
        assertEquals(List.of("went on"), printed);
    }

    @Test
    void sleepInsideABodyInsideAVirtualThreadReturns() throws Exception {
        Crowd.run(1, Thread.ofVirtual().factory(), i -> {
            var co = Coroutine.of(() -> {
                try {
                    Thread.sleep(1); // the subject, not a way to wait
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                Coroutine.suspend();
                printed.add("slept");
            });
            co.resume();
            co.resume();
        });
        assertEquals(List.of("slept"), printed);
    }

    @Test
    void aBodyInsideAVirtualThreadWaitsForAMonitorThatAnotherThreadHolds() throws Exception {
        var monitor = new Object();
        var trying = new CountDownLatch(1);
        Thread virtual;
        synchronized (monitor) {
            virtual = Thread.ofVirtual().start(() -> {
                var co = Coroutine.of(() -> {
                    trying.countDown();
                    synchronized (monitor) {
                        printed.add("entered");
                    }
                    Coroutine.suspend();
                });
                co.resume();
                co.resume();
                printed.add("done: " + co.isDone());
            });
            trying.await();
            Crowd.untilWaiting(virtual);
            assertEquals(List.of(), printed);
        }
        virtual.join();
        assertEquals(List.of("entered", "done: true"), printed);
    }

    /** The virtual thread parks its carrier then, as it does without a coroutine. */
    @Test
    void aBodyInsideAVirtualThreadMayParkInAClassInitialiser() throws Exception {
        Crowd.run(1, Thread.ofVirtual().factory(), i -> {
            var co = Coroutine.of(() -> {
                ParksWhenInitialised.touch();
                printed.add("initialised");
                Coroutine.suspend();
                printed.add("went on");
            });
            co.resume();
            co.resume();
            assertTrue(co.isDone());
        });
        assertEquals(List.of("initialised", "went on"), printed);
    }

    private static final class ParksWhenInitialised {
        static {
            LockSupport.parkNanos(1_000);
        }

        static void touch() {}
    }

    @Test
    void aCoroutineResumedByAClassInitialiserInsideAVirtualThreadMayTakeAContendedLock() throws Exception {
        var lock = ResumesWhenInitialised.lock;
        lock.lock();
        Thread virtual = Thread.ofVirtual().start(() -> {
            ResumesWhenInitialised.touch();
            printed.add("initialised");
        });
        Crowd.until(() -> lock.hasQueuedThread(virtual));
        lock.unlock();
        virtual.join();
        assertEquals(List.of("initialised"), printed);
        assertTrue(ResumesWhenInitialised.Holder.co.isDone());
        assertFalse(lock.isLocked());
    }

    private static final class ResumesWhenInitialised {
        static final ReentrantLock lock = new ReentrantLock();

        static void touch() {
            Holder.touch();
        }

        static final class Holder {
            static final Coroutine co = Coroutine.of(() -> {
                lock.lock();
                lock.unlock();
                Coroutine.suspend();
            });

            static {
                co.resume();
                co.resume();
            }

            static void touch() {}
        }
    }

    @Test
    void manyVirtualThreadsEachRunCoroutinesThatYieldTheThread() throws Exception {
        Crowd.run(64, Thread.ofVirtual().factory(), i -> {
            int[] sum = {0};
            var co = Coroutine.of(() -> {
                Thread self = Thread.currentThread();
                for (int step = 0; step < 100; step++) {
                    Thread.yield();
                    assertSame(self, Thread.currentThread());
                    sum[0] += step;
                    Coroutine.suspend();
                }
            });
            while (!co.isDone()) co.resume();
            assertEquals(4950, sum[0]);
        });
    }
}
