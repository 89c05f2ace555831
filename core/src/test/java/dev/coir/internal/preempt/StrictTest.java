package dev.coir.internal.preempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import dev.coir.coro.Generator;
import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strict mode finds every monitor that is held across a suspension, says where, and leaves everything as it was. */
class StrictTest {
    /** How a bare stack is left, or would be. */
    enum Suspension {
        COROUTINE,
        YIELD,
        SLEEP,
        JOIN;

        void suspend() {
            try {
                switch (this) {
                    case COROUTINE -> Coroutine.suspend();
                    case YIELD -> Fiber.yield();
                    case SLEEP -> Fiber.sleep(Duration.ofNanos(1));
                    case JOIN -> Fiber.go(() -> {}).join(); // on this thread, so it has not run yet
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Runs a body in what this one suspends, to its end. */
        <T> T run(Callable<T> body) throws Exception {
            if (this == COROUTINE) {
                List<T> results = new ArrayList<>();
                var coroutine = Coroutine.of(() -> {
                    try {
                        results.add(body.call());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
                while (!coroutine.isDone()) coroutine.resume();
                return results.getFirst();
            }
            var executor = new ManualExecutor();
            Fiber<T> fiber = Fiber.builder().on(executor).kind(Fiber.Kind.LIGHT).start(body);
            while (!fiber.isDone()) executor.drain();
            return fiber.get();
        }
    }

    private static final ConcurrentHashMap<String, String> MAP = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    private static String refusal(Suspension suspension) {
        return assertThrows(IllegalStateException.class, suspension::suspend).getMessage();
    }

    private synchronized String inSynchronizedMethod(Suspension suspension) {
        return refusal(suspension);
    }

    private static synchronized String inStaticSynchronizedMethod(Suspension suspension) {
        return refusal(suspension);
    }

    private String inSynchronizedBlock(Suspension suspension) {
        synchronized (lock) {
            return refusal(suspension);
        }
    }

    private String underAnOuterFrame(Suspension suspension, int depth) {
        return depth == 0 ? refusal(suspension) : underAnOuterFrame(suspension, depth - 1);
    }

    private void assertNames(String text, String frame, String lockClass) {
        assertTrue(text.contains("StrictTest." + frame + "(StrictTest.java:"), text);
        assertTrue(text.contains("holds the monitor of " + lockClass), text);
        assertTrue(text.contains("; free it before you suspend"), text);
    }

    @Test
    void itIsOnWhereAssertionsAre() {
        assertTrue(Strict.ON);
    }

    @ParameterizedTest
    @EnumSource
    void monitorsAreNamedAndAfterwardsTheStackGoesOn(Suspension suspension) throws Exception {
        List<String> found = suspension.run(() -> {
            List<String> texts = new ArrayList<>();
            texts.add(inSynchronizedMethod(suspension));
            suspension.suspend(); // out of the monitor it may
            texts.add(inSynchronizedBlock(suspension));
            texts.add(inStaticSynchronizedMethod(suspension));
            suspension.suspend();
            synchronized (lock) {
                texts.add(underAnOuterFrame(suspension, 30));
            }
            suspension.suspend();
            return texts;
        });
        assertNames(found.get(0), "inSynchronizedMethod", StrictTest.class.getName() + "@");
        assertNames(found.get(1), "inSynchronizedBlock", "java.lang.Object@");
        assertNames(found.get(2), "inStaticSynchronizedMethod", "class " + StrictTest.class.getName());
        assertTrue(found.get(3).contains("lambda$monitorsAreNamed"), found.get(3));
    }

    /** Compiled code keeps its monitors elsewhere. */
    @ParameterizedTest
    @EnumSource(names = {"COROUTINE", "YIELD"})
    void monitorsOfCompiledFramesAreFoundEachTime(Suspension suspension) throws Exception {
        int rounds = 20_000;
        int found = suspension.run(() -> {
            int refused = 0;
            for (int i = 0; i < rounds; i++) {
                try {
                    synchronized (lock) {
                        suspension.suspend();
                    }
                } catch (IllegalStateException refusal) {
                    refused++;
                }
            }
            return refused;
        });
        assertEquals(rounds, found);
    }

    @Test
    void aMonitorOfTheJdkIsFoundToo() throws Exception {
        String text = Suspension.YIELD.run(() -> {
            return MAP.computeIfAbsent("key", key -> refusal(Suspension.YIELD));
        });
        assertTrue(text.contains("ConcurrentHashMap.computeIfAbsent"), text);
    }

    @Test
    void aMonitorOfWhoResumesIsHisOwnBusiness() {
        var coroutine = Coroutine.of(Coroutine::suspend);
        synchronized (lock) {
            coroutine.resume();
        }
        coroutine.resume();
        assertTrue(coroutine.isDone());
    }

    @Test
    void aFiberMayNotSuspendUnderAMonitorOutsideItsCoroutine() throws Exception {
        for (int i = 0; i < 3_000; i++) { // also when all of it has been compiled
            String text = Suspension.YIELD.run(() -> {
                List<String> texts = new ArrayList<>();
                synchronized (lock) {
                    Coroutine.of(() -> texts.add(refusal(Suspension.YIELD))).resume();
                }
                return texts.getFirst();
            });
            assertTrue(text.contains("cannot suspend this light fiber"), text);
        }
    }

    @Test
    void aGeneratorMayYieldAgainAfterTheRefusal() {
        Generator<Integer> numbers = Generator.of(sink -> {
            synchronized (lock) {
                assertThrows(IllegalStateException.class, () -> sink.yield(1));
            }
            sink.yield(2);
        });
        assertEquals(List.of(2), numbers.stream().toList());
    }

    /** What it does when off is what it always did, so only that it is off is asked here. */
    public static final class PrintsMode {
        private PrintsMode() {}

        public static void main(String[] args) {
            System.out.println("strict: " + Strict.ON);
        }
    }

    private static String mode(String... flags) throws Exception {
        var all = new ArrayList<>(ChildJvm.FLAGS);
        all.addAll(List.of(flags));
        return ChildJvm.run(all, PrintsMode.class).output();
    }

    @Test
    void aFlagOverrulesAssertions() throws Exception {
        assertTrue(mode().contains("strict: false"));
        assertTrue(mode("-ea").contains("strict: true"));
        assertTrue(mode("-Dcoir.strict=true").contains("strict: true"));
        assertTrue(mode("-ea", "-Dcoir.strict=false").contains("strict: false"));
        assertTrue(mode("-Dcoir.strict=yes").contains("coir.strict: yes (expected: true or false)"));
    }
}
