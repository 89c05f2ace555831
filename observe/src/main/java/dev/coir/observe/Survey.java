package dev.coir.observe;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.Pins;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.sched.WorkerNumbers;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Looks at a scheduler once, for one dump. By whoever wants it: any thread, a fiber of that scheduler included. */
final class Survey {
    /*
     *   1. what runs on each thread, and the stack of a LIGHT fiber that runs there: read off its thread
     *   2. the registries of suspended fibers
     *   3. VIRTUAL fibers: the JDK tells their stacks
     *   4. LIGHT fibers: their own threads are asked (Walk), the caller's own thread answers at once
     *   5. waits for the answers, as long as any come
     *
     * S1. What runs is read before the registries. A fiber is entered there before its thread forgets that it ran it; so who
     *     suspended before the dump began is found in one of the two. DumpStormTest attacks it, but the window that the other
     *     order would leave is a few instructions wide, and the test has not been seen to hit it.
     * S2. It never waits for a thread that does not answer for longer than the patience, and answers on behalf of the thread it
     *     stands on while it waits: so two fibers that ask for a dump on each other's thread do not hold each other up. Guarded
     *     by FiberDumpTest.fibersOnAllThreadsAskAtOnce.
     * S3. Nobody is suspended by it but a virtual thread that asks: a LIGHT fiber may ask while it holds a lock of its thread.
     */
    private static final Queue<Walk> ASKED = new ConcurrentLinkedQueue<>(); // of all surveys under way
    private static final long LOOK_AGAIN_NANOS = 500_000;

    private final SchedulerCore core;
    private final long patienceNanos;
    private final Map<Thread, Carrier> carriers = new HashMap<>();
    private final List<WorkerView> workers = new ArrayList<>();
    private final List<FiberView> fibers = new ArrayList<>();
    private final Set<Live> known = new LinkedHashSet<>();
    private final Set<Live> seenRunning = new LinkedHashSet<>(); // those whose view is made

    private Survey(SchedulerCore core, long patienceNanos) {
        this.core = core;
        this.patienceNanos = patienceNanos;
    }

    static FiberDump take(Scheduler scheduler, long patienceNanos) {
        SchedulerCore core = Objects.requireNonNull(SchedulerCore.of(scheduler));
        Instant now = Instant.now();
        String state = core.state().toString();
        var survey = new Survey(core, patienceNanos);
        survey.lookAtThreads();
        survey.known.addAll(core.numbers().suspendedTasks().reversed()); // after what runs: S1. Oldest first
        survey.lookAtFibers();
        survey.fibers.sort(Comparator.comparingLong(FiberView::id));
        return new FiberDump(core.name(), state, now, survey.workers, survey.fibers, queued(core));
    }

    private static long queued(SchedulerCore core) {
        long sum = core.numbers().sharedQueued();
        for (WorkerNumbers each : core.numbers().workers()) sum += each.queued();
        return sum;
    }

    // ---- threads ---------------------------------------------------------------------------------------------------

    private void lookAtThreads() {
        for (Carrier each : core.carriers()) {
            carriers.put(each.thread(), each);
            lookAt(each);
        }
    }

    private void lookAt(Carrier carrier) {
        long slice = carrier.slicesEnded();
        Task task = carrier.running();
        long lasted = task == null ? 0 : carrier.ranForNanos();
        StackTraceElement[] stack =
                task == null || isVirtual(task) ? null : carrier.thread().getStackTrace();
        boolean same = carrier.running() == task && carrier.slicesEnded() == slice;
        if (task instanceof Live fiber) {
            known.add(fiber);
            if (stack != null && same) {
                addRunning(fiber, carrier, stack);
                stack = null;
            }
        }
        workers.add(new WorkerView(
                carrier.group().number(),
                carrier.number(),
                carrier.thread().getName(),
                stateOf(carrier, task),
                Optional.ofNullable(task).map(Survey::nameOf),
                Duration.ofNanos(same ? lasted : 0),
                stack == null || !same || task instanceof Live ? List.of() : Frames.trimmed(stack)));
    }

    private static boolean isVirtual(Task task) {
        return task instanceof Fiber<?> fiber && fiber.kind() == Fiber.Kind.VIRTUAL;
    }

    private static WorkerView.State stateOf(Carrier carrier, @Nullable Task task) {
        if (task != null) return carrier.hasSlot() ? WorkerView.State.RUNS : WorkerView.State.BLOCKED;
        if (carrier.isAsleep()) return WorkerView.State.SLEEPS;
        return carrier.canHandOff() ? WorkerView.State.SEARCHES : WorkerView.State.AWAY;
    }

    private static String nameOf(Task task) {
        if (task instanceof Fiber<?> fiber) return "fiber " + fiber.name() + " #" + fiber.id();
        Runnable command = Tasks.commandOf(task);
        return command == null ? task.toString() : "task " + command.getClass().getName();
    }

