package dev.coir.observe;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A scheduler under test; one without workers has a bound thread that works for it. At the end nothing may be left. */
final class Ground implements AutoCloseable {
    final Scheduler scheduler;
    final Latch gate = new Latch(1); // for fibers that are to wait
    final AtomicBoolean stop = new AtomicBoolean(); // for fibers that are to go on until they are told
    private final Latch enough = new Latch(1);
    private final Thread bound;
    private final List<Fiber<?>> fibers = new ArrayList<>(); // the test's thread only

    Ground(int workers) {
        this(Scheduler.builder().workers(workers), workers);
    }

    Ground(Scheduler.Builder settings, int workers) {
        scheduler = settings.start();
        bound = workers == 0 ? Thread.ofPlatform().name("bound").start(this::workForIt) : null;
    }

    private void workForIt() {
        try (var binding = scheduler.bind()) {
            enough.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    <T> Fiber<T> start(Fiber.Kind kind, String name, Callable<T> body) {
        Fiber<T> fiber = Fiber.builder().on(scheduler).kind(kind).name(name).start(body);
        fibers.add(fiber);
        return fiber;
    }

    /** Starts a fiber that waits at the gate, and returns when it does. */
    Fiber<?> park(Fiber.Kind kind, String name) {
        Fiber<?> fiber = start(kind, name, this::waitAtTheGate);
        await(() -> fiber.status() == Fiber.Status.WAITING);
        return fiber;
    }

    Object waitAtTheGate() throws InterruptedException {
        gate.await();
        return this;
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) Thread.onSpinWait();
    }

    static FiberView view(FiberDump dump, String name) {
        return dump.fibers().stream()
                .filter(each -> each.name().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError("no fiber " + name + " in " + dump));
    }

    static boolean shows(FiberView fiber, String method) {
        return fiber.stack().stream().anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Override
    public void close() throws Exception {
        stop.set(true);
        gate.countDown();
        for (Fiber<?> each : fibers) {
            try {
                each.get();
            } catch (ExecutionException | CancellationException expected) {
                // the test's own business
            }
        }
        enough.countDown();
        if (bound != null) bound.join();
        scheduler.close();
        FiberDump after = FiberDump.of(scheduler);
        if (!after.fibers().isEmpty() || !after.state().equals("STOPPED")) throw new AssertionError("left: " + after);
    }
}
