package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Event;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Starts so many fibers over strands that the JIT takes that for the common case; then one of them is woken where a stack ends. */
public final class WakeAtTheEnd {
    private static final int UNTIL_COMPILED = 20_000;
    private static final int LEVELS = 500;

    private WakeAtTheEnd() {}

    /**
     * Prints "woken", or what it is that waits still.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        ClassLoader.getSystemResource("java/lang/Object.class"); // the JDK must not initialize this where a stack ends
        try (var scheduler = Scheduler.start(1)) {
            Strand strand = Strand.over(scheduler);
            for (int i = 0; i < UNTIL_COMPILED; i++)
                Fiber.builder().on(strand).start(() -> {}).join();

            Event event = Event.auto();
            var enough = new AtomicBoolean();
            Fiber<?> woken = Fiber.builder().on(strand).start(() -> {
                while (!enough.get()) event.await();
                return null;
            });
            signalAtTheEnd(event);
            enough.set(true);
            event.signal();
            event.signal();
            try {
                woken.get(10, TimeUnit.SECONDS);
                System.out.println("woken");
            } finally {
                if (!woken.isDone()) System.out.println(woken + ", " + event);
            }
        }
    }

    private static void signalAtTheEnd(Event event) throws Exception {
        var task = new FutureTask<>(() -> {
            event.signal();
            atEveryDepth(event); // while the JIT knows only those who start
            for (int i = 0; i < UNTIL_COMPILED; i++) event.signal();
            return atEveryDepth(event);
        });
        new Thread(null, task, "deep", 256 << 10).start();
        task.get();
    }

    /** Goes down to the end and signals on the way back. @return how many levels above the end it is */
    @SuppressWarnings("InfiniteRecursion")
    private static int atEveryDepth(Event event) {
        int above;
        try {
            above = atEveryDepth(event) + 1;
        } catch (StackOverflowError end) {
            above = 0;
        }
        try {
            if (above < LEVELS) event.signal();
        } catch (StackOverflowError tooDeep) {
            return above;
        }
        return above;
    }
}
