package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.ShownThreads;
import dev.coir.internal.Stack;
import dev.coir.internal.StackRoom;
import dev.coir.internal.ThreadSwitch;
import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.internal.trace.Tracing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scheduler: its groups, how tasks get into them, and whom to ask for the rest. The public face is {@code dev.coir.executor.Scheduler}. */
public final class SchedulerCore {
    /** The life of a scheduler; {@code Closing} moves it. */
    public enum State {
        /** Takes new tasks. */
        OPEN,
        /** Finishes what there is. */
        CLOSING,
        /** Its threads have been told to end. */
        STOPPED
    }

    private static volatile Function<Executor, @Nullable SchedulerCore> ofExecutor = executor -> null;

    final String name;
    final boolean sharedQueueOnly;
    final int runQueueCapacity;
    final int stealEvery;
    final int crossNodeStealEvery;
    final long workerStackSize;
    final int maxSpares;
    final long spareKeepAliveNanos;
    final AtomicInteger spares = new AtomicInteger(); // threads beyond the slots
    final ThreadGroup threads;
    final Group[] groups;
    final Object lock = new Object(); // bindings
    final AllGroups all;
    final Numbers numbers;
    final Idleness idleness = new Idleness(this);
    final Bindings bindings = new Bindings(this);
    final DelayedTasks delayed = new DelayedTasks(this);
    final ShownThreads shown;
    final @Nullable Monitor monitor; // null when there are no threads to look after
    private final Closing closing = new Closing(this);
    private final SchedulerConfig config;
    private final AtomicInteger nextGroup = new AtomicInteger();
    volatile State state = State.OPEN; // written by Closing; here because it is read after every slice
    volatile boolean cancelling; // likewise; read whenever a fiber begins
    private volatile boolean exhaustionReported; // once is enough
    private volatile @Nullable Executor owner; // the public scheduler; set once

    /**
     * Starts a scheduler.
     *
     * @param config what it is to be like
     */
    public SchedulerCore(SchedulerConfig config) {
        JdkAccess.ensureOpen();
        this.config = config;
        this.name = config.name();
        this.sharedQueueOnly = config.sharedQueueOnly();
        this.runQueueCapacity = config.runQueueCapacity();
        this.stealEvery = config.stealEvery();
        this.crossNodeStealEvery = config.crossNodeStealEvery();
        this.workerStackSize = config.workerStackSize();
        this.maxSpares = config.maxSpareCarriers();
        this.spareKeepAliveNanos = config.spareKeepAlive().toNanos();
        this.threads = new ThreadGroup(name);
        this.groups = new Group[config.groups()];
        this.numbers = new Numbers(groups);
        this.all = new AllGroups(groups, numbers);
        for (int i = 0; i < groups.length; i++) {
            int share = config.workers() / groups.length + (i < config.workers() % groups.length ? 1 : 0);
            groups[i] = new Group(
                    this,
                    i,
                    config.placement().nodeOf(i),
                    share,
                    config.pollers().get());
        }
        this.shown = new ShownThreads(name, all::virtualThreads); // last: dumps look at the groups from here on
        this.monitor = config.workers() == 0 ? null : newMonitor();
        List<Thread> carriers = new ArrayList<>();
        for (Group group : groups) {
            for (Carrier each : group.slots.carriers()) carriers.add(each.thread());
        }
        try {
            if (monitor != null) Apart.start(carriers, monitor.thread());
        } catch (Throwable failure) { // the system has no thread left
            closing.abandon();
            throw failure;
        }
    }

    private Monitor newMonitor() {
        long slice = TimeUnit.NANOSECONDS.convert(config.timeSlice()); // centuries are cut
        long stall = TimeUnit.NANOSECONDS.convert(config.stallThreshold());
        return new Monitor(this, config.findings(), slice, stall == 0 ? Long.MAX_VALUE : stall);
    }

    /**
     * How to find the core of a public scheduler; called once, by that class.
     *
     * @param finder gives the core of an executor that is a scheduler, else null
     */
    public static void install(Function<Executor, @Nullable SchedulerCore> finder) {
        ofExecutor = finder;
    }

    /**
     * The core behind an executor.
     *
     * @param executor any executor
     * @return its core, or null when it is no scheduler
     */
    public static @Nullable SchedulerCore of(Executor executor) {
        return ofExecutor.apply(executor);
    }

    /**
     * Tells the core whose it is.
     *
     * @param scheduler the public scheduler
     */
    public void ownedBy(Executor scheduler) {
        owner = scheduler;
    }