    private void addRunning(Live fiber, Carrier carrier, StackTraceElement[] stack) {
        if (!(fiber instanceof Fiber<?> seen)) return;
        seenRunning.add(fiber);
        Fiber.Status status = seen.status();
        // by its thread it runs; that it has ended, or waits, came after
        if (status != Fiber.Status.WAITING && status != Fiber.Status.TIMED_WAITING) status = Fiber.Status.RUNNING;
        fibers.add(view(seen, status, carrier.thread(), stack, null));
    }

    // ---- fibers ----------------------------------------------------------------------------------------------------

    private void lookAtFibers() {
        Map<Carrier, List<Live>> bare = new LinkedHashMap<>();
        for (Live fiber : known) {
            if (seenRunning.contains(fiber) || !(fiber instanceof Fiber<?> each)) continue;
            if (isVirtual(each)) {
                Thread virtual = Party.threadOf(fiber); // none yet if it is just about to begin
                addIfAlive(each, null, virtual == null ? null : virtual.getStackTrace(), null);
                continue;
            }
            Carrier carrier = carrierOf(Party.bareThreadOf(fiber));
            if (carrier == null) addIfAlive(each, null, null, "its thread has ended");
            else bare.computeIfAbsent(carrier, none -> new ArrayList<>()).add(fiber);
        }
        List<Walk> walks = bare.entrySet().stream()
                .map(each -> new Walk(each.getKey(), each.getValue(), Survey::viewOfBare))
                .toList();
        walk(walks);
        for (Walk each : walks) collect(each);
    }

    /** The carrier with a thread; it may have come while the dump was made. */
    private @Nullable Carrier carrierOf(@Nullable Thread thread) {
        if (!carriers.containsKey(thread)) {
            for (Carrier each : core.carriers()) carriers.put(each.thread(), each);
        }
        return carriers.get(thread);
    }

    private void collect(Walk walk) {
        fibers.addAll(walk.views());
        Carrier carrier = walk.carrier();
        Task busyWith = carrier.running();
        String why = "its thread " + carrier.thread().getName() + " did not answer within "
                + Duration.ofNanos(patienceNanos).toMillis() + " ms"
                + (busyWith == null ? "" : ": it is busy with " + nameOf(busyWith));
        for (Live each : walk.unanswered()) addIfAlive((Fiber<?>) each, carrier.thread(), null, why);
    }

    private void addIfAlive(
            Fiber<?> fiber, @Nullable Thread thread, StackTraceElement @Nullable [] stack, @Nullable String missing) {
        Fiber.Status status = fiber.status();
        if (status != Fiber.Status.DONE) fibers.add(view(fiber, status, thread, stack, missing));
    }

    /** What its own thread sees of a LIGHT fiber. */
    private static @Nullable FiberView viewOfBare(Live fiber, StackTraceElement @Nullable [] frames) {
        var each = (Fiber<?>) fiber;
        Fiber.Status status = each.status();
        if (status == Fiber.Status.DONE) return null;
        String missing = frames == null ? "it runs underneath the code that looks" : null;
        return view(each, status, Party.bareThreadOf(fiber), frames, missing);
    }

    private static FiberView view(
            Fiber<?> fiber,
            Fiber.Status status,
            @Nullable Thread thread,
            StackTraceElement @Nullable [] stack,
            @Nullable String missing) {
        return new FiberView(
                fiber.name(),
                fiber.id(),
                fiber.kind(),
                status,
                fiber.isCancelled(),
                fiber.waitReason(),
                Optional.ofNullable(thread).map(Thread::getName),
                stack == null ? List.of() : Frames.trimmed(stack),
                Optional.ofNullable(missing));
    }

    // ---- asking the threads ----------------------------------------------------------------------------------------

    private void walk(List<Walk> walks) {
        if (patienceNanos > 0) ASKED.addAll(walks);
        try {
            for (Walk each : walks) {
                answerHere(each);
                if (patienceNanos > 0 && !each.isAnswered()) each.ask();
            }
            await(walks);
        } finally {
            ASKED.removeAll(walks);
            for (Walk each : walks) each.withdraw();
        }
    }

    /** Answers it if the calling code stands on that thread, also while it does so inside a virtual thread. */
    private static void answerHere(Walk walk) {
        if (Carrier.current() != walk.carrier()) return; // it may be elsewhere at once: looked at again below
        Pins.staying(() -> {
            if (Carrier.current() == walk.carrier()) walk.answer(Long.MAX_VALUE);
        });
    }

    private void await(List<Walk> walks) {
        int answered = total(walks);
        long deadline = System.nanoTime() + patienceNanos;
        boolean interrupted = false;
        while (!walks.stream().allMatch(Walk::isAnswered)) {
            ASKED.forEach(Survey::answerHere); // those of others too: S2
            int now = total(walks);
            if (now != answered) { // they do answer
                answered = now;
                deadline = System.nanoTime() + patienceNanos;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || core.state() == SchedulerCore.State.STOPPED) break;
            LockSupport.parkNanos(this, Math.min(left, LOOK_AGAIN_NANOS));
            interrupted |= Thread.interrupted(); // else it would not park again
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private static int total(List<Walk> walks) {
        return walks.stream().mapToInt(Walk::answered).sum();
    }
}
