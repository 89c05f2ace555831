package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What is read from the JVM's own thread object is what the test knows to be so. */
@EnabledOnOs(OS.LINUX)
class VmThreadTest {
    private static VmThread here; // for the class initialisers below

    /** Asks while it is initialised. */
    private static final class Asking {
        static final boolean ANSWER = here.isInNativeCall();
    }

    /** Suspends a coroutine around it: that is refused where a native frame lies between. */
    private static final class Suspending {
        static final boolean REFUSED = isRefused(Coroutine::suspend);
    }

    /** To be called first by each test: it has a thread of its own. */
    private static void beHere() {
        here = VmThread.current();
        assertNotNull(here, "this JVM does not tell");
    }

    private static boolean isRefused(Runnable suspension) {
        try {
            suspension.run();
            return false;
        } catch (IllegalStateException pinned) {
            return true;
        }
    }

    private static int deep(int levels, Callable<Integer> bottom) throws Exception {
        return levels == 0 ? bottom.call() : deep(levels - 1, bottom);
    }

    @Test
    void javaCodeIsNoNativeCallHoweverDeepOrReflected() throws Exception {
        beHere();
        assertFalse(here.isInNativeCall());
        assertEquals(0, deep(500, () -> here.isInNativeCall() ? 1 : 0));
        var asks = VmThread.class.getMethod("isInNativeCall");
        for (int i = 0; i < 100; i++) assertEquals(false, asks.invoke(here));
        assertFalse(here.isInNativeCall());
    }

    @Test
    void aClassInitialiserIsANativeCallAndItsEndIsSeen() {
        beHere();
        assertTrue(Asking.ANSWER);
        assertFalse(here.isInNativeCall());
    }

    /** The JDK's own judgement, which takes longer. */
    @Test
    void theJdkRefusesToSaveFramesThere() {
        boolean[] found = new boolean[1];
        var coroutine = Coroutine.of(() -> found[0] = Suspending.REFUSED);
        coroutine.resume();
        assertTrue(found[0]);
    }

    @Test
    void innerContinuationsBeginFurtherDown() {
        beHere();
        long[] entries = new long[3];
        entries[0] = here.innermostEntry();
        var outer = Coroutine.of(() -> {
            entries[1] = here.innermostEntry();
            var inner = Coroutine.of(() -> entries[2] = here.innermostEntry());
            inner.resume();
            assertEquals(entries[1], here.innermostEntry());
        });
        outer.resume();
        assertEquals(0, entries[0]);
        assertTrue(entries[2] < entries[1], () -> entries[2] + ", " + entries[1]);
        assertTrue(entries[1] - entries[2] < 100_000, () -> entries[2] + ", " + entries[1]);
        assertEquals(0, here.innermostEntry());
    }

    @Test
    void monitorsAreListedAsLongAsNobodyElseWantsThem() {
        beHere();
        var monitor = new Object();
        assertFalse(here.listsMonitors());
        synchronized (monitor) {
            assertTrue(here.listsMonitors());
            MonitorsBelow.settle();
            assertFalse(here.listsMonitors());
            assertTrue(Thread.holdsLock(monitor));
        }
        assertFalse(Thread.holdsLock(monitor));
        assertFalse(here.listsMonitors());
    }

    @Test
    void settlingKeepsAnInterruptAndMakesNone() {
        for (boolean interrupted : new boolean[] {false, true}) {
            var monitor = new Object();
            synchronized (monitor) {
                if (interrupted) Thread.currentThread().interrupt();
                MonitorsBelow.settle();
                assertEquals(interrupted, Thread.interrupted());
            }
        }
    }

    @Test
    void aVirtualThreadHasNone() throws Exception {
        var asked = new FutureTask<>(VmThread::current);
        Thread.ofVirtual().start(asked);
        assertNull(asked.get());
    }
}