    /**
     * The public scheduler.
     *
     * @return the scheduler, or null in tests of the core alone
     */
    public @Nullable Executor owner() {
        return owner;
    }

    // ---- tasks -----------------------------------------------------------------------------------------------------

    /**
     * Queues a new task: on the calling worker, or in a group.
     *
     * @param task in no queue
     * @param group which group, or -1 for any
     * @throws RejectedExecutionException when there is no room, or the scheduler is closed; nothing was queued
     */
    public void spawn(Task task, int group) {
        if (state != State.OPEN) throw closed();
        Tracing.started(task);
        Carrier here = Carrier.current();
        if (here != null && here.core() == this && (group < 0 || here.group().index == group)) {
            if (!here.worker.trySpawn(task)) throw here.group().full();
        } else {
            group(group).spawn(task, 1, () -> {});
        }
    }

    /**
     * Queues new tasks, all or none.
     *
     * @param tasks in no queue, at least one
     * @param group which group, or -1 for any
     * @param ready called when there is room for all, before they are queued
     * @throws RejectedExecutionException when there is no room for all, or the scheduler is closed; nothing was queued
     */
    public void spawnAll(Task[] tasks, int group, Runnable ready) {
        StackRoom.ensureMore();
        if (Tracing.isOn()) for (Task each : tasks) Tracing.started(each);
        group(group).spawn(Sheaf.of(tasks), tasks.length, ready);
    }

    /**
     * Queues a new task for one thread.
     *
     * @param carrier that thread's
     * @param task in no queue
     * @throws RejectedExecutionException when there is no room, or the scheduler is closed; nothing was queued
     */
    public void spawnOn(Carrier carrier, Task task) {
        Tracing.started(task);
        if (carrier.thread() instanceof CarrierThread) {
            carrier.group().spawnOn(carrier, task);
            return;
        }
        boolean pinned = Stack.stay();
        try {
            synchronized (lock) { // else it might leave between our look and the sending, and with it the task
                if (carrier.left) {
                    throw new RejectedExecutionException(
                            "the thread to which this local fiber is tied is no longer bound to scheduler " + name
                                    + ": " + carrier.thread());
                }
                carrier.group().spawnOn(carrier, task);
            }
        } finally {
            Stack.mayLeave(pinned);
        }
    }

    /**
     * Queues a slice of a thread that is not a fiber.
     *
     * @param slice what to run
     * @param home where it goes when the caller is not a worker of this scheduler
     * @return false when the scheduler has stopped
     */
    public boolean tryResume(Runnable slice, Group home) {
        Task task = Tasks.slice(slice);
        Carrier here = Carrier.current();
        if (here == null || here.core() != this) return home.trySubmit(task);
        here.worker.wake(task);
        return true;
    }

    /**
     * A group by its number.
     *
     * @param number the number, or -1 for any: the groups take turns
     * @return the group
     */
    public Group group(int number) {
        if (number >= 0) return groups[number];
        if (groups.length == 1) return groups[0];
        Carrier here = Carrier.current();
        if (here != null && here.core() == this) return here.group();
        return groups[Math.floorMod(nextGroup.getAndIncrement(), groups.length)];
    }

    /**
     * How many groups there are.
     *
     * @return at least one
     */
    public int groupCount() {
        return groups.length;
    }

    /**
     * Queues a task that may run again.
     *
     * @param task in no queue, admitted before
     * @param home where it goes when the caller is not a worker of this scheduler
     */
    public void resume(Task task, Group home) {
        Carrier here = Carrier.current();
        if (here == null || here.core() != this) home.submit(task);
        else if (here.isLeaving(task)) here.worker.requeue(task);
        else here.worker.wake(task);
    }

    /**
     * A carrier for a task that must stay on one thread.
     *
     * @param group which group, or -1 for any
     * @return the calling worker's, else any thread's of that group
     */
    public Carrier carrierFor(int group) {
        Carrier here = Carrier.current();
        if (here != null
                && here.core() == this
                && (group < 0 || here.group().index == group)
                && here.group().slots.tryAnchor(here)) return here;
        Group of = group(group);
        @Nullable Worker[] workers = of.workers();
        int start = Math.floorMod(of.nextHome.getAndIncrement(), Math.max(1, workers.length));
        Carrier bound = null;
        for (int i = 0; i < workers.length; i++) {
            Worker worker = workers[(start + i) % workers.length];
            if (worker == null) continue;
            if (worker.carrier.thread() instanceof CarrierThread && worker.group.slots.tryAnchor(worker.carrier))
                return worker.carrier;
            bound = worker.carrier; // works only while it waits
        }
        if (bound != null) return bound;
        throw new IllegalStateException(
                "scheduler " + name + " has no thread yet to which a local fiber could be tied: bind one");
    }

