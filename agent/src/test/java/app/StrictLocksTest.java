package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.coro.Coroutine;
import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the agent, strict mode also knows the locks of java.util.concurrent that are held across a suspension. */
class StrictLocksTest {
    static Stream<Lock> locks() {
        var readWrite = new ReentrantReadWriteLock();
        return Stream.of(new ReentrantLock(), readWrite.writeLock(), readWrite.readLock());
    }

    private static String refusalUnder(Lock lock, Runnable suspension) {
        lock.lock();
        try {
            return assertThrows(IllegalStateException.class, suspension::run).getMessage();
        } finally {
            lock.unlock();
        }
    }

    private static void assertNames(String text, Lock lock) {
        assertTrue(text.contains("app.StrictLocksTest.refusalUnder(StrictLocksTest.java:"), text);
        assertTrue(text.contains(lock.getClass().getName()), text);
    }

    @ParameterizedTest
    @MethodSource("locks")
    void aLightFiberIsRefusedAndGoesOn(Lock lock) throws Exception {
        var executor = new ManualExecutor();
        Fiber<String> fiber = Fiber.builder()
                .on(executor)
                .kind(Fiber.Kind.LIGHT)
                .start(() -> {
                    String text = refusalUnder(lock, Fiber::yield);
                    Fiber.yield();
                    return text;
                });
        executor.drain();
        assertNames(fiber.get(), lock);
    }

    @ParameterizedTest
    @MethodSource("locks")
    void aCoroutineIsRefusedAndGoesOn(Lock lock) {
        String[] text = new String[1];
        var coroutine = Coroutine.of(() -> {
            text[0] = refusalUnder(lock, Coroutine::suspend);
            Coroutine.suspend();
        });
        coroutine.resume();
        coroutine.resume();
        assertTrue(coroutine.isDone());
        assertNames(text[0], lock);
    }

    @Test
    void aLockOfWhoResumesIsHisOwnBusiness() {
        var lock = new ReentrantLock();
        var coroutine = Coroutine.of(Coroutine::suspend);
        lock.lock();
        coroutine.resume();
        lock.unlock();
        coroutine.resume();
        assertTrue(coroutine.isDone());
    }

    @Test
    void aVirtualFiberMaySuspendUnderALock() throws Exception {
        var lock = new ReentrantLock();
        var executor = new ManualExecutor();
        var fiber = Fiber.go(executor, () -> {
            lock.lock();
            Fiber.yield();
            lock.unlock();
            return 7;
        });
        executor.drain();
        assertEquals(7, fiber.get());
    }
}
