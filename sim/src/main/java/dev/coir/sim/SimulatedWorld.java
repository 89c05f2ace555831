package dev.coir.sim;

import dev.coir.fiber.Fiber;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Slice;
import dev.coir.internal.task.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs fibers on one thread, one slice after the other. Whose slice is next, how long it takes and what comes out of every
 * chance is decided by the seed; time passes by steps, and jumps when nobody can run.
 */
final class SimulatedWorld implements Executor, World {
    /*
     * M1. Everything but arrivals belongs to the world's thread.
     * M2. A slice that another thread hands in (the JDK's, for a fiber that got a monitor) is an arrival. Arrivals are taken
     *     only when nothing else can run, so at which moment they came makes no difference.
     */
    private static final int LONGEST_STEP_NANOS = 2_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int STEPS_TO_UNWIND = 100_000;

    private final long seed;
    private final long maxSteps;
    private final Thread thread;
    private final Random random;
    private final Random programs; // another one: what the program draws does not change who runs
    private final Order order;
    private final List<Runnable> ready = new ArrayList<>();
    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Agenda agenda = new Agenda();
    private final Map<Live, String> live = new LinkedHashMap<>(); // with the names that the steps show
    private final Steps steps = new Steps();
    private int named;
    private long now;
    private @Nullable Throwable failure;
    private volatile long stepsSeen; // for those who watch
    private volatile @Nullable Live running; // likewise
    private volatile boolean waitsForArrivals; // likewise
    private volatile boolean toldToStop;

    SimulatedWorld(long seed, long maxSteps, Thread thread) {
        this.seed = seed;
        this.maxSteps = maxSteps;
        this.thread = thread;
        this.random = new Random(seed);
        this.programs = new Random(~seed);
        this.order = Order.of(seed, new Random(seed * 31 + 7));
    }

    // ---- for its fibers --------------------------------------------------------------------------------------------

    @Override
    public void execute(Runnable task) {
        if (JdkAccess.currentCarrierThread() == thread) {
            if (task instanceof Slice(Live of)) live.computeIfAbsent(of, this::named);
            ready.add(task);
        } else {
            arrivals.add(task);
            LockSupport.unpark(thread);
        }
    }

    /** The name it was given, or one that is the same in every run: fibers have numbers that are unique in the JVM. */
    private String named(Live of) {
        named++;
        Fiber<?> fiber = (Fiber<?>) of;
        return fiber.name().equals("fiber-" + fiber.id()) ? "#" + named : fiber.name();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public int chance(int bound) {
        return random.nextInt(bound);
    }

    @Override
    public Runnable at(long deadlineNanos, Runnable action) {
        return agenda.enter(deadlineNanos, action);
    }

    @Override
    public boolean hasOtherThreads() {
        return false;
    }

    @Override
    public void uncaught(Throwable thrown) {
        if (failure == null) failure = thrown;
        else if (failure != thrown) failure.addSuppressed(thrown);
    }

    Random programs() {
        return programs;
    }

    // ---- its thread ------------------------------------------------------------------------------------------------

    /** Runs a program, and all that it starts, to the end. */
    void run(Fiber<?> main) {
        try {
            main.start();
            while (failure == null && !toldToStop && hasReady()) step();
            if (failure == null && main.isDone()) takeOutcome(main);
            if (failure != null) throw new SimulationFailure(failure, report());
            if (!live.isEmpty() && !toldToStop) throw new SimulationFailure(stuck(), report());
        } finally {
            unwind();
        }
    }

    private void takeOutcome(Fiber<?> main) {
        if (main.state() == java.util.concurrent.Future.State.FAILED) uncaught(main.exceptionNow());
    }

    /** Sees to it that somebody can run. @return false when nobody can, and nothing will change that */
    private boolean hasReady() {
        while (true) {
            agenda.doUpTo(now);
            if (!ready.isEmpty() || takeArrivals()) return true;
            long next = agenda.next();
            if (next != Long.MAX_VALUE) now = Math.max(now, next);
            else if (live.isEmpty() || !awaitArrivals()) return false;
        }
    }

    private void step() {
        if (steps.count() >= maxSteps) throw new SimulationFailure(endless(), report());
        int index = order.pick(ready);
        Runnable task = ready.get(index);
        Runnable last = ready.removeLast();
        if (index < ready.size()) ready.set(index, last);
        now += 1 + random.nextInt(LONGEST_STEP_NANOS);
        Live fiber = task instanceof Slice(Live of) ? of : null;
        running = fiber;
        try {
            task.run();
        } catch (Throwable thrown) { // of a plain task
            uncaught(thrown);
        }
        running = null;
        String name = fiber == null ? null : live.get(fiber);
        boolean ended = fiber == null || ((Fiber<?>) fiber).status() == Fiber.Status.DONE;
        steps.add(now, name == null ? "a task" : name, ended ? "ends" : doing((Fiber<?>) fiber));
        stepsSeen = steps.count();
        if (!ended) return;
        live.remove(fiber);
        order.forget(task);
    }

    private static String doing(@Nullable Fiber<?> fiber) {
        if (fiber == null) return "ends";
        String reason = fiber.waitReason().orElse(null);
        if (reason != null) return "waits in " + reason;
        return fiber.status() == Fiber.Status.QUEUED ? "can go on" : "waits";
    }

    // ---- what other threads hand in --------------------------------------------------------------------------------

    private boolean takeArrivals() {
        Runnable task;
        while ((task = arrivals.poll()) != null) execute(task);
        return !ready.isEmpty();
    }

    /** Gives other threads some time, if a fiber waits for something that is not Coir's. @return whether something came */
    private boolean awaitArrivals() {
        if (live.keySet().stream()
                .allMatch(each -> ((Fiber<?>) each).waitReason().isPresent())) return false;
        waitsForArrivals = true;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (arrivals.isEmpty() && !toldToStop) {
            long left = deadline - System.nanoTime();
            if (left <= 0) break;
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) toldToStop = true;
        }
        waitsForArrivals = false;
        return !arrivals.isEmpty();
    }

