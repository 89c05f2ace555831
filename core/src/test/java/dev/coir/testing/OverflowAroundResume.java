package dev.coir.testing;

import dev.coir.coro.Coroutine;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the thread's stack end while coroutines are entered and left at ever deeper levels, so that some overflow strikes
 * inside the JDK's own switching code; then uses the thread as if nothing had been. For CoroutineOverflowTest.
 */
public final class OverflowAroundResume {
    private static int finished;

    private OverflowAroundResume() {}

    /**
     * Prints "survived" when the JVM does.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        onAPlatformThread(OverflowAroundResume::plain);
        onAPlatformThread(OverflowAroundResume::nested);
        Thread.startVirtualThread(OverflowAroundResume::virtual).join();
        System.out.println("survived " + finished);
    }

    private static void onAPlatformThread(Runnable body) throws InterruptedException {
        var thread = new Thread(null, body, "deep", 8 << 20);
        thread.start();
        thread.join();
    }

    private static void plain() {
        for (int round = 0; round < 8; round++) {
            overflow();
            check(!Coroutine.isInside());
            try {
                Coroutine.suspend();
                check(false);
            } catch (IllegalStateException outside) {
                useACoroutine();
            }
        }
        finished++;
    }

    private static void nested() {
        var outer = Coroutine.of(() -> {
            for (int round = 0; round < 8; round++) {
                overflow();
                check(Coroutine.isInside());
                Coroutine.suspend();
                useACoroutine();
            }
        });
        int resumes = 0;
        for (; !outer.isDone(); resumes++) outer.resume();
        check(resumes == 9);
        finished++;
    }

    private static void virtual() {
        for (int round = 0; round < 8; round++) {
            overflow();
            LockSupport.parkNanos(1000);
            useACoroutine();
        }
        finished++;
    }

    private static void overflow() {
        try {
            resumeAtEveryDepth();
            check(false);
        } catch (StackOverflowError expected) {
            return;
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void resumeAtEveryDepth() {
        useACoroutine();
        resumeAtEveryDepth();
    }

    private static void useACoroutine() {
        var co = Coroutine.of(Coroutine::suspend);
        co.resume();
        co.resume();
        check(co.isDone());
    }

    private static void check(boolean holds) {
        if (!holds) throw new AssertionError();
    }
}
