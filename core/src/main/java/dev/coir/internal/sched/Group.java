package dev.coir.internal.sched;

import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Registry;
import dev.coir.internal.task.RunRing;
import dev.coir.internal.task.SharedQueue;
import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Workers that share a queue, a poller and timers; the unit of NUMA placement. */
public final class Group {
    static final int MAX_WORKERS = 64; // a bit each in WakePolicy
    private static final int MIN_RING = 256;
    private static final int MAX_RING = 1024;

    final SchedulerCore core;
    final int index;
    final int node;
    final SharedQueue shared;
    final Reactor reactor;
    final WakePolicy wake = new WakePolicy();
    final Slots slots;
    private final List<Registry> registries =
            new CopyOnWriteArrayList<>(); // by worker number; kept when a bound thread leaves
    private volatile @Nullable Worker[]
            workers; // by number; holes where bound threads have left; replaced under core.lock
    private volatile long working; // a bit per worker that may run tasks; bound threads only while they wait
    private final int threads;
    private final long ownSlots; // a bit for each slot of its own threads
    private final AtomicInteger sparesMade = new AtomicInteger();
    final AtomicInteger nextHome = new AtomicInteger(); // whose turn it is to get a local fiber from elsewhere
    private int triesSinceSameNode; // approximate, raced by searchers
    private int triesSinceOtherNode; // likewise