    // ---- ends ------------------------------------------------------------------------------------------------------

    private String endless() {
        return "no end after " + maxSteps + " steps; if it should take that many, say so: builder().maxSteps(n)";
    }

    private String stuck() {
        var text = new StringBuilder();
        text.append(live.size()).append(live.size() == 1 ? " fiber waits" : " fibers wait");
        text.append(", and nothing in this world can wake them:");
        live.forEach((each, name) -> text.append('\n').append(described((Fiber<?>) each, name)));
        return text.toString();
    }

    private static String described(Fiber<?> fiber, String name) {
        var text = new StringBuilder("  ").append(name).append(": ");
        text.append(fiber.waitReason().orElse("something that is not Coir's"));
        fiber.thread().ifPresent(thread -> {
            if (fiber.waitReason().isEmpty() && thread.getState() == Thread.State.TIMED_WAITING)
                text.append(", in the machine's time (in a simulation, wait by Coir's means: Fiber.sleep)");
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (isOfTheRuntime(frame)) continue;
                text.append("\n      at ").append(frame);
            }
        });
        return text.toString();
    }

    private static boolean isOfTheRuntime(StackTraceElement frame) {
        String owner = frame.getClassName();
        return owner.startsWith("java.")
                || owner.startsWith("jdk.")
                || owner.startsWith("dev.coir.internal.")
                || owner.startsWith("dev.coir.fiber.");
    }

    /** Lets those that are left run to their end, so that their finally blocks do. */
    private void unwind() {
        List.copyOf(live.keySet()).forEach(each -> ((Fiber<?>) each).cancel(true));
        failure = null;
        for (int i = 0; i < STEPS_TO_UNWIND && !live.isEmpty(); i++) {
            agenda.doUpTo(now);
            if (ready.isEmpty() && !takeArrivals()) {
                long next = agenda.next();
                if (next == Long.MAX_VALUE) return;
                now = Math.max(now, next);
            } else {
                stepUnwinding();
            }
        }
    }

    private void stepUnwinding() {
        Runnable task = ready.removeLast();
        try {
            task.run();
        } catch (Throwable late) {
            return; // the run has failed already, and tells why
        }
        if (task instanceof Slice(Live of) && ((Fiber<?>) of).status() == Fiber.Status.DONE) live.remove(of);
    }

    SimulationReport report() {
        return new SimulationReport(seed, steps.count(), Duration.ofNanos(now), steps.fingerprint(), steps.lastLines());
    }

    // ---- those who watch it ----------------------------------------------------------------------------------------

    long stepsSeen() {
        return stepsSeen;
    }

    boolean isWaitingForArrivals() {
        return waitsForArrivals;
    }

    void stop() {
        toldToStop = true;
        LockSupport.unpark(thread);
    }

    /** What runs now, for a step that does not come back. */
    String runningNow() {
        Live fiber = running;
        Thread shown = fiber == null ? thread : ((Fiber<?>) fiber).thread().orElse(thread);
        var text = new StringBuilder();
        for (StackTraceElement frame : shown.getStackTrace())
            text.append("\n      at ").append(frame);
        return text.toString();
    }
}
