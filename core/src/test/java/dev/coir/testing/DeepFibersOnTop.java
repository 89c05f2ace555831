package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.WaitGroup;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;

/** Fibers with deep stacks, and threads that wait where those do not fit on top of their own. For BoundStackTest. */
public final class DeepFibersOnTop {
    private static final int DEEP = 6_000; // some 400 KiB, compiled or not; the JVM saves no stacks of many megabytes
    private static final int SOME_LEVELS = 256; // a try at each would take minutes
    private static final long BUSY_NANOS = 300_000_000;
    private static final int TURNS = 200;

    private DeepFibersOnTop() {}

    /**
     * Prints what came out, if the JVM lives to tell.
     *
     * @param args the name of a method below
     */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "anotherThreadRunsIt" -> inThread(320 << 10, DeepFibersOnTop::anotherThreadRunsIt);
            case "whoWaitsTooDeepIsTold" ->
                inThread(
                        64 << 20,
                        () -> whoWaitsTooDeepIsTold(Fiber.Kind.valueOf(args[1]), args[2].equals("0") ? 0 : 1));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void inThread(long stackBytes, IntSupplier body) throws InterruptedException {
        var thread = new Thread(null, () -> System.out.println(body.getAsInt()), "waiting", stackBytes);
        thread.start();
        thread.join();
    }

    /** A fiber has become deep on a worker's large stack; then that worker is busy, and a thread with a small stack works. */
    private static int anotherThreadRunsIt() {
        try (var scheduler =
                Scheduler.builder().workers(1).workerStackSize(4 << 20).start()) {
            var atTheBottom = new CountDownLatch(1);
            var gate = new WaitGroup();
            gate.add(1);
            Fiber<Integer> deep = Fiber.go(
                    scheduler,
                    () -> descend(DEEP, () -> {
                        atTheBottom.countDown();
                        await(gate);
                        return 0;
                    }));
            await(atTheBottom);
            var busy = new CountDownLatch(1);
            scheduler.execute(() -> {
                busy.countDown();
                long end = System.nanoTime() + BUSY_NANOS;
                while (System.nanoTime() - end < 0) Thread.onSpinWait();
            });
            await(busy);
            try (var binding = scheduler.bind()) {
                gate.done();
                return deep.join();
            }
        }
    }

    /** A fiber that only the waiting thread can run has become deep there, and then the thread waits at the end of its stack. */
    private static int whoWaitsTooDeepIsTold(Fiber.Kind kind, int workers) {
        try (var scheduler = Scheduler.builder()
                        .workers(workers)
                        .workerStackSize(4 << 20)
                        .start();
                var binding = scheduler.bind()) {
            var enough = new boolean[1];
            Fiber<Integer> deep = Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .local(true)
                    .start(() -> descend(DEEP, () -> {
                        while (!enough[0]) Fiber.yield();
                        return 0;
                    }));
            Fiber<Void> first = Fiber.builder().on(scheduler).local(true).start(() -> {
                for (int i = 0; i < TURNS; i++) Fiber.yield();
            });
            first.join();
            int told = waitAtTheEnd(deep, Integer.MAX_VALUE);
            enough[0] = true;
            return deep.join() + told;
        }
    }

    /** Waits as deep as that can be begun at all. @return 1 if it was refused with our sentence, -1 if it was not */
    private static int waitAtTheEnd(Fiber<?> fiber, int levels) {
        try {
            if (levels > 0) return waitAtTheEnd(fiber, levels - 1);
        } catch (StackOverflowError end) { // further down there was no room to begin
            if (levels % SOME_LEVELS != 0) throw end;
        }
        try {
            fiber.join();
            return -1;
        } catch (StackOverflowError end) {
            if (end.getMessage() != null && end.getMessage().contains("wait less deep")) return 1;
            throw end;
        }
    }

    private static int descend(int levels, IntSupplier atTheBottom) {
        return levels == 0 ? atTheBottom.getAsInt() : descend(levels - 1, atTheBottom) + 1;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(WaitGroup group) {
        try {
            group.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