    Group(SchedulerCore core, int index, int node, int threads, Poller poller) {
        this.core = core;
        this.index = index;
        this.node = node;
        this.shared = new SharedQueue(core.runQueueCapacity);
        this.reactor = new Reactor(this, poller);
        this.threads = threads;
        this.slots = new Slots(this, core.spareKeepAliveNanos);
        this.workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            String name = core.name + "-" + index + "-" + i;
            Carrier carrier = Carrier.withThread(this, i, newLocalQueue(), name);
            workers[i] = carrier.worker;
            slots.enlist(carrier);
        }
        this.ownSlots = threads == MAX_WORKERS ? -1L : (1L << threads) - 1;
        this.working = ownSlots;
    }

    private LocalQueue newLocalQueue() {
        return core.sharedQueueOnly
                ? LocalQueue.NONE
                : new RunRing(Math.clamp(core.runQueueCapacity, MIN_RING, MAX_RING)); // each a power of two
    }

    /** The number of a new worker: its slot, or for one without a slot a number that no other has. */
    int nextNumber(int slot) {
        return slot >= 0 ? slot : MAX_WORKERS + sparesMade.getAndIncrement();
    }

    /** A new carrier without a slot, its thread started. @return null when there are as many as there may be */
    @Nullable
    Carrier tryMakeSpare() {
        if (core.isStopped() || core.spares.getAndIncrement() >= core.maxSpares) {
            core.spares.decrementAndGet();
            return null;
        }
        try {
            String name = core.name + "-" + index + "-spare-" + sparesMade.get();
            Carrier spare = Carrier.spare(this, newLocalQueue(), name);
            spare.thread().start();
            return spare;
        } catch (OutOfMemoryError noThread) {
            core.spares.decrementAndGet();
            return null;
        }
    }

    /** A slot has changed hands. Under the lock of Slots, and the core's. */
    void replaceWorkers(@Nullable Worker[] holders) {
        workers = holders;
    }

    /** The registry of the worker with this number, now and later; spare ones share those of the first slots. */
    Registry registryOf(int worker) {
        int number = worker < MAX_WORKERS ? worker : worker % Math.max(1, threads);
        while (registries.size() <= number) registries.add(new Registry());
        return registries.get(number);
    }

    List<Registry> registries() {
        return registries;
    }

    // ---- submitting ------------------------------------------------------------------------------------------------

    /** Queues new tasks from outside, all or none. */
    void spawn(Task element, int count, Runnable ready) {
        reserve(count);
        try {
            ready.run();
        } catch (Throwable failure) {
            giveBack(count);
            throw failure;
        }
        shared.addReserved(element);
        signalAbroad();
    }

    /** Queues a new task for one thread. */
    void spawnOn(Carrier carrier, Task task) {
        reserve(1);
        try {
            carrier.send(task);
        } finally {
            giveBack(1);
        }
    }

    private void reserve(int count) {
        if (!shared.tryReserve(count)) throw full();
        if (core.isOpen()) return; // looked at after the reservation, which closing waits for
        giveBack(count);
        throw core.closed();
    }

    /** Gives reserved room back. Who looked for idleness meanwhile was misled, so it must be told. */
    private void giveBack(int count) {
        shared.giveBack(count);
        core.noteSleep();
    }

    RejectedExecutionException full() {
        return new RejectedExecutionException(
                "no room in " + this + ": " + shared.size() + " tasks queued (runQueueCapacity: " + shared.capacity()
                        + "); wait for some to finish, or give the scheduler a larger runQueueCapacity");
    }

    /**
     * Queues a task that was admitted before, from any thread.
     *
     * @param task in no queue
     */
    public void submit(Task task) {
        shared.add(task); // its RMWs are the fence that pairs with WakePolicy's give up
        signalAbroad();
    }

    /** As submit, for a task that nobody counts. @return false when the threads have been told to end */
    boolean trySubmit(Task task) {
        shared.reserve(1);
        if (core.isStopped()) {
            giveBack(1);
            return false;
        }
        shared.addReserved(task);
        signalAbroad();
        return true;
    }

    /**
     * Whose it is.
     *
     * @return the scheduler
     */
    public SchedulerCore core() {
        return core;
    }

    /**
     * Its number.
     *
     * @return 0 or more
     */
    public int number() {
        return index;
    }

    // ---- waking ----------------------------------------------------------------------------------------------------

    void signal() {
        if (wake.wantsWake()) wakeOne();
    }

    /**
     * Uncounts a searcher that has something else to do. The last is replaced if there is anything to search for: as long as
     * it searched, all others relied on it. Woken in vain, a sleeper would cost a lone task more than the task itself.
     */
    void stopSearching() {
        if (!wake.stopSearching()) return;
        if (wake.sleepers() != 0) {
            if (wantsSearcher()) signal();
        } else if (core.groups.length != 1 && hasStealable()) {
            signalAbroad();
        }
    }

    /** Read after a full fence; who makes one of these true looks for searchers after it: W1 of WakePolicy. */
    private boolean wantsSearcher() {
        return reactor.wantsOwner()
                || hasNext()
                || hasStealable()
                || hasWorkAbroad(); // a worker requeues first and takes its next-slot after
    }

    /** Whether some next-slot holds a task. */
    boolean hasNext() {
        for (Worker worker : workers) if (worker != null && worker.hasNext()) return true;
        for (Worker blocked : slots.others()) if (blocked.hasNext()) return true;
        return false;
    }

    private void wakeOne() {
        int number = wake.claimSleeper();
        if (number >= 0) unblock(number);
    }

    /**
     * For a task in a next-slot. Wakes nobody while that has been in vain lately and a sleeper looks again by itself: two
     * fibers that wake each other would else wake a thief at each turn.
     */
    void signalNext() {
        if (!reactor.isWatched() || wake.expectsUse()) signalAbroad();
    }

    /** Wakes a sleeper for new work; when nobody sleeps or searches here, one elsewhere that may steal it. */
    void signalAbroad() {
        signal();
        signalOthers();
    }

    /** When nobody sleeps or searches here, wakes one elsewhere that may steal. */
    void signalOthers() {
        if (core.groups.length == 1 || wake.sleepers() != 0 || wake.searchers() != 0) return;
        for (Group other : core.groups) {
            if (other != this && other.mayStealFrom(this)) other.signal();
        }
    }

    private boolean mayStealFrom(Group victim) {
        return (node == victim.node ? core.stealEvery : core.crossNodeStealEvery) > 0;
    }

    void wakeForMail(Worker worker) {
        // Who loses its slot says so first and looks for mail after; we sent first and look for the slot after.
        if (worker.index == Worker.NOWHERE) worker.carrier.unblock();
        else wakeIfAsleep(worker);
    }

    boolean wakeIfAsleep(Worker worker) {
        int slot = worker.index;
        if (slot == Worker.NOWHERE || !wake.isAsleep(slot)) return false;
        wake.countSearcher(); // before clearing: the woken one counts as a searcher
        if (wake.tryClear(slot)) {
            unblock(slot);
            return true;
        }
        stopSearching();
        return false;
    }

    private void unblock(int number) {
        Worker worker = workers[number];
        if (worker == null) return;
        if (reactor.isOwnedBy(worker.carrier)) reactor.wakeUp();
        else worker.carrier.unblock();
    }

    void wakeAll() {
        wakeHolders();
        for (Worker other : slots.others()) other.carrier.unblock();
        reactor.wakeUp();
    }

    /** Makes those who hold slots look who claims one. */
    void wakeHolders() {
        for (Worker worker : workers) {
            if (worker != null) worker.carrier.nudge();
        }
    }

    // ---- searching -------------------------------------------------------------------------------------------------

    /** Looks everywhere once. */
    @Nullable
    Task search(Worker thief, boolean last) {
        reactor.timers.fireDue();
        Task task = thief.pick(); // polls now and then
        if (task != null) return task;
        if (last && reactor.pollIfWatching(thief) > 0 && (task = thief.pick()) != null) return task;
        task = stealWithin(thief, last);
        return task != null ? task : stealAbroad(thief);
    }

    /**
     * Steals for a worker that has something to do: P4 of Worker.
     *
     * @param onlyBound whether all it has is bound to its thread
     */
    @Nullable
    Task stealNowAndThen(Worker thief, boolean onlyBound) {
        Task task = stealFromBlocked(thief, true);
        if (task == null && onlyBound && workers.length > 1) task = stealFromHolders(thief, false);
        if (task != null && thief.hasLocal()) {
            VarHandle.fullFence(); // pairs with WakePolicy's give up: who falls asleep may have looked here too early
            signalAbroad();
        }
        return task;
    }

    private @Nullable Task stealWithin(Worker thief, boolean last) {
        Task task = stealFromHolders(thief, last);
        return task != null ? task : stealFromBlocked(thief, last);
    }

    private @Nullable Task stealFromHolders(Worker thief, boolean last) {
        @Nullable Worker[] all = workers;
        int start = thief.nextRandom(all.length);
        for (int i = 0; i < all.length; i++) {
            Worker victim = all[(start + i) % all.length];
            if (victim == null || victim == thief) continue;
            Task task = thief.stealFrom(victim);
            if (task == null && last) task = thief.stealNextOf(victim);
            if (task != null) return task;
        }
        return null;
    }

    private @Nullable Task stealFromBlocked(Worker thief, boolean last) {
        for (Worker blocked : slots.others()) {
            Task task = thief.stealFrom(blocked);
            if (task == null && last) task = thief.stealNextOf(blocked);
            if (task != null) return task;
        }
        return null;
    }

    private @Nullable Task stealAbroad(Worker thief) {
        if (core.groups.length == 1) return null;
        boolean sameNode = core.stealEvery > 0 && ++triesSinceSameNode >= core.stealEvery;
        boolean otherNode = core.crossNodeStealEvery > 0 && ++triesSinceOtherNode >= core.crossNodeStealEvery;
        if (sameNode) triesSinceSameNode = 0;
        if (otherNode) triesSinceOtherNode = 0;
        for (Group victim : core.groups) {
            if (victim == this || !(victim.node == node ? sameNode : otherNode)) continue;
            Task element = victim.shared.take();
            if (element != null) return element instanceof Sheaf sheaf ? thief.takeOver(sheaf) : element;
            for (Worker each : victim.workers) {
                Task task = each == null ? null : thief.stealFrom(each);
                if (task != null) return task;
            }
            for (Worker blocked : victim.slots.others()) {
                Task task = thief.stealFrom(blocked);
                if (task != null) return task;
            }
        }
        return null;
    }

    boolean hasWork() {
        return reactor.timers.isDue() || hasStealable();
    }

    /** Whether something waits that a carrier would run if its slice ended. Any thread; a hint. */
    boolean hasWaiting(Carrier carrier) {
        return hasWork() || carrier.worker.hasNext() || carrier.hasMail() || slots.isClaimed();
    }

    /** Whether other groups have work that may be stolen from here. */
    boolean hasWorkAbroad() {
        if (core.groups.length == 1) return false;
        for (Group other : core.groups) {
            if (other != this && mayStealFrom(other) && other.hasStealable()) return true;
        }
        return false;
    }

    private boolean hasStealable() {
        if (shared.size() != 0) return true;
        for (Worker worker : workers) {
            if (worker != null && worker.hasLocal()) return true;
        }
        for (Worker blocked : slots.others()) if (blocked.hasLocal()) return true;
        return false;
    }

    // ---- bound threads, idleness, statistics -----------------------------------------------------------------------

    /** Adds a worker for the calling thread. Under core.lock. */
    Carrier bind(Thread thread) {
        @Nullable Worker[] all = workers;
        int number = 0;
        while (number < all.length && all[number] != null) number++;
        if (number == MAX_WORKERS) {
            throw new IllegalStateException(this + " has " + MAX_WORKERS + " workers already, bound threads included");
        }
        if (number == all.length) all = Arrays.copyOf(all, number + 1);
        else all = all.clone();
        Carrier carrier = Carrier.boundTo(thread, this, number, newLocalQueue());
        all[number] = carrier.worker;
        workers = all;
        return carrier;
    }

    /** Removes a bound thread's worker, whose queues are empty. Under core.lock. */
    void unbind(Carrier carrier) {
        @Nullable Worker[] all = workers.clone();
        all[carrier.worker.index] = null;
        workers = all;
    }

    void enterWork(Worker worker) {
        setWorking(worker, true);
    }

    /** The bound thread has something else to do: what it queued goes to whoever works next. */
    void leaveWork(Worker worker) {
        if (worker.carrier.thread() instanceof CarrierThread) return;
        worker.abandonQueues();
        setWorking(worker, false);
        core.noteSleep();
    }

    private void setWorking(Worker worker, boolean on) {
        if (worker.carrier.thread() instanceof CarrierThread) return;
        synchronized (core.lock) {
            long bit = 1L << worker.index;
            working = on ? working | bit : working & ~bit;
            if (on) wake.countAwakening(); // it was as good as asleep
        }
    }

    /** Whether every worker that may run tasks sleeps. */
    boolean allSleep() {
        return wake.sleepers() == working;
    }

    /** Whether all workers sleep and nothing is queued. Meaningful only if {@link #awakenings} did not change around it. */
    boolean looksIdle() {
        if (!allSleep() || shared.size() != 0 || slots.isClaimed()) return false;
        for (Worker worker : workers) if (worker != null && !looksIdle(worker)) return false;
        for (Worker blocked : slots.others()) if (!blocked.carrier.atRest || !looksIdle(blocked)) return false;
        return true;
    }

    boolean somebodyWaitsInside() {
        for (Worker worker : workers) if (worker != null && worker.carrier.running() != null) return true;
        return false;
    }

    /** Whether no thread of its own is awake. */
    boolean nobodyRuns() {
        if ((wake.sleepers() & ownSlots) != ownSlots) return false;
        for (Worker blocked : slots.others()) if (blocked.carrier.running() != null) return false;
        return true;
    }

    private static boolean looksIdle(Worker worker) {
        return !worker.hasLocal()
                && !worker.hasNext()
                && !worker.carrier.hasMail()
                && worker.carrier.running() == null; // else it sleeps, or blocks, inside a task
    }

    long awakenings() {
        return wake.awakenings();
    }

    /**
     * Whether it has threads of its own, which poll whatever happens.
     *
     * @return false when only bound threads work here
     */
    public boolean hasThreads() {
        return threads != 0;
    }

    @Nullable
    Worker[] workers() {
        return workers;
    }

    /**
     * Its timers and its poller.
     *
     * @return where its idle worker sleeps
     */
    public Reactor reactor() {
        return reactor;
    }

    @Override
    public String toString() {
        return "group " + index + " of scheduler " + core.name;
    }
}
