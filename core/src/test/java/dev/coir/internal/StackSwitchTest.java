package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Stacks that are entered and left by the JDK and by Coir in turn. */
class StackSwitchTest {
    private static final Stack.Kind KIND = new Stack.Kind("test");
    private static final int MANY = 3 * 256 + 1; // more than once through a frame of its own: S4

    private static final class TestStack extends Stack {
        TestStack(Runnable body) {
            super(KIND, body, false);
        }
    }

    private static Runnable counting(AtomicInteger count, int times) {
        return () -> {
            for (int i = 0; i < times; i++) {
                count.incrementAndGet();
                Stack.leave(KIND);
            }
        };
    }

    @Test
    void aStackIsEnteredAsOftenAsItIsLeft() {
        JdkAccess.ensureOpen();
        for (int round = 0; round < 200; round++) { // also when it has been compiled
            var count = new AtomicInteger();
            var stack = new TestStack(counting(count, MANY));
            for (int i = 1; i <= MANY; i++) {
                stack.enter();
                assertEquals(i, count.get());
                assertNull(Stack.top());
            }
            stack.enter();
            assertTrue(stack.isDone());
        }
    }

    @Test
    void aStackMayBeEnteredInsideAnotherAndOutsideByTurns() { // S2
        for (int round = 0; round < 50; round++) {
            var count = new AtomicInteger();
            var inner = new TestStack(counting(count, MANY));
            var outer = new TestStack(() -> {
                for (int i = 0; i < MANY / 2; i++) {
                    inner.enter(); // the JDK's way, for this one lies underneath
                    Stack.leave(KIND);
                }
            });
            for (int i = 0; i < MANY / 2; i++) {
                outer.enter();
                assertEquals(2 * i + 1, count.get());
                inner.enter(); // the short way
                assertEquals(2 * i + 2, count.get());
            }
            outer.enter();
            assertTrue(outer.isDone());
            while (!inner.isDone()) inner.enter();
            assertEquals(MANY, count.get());
        }
    }

    @Test
    void aFiberMaySuspendFromInsideACoroutine() throws Exception { // S2: entered by Coir, left by the JDK
        try (var scheduler = Scheduler.start(1)) {
            List<Fiber<Integer>> fibers = new ArrayList<>();
            for (int k = 0; k < 4; k++) {
                fibers.add(Fiber.builder().on(scheduler).kind(Fiber.Kind.LIGHT).start(() -> {
                    var count = new AtomicInteger();
                    var coroutine = Coroutine.of(() -> {
                        for (int i = 0; i < MANY; i++) {
                            Fiber.yield();
                            count.incrementAndGet();
                            Coroutine.suspend();
                        }
                    });
                    while (!coroutine.isDone()) {
                        coroutine.resume();
                        Fiber.yield();
                    }
                    return count.get();
                }));
            }
            for (Fiber<Integer> each : fibers) assertEquals(MANY, each.get());
        }
    }

    @Test
    void theFramesOfALeftStackCanBeWalked() {
        var stack = new TestStack(() -> {
            for (int i = 0; i < MANY; i++) aFrameToBeFound();
        });
        for (int i = 0; i < MANY; i++) {
            stack.enter();
            StackTraceElement[] frames = stack.suspendedFrames();
            assertNotNull(frames);
            assertTrue(
                    Arrays.stream(frames).anyMatch(each -> each.getMethodName().equals("aFrameToBeFound")),
                    () -> Arrays.toString(frames));
        }
        stack.enter();
        assertNull(stack.suspendedFrames());
    }

    private static void aFrameToBeFound() {
        Stack.leave(KIND);
    }

    @Test
    void aStackThatCannotBeLeftRunsOn() {
        var refused = new AtomicInteger();
        var stack = new TestStack(() -> {
            for (int i = 0; i < MANY; i++) {
                jdk.internal.vm.Continuation.pin();
                try {
                    var refusal = assertThrows(IllegalStateException.class, () -> Stack.leave(KIND));
                    assertTrue(refusal.getMessage().contains("critical section"), refusal::getMessage);
                    refused.incrementAndGet();
                } finally {
                    jdk.internal.vm.Continuation.unpin();
                }
                Stack.leave(KIND);
            }
        });
        for (int i = 1; i <= MANY; i++) {
            stack.enter();
            assertEquals(i, refused.get());
        }
        stack.enter();
        assertTrue(stack.isDone());
    }

    @Test
    void whatABodyThrowsComesOutAndTheThreadIsFreeAgain() {
        for (int i = 0; i < MANY; i++) {
            var failing = new TestStack(() -> {
                Stack.leave(KIND);
                throw new IllegalArgumentException("thrown");
            });
            failing.enter();
            assertThrows(IllegalArgumentException.class, failing::enter);
            assertTrue(failing.isDone());
            assertNull(JdkAccess.innermostContinuation());
        }
    }
}
