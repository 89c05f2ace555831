package dev.coir.sim;

import dev.coir.fiber.Fiber;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Slice;
import dev.coir.internal.task.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
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
     * M2. A slice that another thread hands in (the JDK's, for a fiber that may try for a monitor) is an arrival. Arrivals
     *     are taken only when nothing else can run, and then all that a monitor's release has caused so far, also those
     *     that the JDK still has in hand. So at which real moment they came makes no difference.
     *     Guarded by ReplayTest.
     * M3. Those who become able to run in one step are put in order by their numbers. So it makes no difference in which
     *     order the step woke them: that may be by chance, when they stood in a hash table. Guarded by ReplayTest.
     */

    /** A fiber that has begun and not ended. The number is that of its start; the name is for the steps. */
    private record Member(int number, String name) {}

    private static final int LONGEST_STEP_NANOS = 2_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int STEPS_TO_UNWIND = 100_000;
    private static final long LAST_MOMENT = Long.MAX_VALUE - TimeUnit.DAYS.toNanos(365);

    private final long seed;
    private final long maxSteps;
    private final Thread thread;
    private final Random random;
    private final Random programs; // another one: what the program draws does not change who runs
    private final Order order;
    private final List<Runnable> woken = new ArrayList<>(); // not put in order yet
    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Agenda agenda = new Agenda();
    private final Map<Live, Member> live = new LinkedHashMap<>();
    private final Set<Live> abroad =
            new LinkedHashSet<>(); // of the living, those who wait for something that is not Coir's
    private final Unblocker unblocker = new Unblocker();
    private final Steps steps = new Steps();
    private final Object stopping = new Object(); // held by who stops this world, until what it cancelled is handed in
    private int begun;
    private long now;
    private @Nullable Throwable failure;
    private volatile long stepsSeen; // for those who watch
    private volatile @Nullable Live running; // likewise
    private volatile boolean waitsForArrivals; // likewise
    private volatile boolean toldToStop;
    private volatile boolean ended; // what is handed in from now on is for nobody
    private volatile @Nullable SimulationFailure verdict;

    SimulatedWorld(long seed, long maxSteps, Thread thread) {
        this.seed = seed;
        this.maxSteps = maxSteps;
        this.thread = thread;
        var seeds = new SplittableRandom(
                seed); // the first numbers of Random are much alike for seeds that follow each other
        this.random = new Random(seeds.nextLong());
        this.programs = new Random(seeds.nextLong());
        this.order = Order.of(seed, new Random(seeds.nextLong()));
    }

    // ---- for its fibers --------------------------------------------------------------------------------------------

    @Override
    public void execute(Runnable task) {
        if (JdkAccess.currentCarrierThread() == thread) {
            if (task instanceof Slice(Live of)) {
                live.computeIfAbsent(of, this::member);
                abroad.remove(of);
            }
            woken.add(task);
        } else if (!ended) {
            arrivals.add(task);
            LockSupport.unpark(thread);
        }
    }

    /** The name it was given, or one that is the same in every run: fibers have numbers that are unique in the JVM. */
    private Member member(Live of) {
        begun++;
        Fiber<?> fiber = (Fiber<?>) of;
        return new Member(begun, fiber.name().equals("fiber-" + fiber.id()) ? "#" + begun : fiber.name());
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
        if (deadlineNanos < 0 || deadlineNanos > LAST_MOMENT) { // below zero: beyond Long.MAX_VALUE
            uncaught(new IllegalStateException("the clock of a simulation ends after 291 years; now: "
                    + Duration.ofNanos(now).toDays() / 365 + " years"));
        }
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

    /** Runs a program, and all that it starts, to the end. What it throws goes to {@link #uncaught}. */
    void run(Fiber<?> main) {
        try {
            main.start();
            while (failure == null && !toldToStop && hasReady()) step();
            if (failure != null) verdict = new SimulationFailure(failure, report());
            else if (!live.isEmpty() && !toldToStop) verdict = new SimulationFailure(stuck(), report());
        } catch (SimulationFailure endless) {
            verdict = endless;
        } catch (Throwable broken) {
            verdict = new SimulationFailure(broken, report());
        } finally {
            unwind();
            ended = true;
            arrivals.clear();
        }
    }

    /** Sees to it that somebody can run. @return false when nobody can, and nothing will change that */
    private boolean hasReady() {
        while (true) {
            agenda.doUpTo(now);
            putInOrder();
            if (!order.isEmpty() || takeArrivals()) return true;
            long next = agenda.next();
            if (next != Long.MAX_VALUE) now = Math.max(now, next);
            else if (live.isEmpty() || !awaitArrivals()) return false;
        }
    }

    /** M3. */
    private void putInOrder() {
        if (woken.size() > 1) woken.sort(Comparator.comparingInt(this::numberOf));
        woken.forEach(order::add);
        woken.clear();
    }

    private int numberOf(Runnable task) {
        Member member = task instanceof Slice(Live of) ? live.get(of) : null;
        return member == null ? Integer.MAX_VALUE : member.number(); // plain tasks stay as they came
    }

    private void step() {
        if (steps.count() >= maxSteps) throw new SimulationFailure(endless(), report());
        Runnable task = order.take();
        now += 1 + random.nextInt(LONGEST_STEP_NANOS);
        Live fiber = task instanceof Slice(Live of) ? of : null;
        running = fiber;
        try {
            task.run();
        } catch (Throwable thrown) { // of a plain task
            uncaught(thrown);
        }
        running = null;
        if (fiber == null) Thread.interrupted(); // a task may leave that behind, and it is nobody else's
        Member member = fiber == null ? null : live.get(fiber);
        boolean over = fiber == null || ((Fiber<?>) fiber).status() == Fiber.Status.DONE;
        steps.add(now, member == null ? "a task" : member.name(), over ? "ends" : doing((Fiber<?>) fiber));
        stepsSeen = steps.count();
        if (!over) {
            if (isAbroad((Fiber<?>) fiber)) abroad.add(fiber);
        } else {
            if (fiber != null) live.remove(fiber);
            order.forget(task);
        }
    }

    private static String doing(@Nullable Fiber<?> fiber) {
        if (fiber == null) return "ends";
        String reason = fiber.waitReason().orElse(null);
        if (reason != null) return "waits in " + reason;
        return fiber.status() == Fiber.Status.QUEUED ? "can go on" : "waits";
    }

    private static boolean isAbroad(@Nullable Fiber<?> fiber) {
        return fiber != null
                && fiber.kind() == Fiber.Kind.VIRTUAL
                && fiber.waitReason().isEmpty()
                && fiber.status() != Fiber.Status.QUEUED;
    }

    // ---- what other threads hand in --------------------------------------------------------------------------------

    /** M2. */
    private boolean takeArrivals() {
        if (abroad.stream().anyMatch(SimulatedWorld::mayHaveComeFromAMonitor)) unblocker.settle();
        Runnable task;
        while ((task = arrivals.poll()) != null) execute(task);
        putInOrder();
        return !order.isEmpty();
    }

    /** It waits for a monitor; or it does not any more, and the JDK has not handed it in yet. */
    private static boolean mayHaveComeFromAMonitor(Live fiber) {
        Thread.State state = ((Fiber<?>) fiber).thread().orElseThrow().getState();
        return state == Thread.State.BLOCKED || state == Thread.State.RUNNABLE;
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
            Thread.interrupted(); // nobody has a reason for one
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
        live.forEach((each, member) -> text.append('\n').append(described((Fiber<?>) each, member.name())));
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

    /** Lets those that are left run to their end, in turns, so that their finally blocks do. */
    private void unwind() {
        List.copyOf(live.keySet()).forEach(each -> ((Fiber<?>) each).cancel(true));
        failure = null;
        var turns = new ArrayDeque<Runnable>();
        while (!order.isEmpty()) turns.add(order.take());
        for (int i = 0; i < STEPS_TO_UNWIND && !live.isEmpty(); i++) {
            agenda.doUpTo(now);
            putInOrder();
            if (order.isEmpty() && turns.isEmpty()) takeArrivals();
            while (!order.isEmpty()) turns.add(order.take());
            if (!turns.isEmpty()) {
                stepUnwinding(turns.remove());
                stepsSeen = steps.count() + i + 1;
                continue;
            }
            long next = agenda.next();
            if (next != Long.MAX_VALUE) now = Math.max(now, next);
            else if (!stopHasHandedIn()) return;
        }
    }

    /** Who stops this world cancels what runs, and may be about to hand it in. */
    private boolean stopHasHandedIn() {
        synchronized (stopping) {
            return takeArrivals();
        }
    }

    private void stepUnwinding(Runnable task) {
        Live fiber = task instanceof Slice(Live of) ? of : null;
        running = fiber;
        try {
            task.run();
        } catch (Throwable late) {
            return; // the run has failed already, and tells why
        } finally {
            running = null;
        }
        if (fiber == null) return;
        if (((Fiber<?>) fiber).status() == Fiber.Status.DONE) live.remove(fiber);
        else if (isAbroad((Fiber<?>) fiber)) abroad.add(fiber);
    }

    SimulationReport report() {
        return new SimulationReport(seed, steps.count(), Duration.ofNanos(now), steps.fingerprint(), steps.lastLines());
    }

    // ---- those who watch it ----------------------------------------------------------------------------------------

    long stepsSeen() {
        return stepsSeen;
    }

    /** Why it failed, as soon as that is known: those who are left may still be unwinding. */
    @Nullable
    SimulationFailure verdict() {
        return verdict;
    }

    boolean isWaitingForArrivals() {
        return waitsForArrivals;
    }

    /** Ends it soon: a step that blocks is interrupted, and no other begins. */
    void stop() {
        toldToStop = true;
        synchronized (stopping) {
            Fiber<?> blocked = (Fiber<?>) running;
            if (blocked != null) {
                blocked.cancel(true);
                if (blocked.kind() == Fiber.Kind.LIGHT) thread.interrupt(); // its blocking calls are made there
            }
        }
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
