package dev.coir.testing;

import dev.coir.coro.Coroutine;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Enters stacks and leaves them while a monitor is held below. For MonitorsBelowTest: where that goes wrong, the JVM crashes. */
public final class MonitorsUnderStacks {
    private static final int ROUNDS = 20_000;

    private MonitorsUnderStacks() {}

    /**
     * Prints "right" when every monitor was held inside its block and not outside.
     *
     * @param args what lies on top, and its kind
     */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "coroutine" -> coroutine();
            case "bound" -> bound(Fiber.Kind.valueOf(args[1]));
            case "task" -> task(Fiber.Kind.valueOf(args[1]));
            case "manual" -> manual(Fiber.Kind.valueOf(args[1]));
            case "below" -> below();
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("right");
        System.exit(0); // fibers still wait
    }

    private static void use(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait();
        }
    }

    private static void ensure(boolean held, Object monitor, int round) {
        if (Thread.holdsLock(monitor) == held) return;
        System.out.println("round " + round + ": " + (held ? "not held inside" : "held outside"));
        System.exit(1);
    }

    private static void collectNowAndThen(int round) {
        if (round % 5_000 == 0) System.gc();
    }

    private static void coroutine() {
        for (int round = 0; round < ROUNDS; round++) {
            var coroutine = Coroutine.of(() -> {
                for (int i = 0; i < 3; i++) {
                    Coroutine.suspend();
                    use(new Object());
                }
            });
            var outer = new Object();
            var inner = new Object();
            synchronized (outer) {
                coroutine.resume();
                synchronized (inner) {
                    coroutine.resume();
                    ensure(true, inner, round);
                }
                ensure(true, outer, round);
            }
            synchronized (inner) {
                coroutine.resume();
                coroutine.resume();
            }
            ensure(false, outer, round);
            collectNowAndThen(round);
        }
    }

    /** A fiber that answers for ever, and holds monitors of its own in between. */
    private static void startAnswering(Fiber.Builder fibers, Semaphore there, Semaphore back) {
        fibers.start(() -> {
            while (true) {
                there.acquire();
                use(new Object());
                back.release();
            }
        });
    }

    private static void ask(Semaphore there, Semaphore back) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            var monitor = new Object();
            there.release();
            synchronized (monitor) {
                if (round % 3 == 0) back.acquire();
                else {
                    synchronized (new Object()) {
                        back.acquire();
                    }
                }
                ensure(true, monitor, round);
            }
            ensure(false, monitor, round);
            collectNowAndThen(round);
        }
    }

    @SuppressWarnings("resource") // it could not be closed: a fiber is bound to this thread for ever
    private static void bound(Fiber.Kind kind) throws Exception {
        Scheduler scheduler = Scheduler.builder().workers(0).start();
        scheduler.bind();
        var there = new Semaphore(0);
        var back = new Semaphore(0);
        startAnswering(Fiber.builder().on(scheduler).kind(kind), there, back);
        ask(there, back);
    }

    private static void task(Fiber.Kind kind) throws Exception {
        Scheduler scheduler = Scheduler.start(1);
        var there = new Semaphore(0);
        var back = new Semaphore(0);
        var done = new Semaphore(0);
        scheduler.execute(() -> {
            startAnswering(Fiber.builder().on(scheduler).kind(kind).local(true), there, back);
            try {
                ask(there, back);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            done.release();
        });
        done.acquire();
    }

    private static void manual(Fiber.Kind kind) {
        var executor = new ManualExecutor();
        var stop = new AtomicBoolean();
        Fiber.builder().on(executor).kind(kind).start(() -> {
            while (!stop.get()) {
                use(new Object());
                Fiber.yield();
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            var monitor = new Object();
            synchronized (monitor) {
                executor.runNext();
                ensure(true, monitor, round);
            }
            ensure(false, monitor, round);
            collectNowAndThen(round);
        }
        stop.set(true);
        executor.drain();
    }

    /** Two LIGHT fibers that wait with a monitor held, which they must not; but only they are to suffer. */
    private static void below() throws Exception {
        Scheduler scheduler = Scheduler.start(1);
        var there = new Semaphore(0);
        var back = new Semaphore(0);
        var fibers = Fiber.builder().on(scheduler).kind(Fiber.Kind.LIGHT);
        fibers.start(() -> {
            while (true) {
                synchronized (new Object()) {
                    there.acquire();
                }
                back.release();
            }
        });
        fibers.start(() -> {
                    ask(there, back);
                    return true;
                })
                .get();
    }
}
