package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.internal.ThreadSwitch.Beginning;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that are begun where their stack may not fit. Driven by hand: the test is their carrier. */
class BeginWithinTest {
    private static final MethodHandle ROW =
            ThreadSwitch.rows(MethodHandles.empty(MethodType.methodType(Thread.class, Thread.class, Object.class)));
    private static final int DEEP = 1_600;
    private static final int SMALL_STACK = 144 << 10;
    private static final int ROOMY_STACK = 64 << 20;
    private static final Object MONITOR = new Object();
    private static boolean told; // under MONITOR

    /** How a thread may come to wait. */
    enum Wait {
        YIELD {
            @Override
            void run() {
                Thread.yield();
            }
        },
        PARK {
            @Override
            void run() {
                LockSupport.park();
            }

            @Override
            void end(Thread waiting) {
                LockSupport.unpark(waiting);
            }
        },
        TIMED_PARK {
            @Override
            void run() {
                LockSupport.parkNanos(Long.MAX_VALUE);
            }

            @Override
            void end(Thread waiting) {
                LockSupport.unpark(waiting);
            }
        },
        MONITOR_WAIT {
            @Override
            void run() {
                synchronized (MONITOR) {
                    told = false;
                    try {
                        while (!told) MONITOR.wait(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }

            @Override
            void end(Thread waiting) {
                synchronized (MONITOR) {
                    told = true;
                    MONITOR.notifyAll();
                }
            }
        };

        @SuppressWarnings("ThreadPriorityCheck")
        abstract void run();

        /** What makes it runnable. */
        void end(Thread waiting) {}
    }

    private static Thread started(Runnable body) {
        Thread thread = JdkAccess.newVirtualThread(slice -> {}, null, false, body);
        thread.start();
        return thread;
    }

    private static void runSlice(Thread begun) throws Throwable {
        ROW.invokeExact(begun, JdkAccess.currentCarrierThread(), (Object) null);
        ThreadSwitch.end(begun);
    }

    private static void awaitRunnable(Thread thread) {
        while (!ThreadSwitch.mayRunNow(thread))
            Thread.onSpinWait(); // the JDK's own thread moves what waits for a monitor
    }

    /** Each frame is 100 to 250 bytes. What is saved must not be too large for a region of the heap, or it cannot be saved. */
    private static long descend(int levels, Runnable bottom, long a, long b, long c, long d, long e, long f) {
        if (levels > 0)
            return descend(levels - 1, bottom, a + 1, b + 2, c + 3, d + 4, e + 5, f + 6) + a + b + c + d + e + f;
        bottom.run();
        return 0;
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void aThreadGoesOnWhateverItHasWaitedFor(Wait wait) throws Throwable {
        Thread thread = started(() -> {
            wait.run();
            wait.run(); // no permit is left of the first
        });
        for (int i = 0; i < 2; i++) {
            assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
            runSlice(thread);
            assertTrue(thread.isAlive());
            wait.end(thread);
            awaitRunnable(thread);
        }
        assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
        runSlice(thread);
        assertFalse(thread.isAlive());
    }

    @Test
    void whoWaitsOrRunsAlreadyIsLeftAlone() throws Throwable {
        Thread thread = started(LockSupport::park);
        assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
        assertEquals(Beginning.MAY_NOT_RUN, ThreadSwitch.tryBeginWithin(thread)); // another has the right to run it
        runSlice(thread);
        assertEquals(Beginning.MAY_NOT_RUN, ThreadSwitch.tryBeginWithin(thread));
        assertEquals(Thread.State.WAITING, thread.getState());
        LockSupport.unpark(thread);
        assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
        runSlice(thread);
        assertFalse(thread.isAlive());
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void whereItsStackDoesNotFitItStaysAsItWas(Wait wait) throws Throwable {
        Thread thread = started(() -> descend(DEEP, wait::run, 1, 2, 3, 4, 5, 6));
        var onRoomyStack = new FutureTask<>(() -> onOneCarrier(thread, wait));
        new Thread(null, onRoomyStack, "roomy", ROOMY_STACK).start();
        assertTrue(onRoomyStack.get());
        assertFalse(thread.isAlive());
    }

    private static boolean onOneCarrier(Thread thread, Wait wait) throws Exception {
        try {
            assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
            runSlice(thread);
            wait.end(thread);
            awaitRunnable(thread);
            for (int i = 0; i < 2; i++) {
                var narrow = new FutureTask<>(() -> ThreadSwitch.tryBeginWithin(thread));
                new Thread(null, narrow, "small", SMALL_STACK).start();
                assertEquals(Beginning.NO_ROOM, narrow.get());
                assertTrue(ThreadSwitch.mayRunNow(thread));
            }
            assertEquals(Beginning.BEGUN, ThreadSwitch.tryBeginWithin(thread));
            runSlice(thread);
            return true;
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