    /**
     * Reports what a task threw that nobody waits for.
     *
     * @param thread where it happened
     * @param failure what it threw
     */
    public void report(Thread thread, Throwable failure) {
        try {
            var handler = config.uncaughtHandler();
            (handler != null ? handler : thread.getUncaughtExceptionHandler()).uncaughtException(thread, failure);
        } catch (Throwable ignored) {
            // the JVM's own rule for a handler that throws
        }
    }

    /** No thread may stand in for a blocked one. */
    void reportExhausted(Carrier blocked) {
        if (exhaustionReported) return;
        exhaustionReported = true;
        config.findings()
                .exhausted(
                        spares.get(),
                        String.valueOf(blocked.running()),
                        List.of(blocked.thread().getStackTrace()));
    }

    /** A worker has woken. */
    void noteAwake() {
        if (monitor != null) monitor.noteAwake();
    }

    /**
     * Runs a command later.
     *
     * @param command what to run
     * @param delayNanos how long from now
     * @param periodNanos how long between runs, 0 for one run
     * @return a handle to cancel it by
     */
    public DelayedTask schedule(Runnable command, long delayNanos, long periodNanos) {
        StackRoom.ensureMore();
        return delayed.schedule(command, delayNanos, periodNanos);
    }

    // ---- life ------------------------------------------------------------------------------------------------------

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether carriers should end. */
    boolean isStopped() {
        return state == State.STOPPED;
    }

    /**
     * Where it stands in its life.
     *
     * @return the state
     */
    public State state() {
        return state;
    }

    /**
     * Whether fibers are to be cancelled rather than started.
     *
     * @return true after shutdownNow
     */
    public boolean isCancelling() {
        return cancelling;
    }

    RejectedExecutionException closed() {
        return new RejectedExecutionException(
                "scheduler " + name + " is closed (" + state + "): it takes no new tasks");
    }

    /** A worker fell asleep, or something else ended that counted as work. */
    void noteSleep() {
        idleness.noteSleep();
    }

    /**
     * Waits until every worker sleeps and nothing is queued.
     *
     * @param deadlineNanos when to give up, as of System.nanoTime; Long.MAX_VALUE for never
     * @return false when the time passed first
     * @throws InterruptedException when interrupted
     */
    public boolean awaitIdle(long deadlineNanos) throws InterruptedException {
        idleness.refuseFromInside("awaitIdle");
        return idleness.await(deadlineNanos);
    }

    /** Refuses new tasks, waits until all there are have ended, and ends the threads. */
    public void close() {
        StackRoom.ensureMore();
        closing.close();
    }

    /** Refuses new tasks and cancels the fibers there are; does not wait. */
    public void shutdownNow() {
        StackRoom.ensureMore(); // each of them is told once
        closing.shutdownNow();
    }

    /**
     * Starts a fiber's virtual thread.
     *
     * @param virtualThread not started, with a fiber of this scheduler as its own scheduler
     */
    public void start(Thread virtualThread) {
        JdkAccess.start(virtualThread, shown);
    }

    /**
     * Starts a fiber's virtual thread without having its scheduler called: the fiber is queued already. Only who made the thread,
     * before anybody else sees it.
     *
     * @param made not started
     */
    public void startUnseen(Thread made) {
        ThreadSwitch.startUnseen(made, shown);
    }

    /**
     * Binds the calling thread.
     *
     * @return its carrier
     */
    public Carrier bind() {
        return bindings.bind();
    }

    /**
     * Ends a binding: first runs what only this thread can run.
     *
     * @param carrier what {@link #bind} gave
     */
    public void unbind(Carrier carrier) {
        bindings.unbind(carrier);
    }

    /** Ties a carrier's thread to its processors, where that was asked for. */
    void pin(Carrier carrier) {
        config.placement().pin(carrier.group().index, carrier.worker.index);
    }

    /**
     * The carriers there are: those of bound threads, those that hold a slot, those that block or rest without.
     *
     * @return a copy, by group and number
     */
    public List<Carrier> carriers() {
        return all.carriers();
    }

    /**
     * A look at the numbers.
     *
     * @return they are counted when asked for
     */
    public Numbers numbers() {
        return numbers;
    }

    /**
     * Its name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "Scheduler " + name + " [" + state + "; " + numbers + "]";
    }
}
