package dev.coir.internal.sched;

import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.Registry;
import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import dev.coir.internal.trace.Tracing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The right to run tasks, and what is queued under that right. Its methods are for the carrier that holds it. */
final class Worker extends dev.coir.internal.Padded {
    /*
     * Where the next task comes from, in this order:
     *
     *   every 61st time   the shared queue first, so that nothing starves there; else perhaps another's (P4)
     *   in turns          fibers bound to the carrier | the next-slot, then the local queue; the shared one if all share it
     *   else              the shared queue, a sheaf at a time
     *
     * P1. The next-slot is taken at most NEXT_STREAK times in a row while the local queue holds something, so two fibers
     *     that wake each other do not starve the rest. Guarded by WorkerTest.
     * P2. Requeueing the task that just ran needs no wake-up, as long as this worker goes on to take from where others could
     *     take as well: the number of tasks waiting there does not grow. Before it runs a fiber bound to its carrier
     *     instead, or goes on with a task that has waited, or if it has emptied the next-slot before it requeued, it signals. For who
     *     looks for work looks into next-slots first and into local queues after. Workers of other groups look into no next-slots:
     *     those it tells before it takes its own. Guarded by WorkerTest, WakeStressTest and
     *     CarrierStress.RequeueAgainstFinding, ParkAgainstFinding and RequeueAgainstSleep.
     * P3. Who wakes another mostly waits next, and then the woken one runs at once, on warm caches. So a thief takes from a
     *     next-slot only what stays there while its owner is in one and the same slice, and such a wake-up signals nobody
     *     as long as signals have been in vain and a sleeper looks again by itself (Group.signalNext).
     *     Guarded by WorkerTest and WakeStressTest.
     * P4. A worker that always has something to do never searches. Still it steals now and then: what a thread has queued that
     *     is blocked now, for nobody else may come to it; and if all it has is bound to its thread, which nobody can steal, a
     *     share of what others have that is not bound yet. Guarded by HandoffTest, WorkerTest and CarrierStress.StealAgainstSleep.
     * P5. Bound fibers and the local queue get turns by how many each has, but a bound one waits for no more than MAX_UNBOUND_TURNS
     *     others, and for one alone where slices are long. One by one would be unfair to the many; and a fiber that joins the thousand
     *     that it has started would be woken by each of them in turn, which costs more than they do. Guarded by WorkerTest.
     */
    private static final int SHARED_EVERY = 61;
    private static final int TIMERS_EVERY = 8;
    private static final int MAX_BATCH = 512; // stolen at once
    private static final int NEXT_STREAK = 3;
    private static final int MAX_UNBOUND_TURNS = 32;
    private static final int NEXT_PATIENCE = 4; // a few microseconds
    private static final VarHandle NEXT;
    private static final VarHandle RAN;

    static {
        try {
            var lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(Worker.class, "next", Task.class);
            RAN = lookup.findVarHandle(Worker.class, "ran", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Group group;
    static final int NOWHERE = -1;

    volatile int index; // which slot its carrier holds, or NOWHERE; written under the lock of Slots
    final int number; // among all of the group there ever were
    final Carrier carrier;
    final LocalQueue local;
    final Registry registry;
    private final @Nullable Task[] batch; // for what is stolen
    private @Nullable Sheaf emptied; // for the next overflow
    private volatile @Nullable Task next; // the woken task to run next; exchanged by the owner and by thieves
    private int untilShared = SHARED_EVERY;
    private int untilTimers = TIMERS_EVERY;
    private int streak;
    private int unboundTurns = 1; // picks from the local queue until a fiber bound to the carrier comes first: P5
    private boolean slicesAreLong; // those between the last two looks at the clock: P5
    private long lookedNanos; // when that was; older if nothing depended on it
    long longNanos = 80_000; // what TIMERS_EVERY slices that are not take at most; set by tests
    private boolean requeued; // since the last signal: P2
    private int random;
    long ran; // statistics: written by the owner, read by anybody at their own risk
    long stolen;
    long parked;
    long polled;
    long overflowed;

    Worker(Group group, int index, Carrier carrier, LocalQueue local) {
        this.group = group;
        this.index = index;
        this.number = group.nextNumber(index);
        this.carrier = carrier;
        this.local = local;
        this.registry = group.registryOf(number);
        this.batch = new Task[MAX_BATCH];
        this.random = 0x9E3779B9 * (number + 1);
    }

    /** The next task to run, without waiting or stealing; null when there is none. */
    @Nullable
    Task pick() {
        if (--untilTimers <= 0) tend();
        if (--untilShared <= 0) {
            untilShared = SHARED_EVERY;
            Task task = group.shared.takeOne();
            if (task == null) task = group.stealNowAndThen(this, carrier.hasOwnWork() && !hasLocal()); // P4
            if (task != null) return task;
        }
        carrier.collectMail();
        if (unboundTurns == 0 && carrier.boundQueued() != 0) {
            signalRequeued(); // with nothing in hand, for it may fail
            Task bound = carrier.takeBound();
            grantUnboundTurns();
            return bound;
        }
        Task task = local.capacity() == 0 ? group.shared.takeOne() : takeLocal();
        if (task != null) {
            if (unboundTurns != 0) unboundTurns--;
            return task;
        }
        task = carrier.takeBound();
        if (task != null || local.capacity() == 0) return task;
        return takeShared();
    }

    /**
     * The task that {@link #pick} would give, if it is bound to the carrier; it stays queued until {@link #takePeeked}.
     *
     * @return null also when other places come first
     */
    @Nullable
    Task peekBound() {
        if (--untilTimers <= 0) tend();
        if (untilShared <= 1) return null;
        carrier.collectMail();
        return unboundTurns == 0 || !hasUnbound() ? carrier.peekBound() : null;
    }

    /** Takes what was peeked at, in place of a pick. */
    void takePeeked() {
        untilShared--;
        signalRequeued();
        carrier.takeBound();
        grantUnboundTurns();
    }

    private void tend() {
        untilTimers = TIMERS_EVERY;
        group.reactor.tend(this);
        if (carrier.boundQueued() == 0 || !hasUnbound()) return;
        long now = System.nanoTime();
        slicesAreLong = now - lookedNanos > longNanos;
        lookedNanos = now;
        if (slicesAreLong)
            unboundTurns = Math.min(unboundTurns, 1); // not 0: after a long slice the clock is looked at each time
    }

    /** A bound fiber has got its turn: P5. */
    private void grantUnboundTurns() {
        int others = local.capacity() == 0 ? group.shared.size() : local.size();
        unboundTurns = slicesAreLong ? 1 : Math.clamp(others / (carrier.boundQueued() + 1), 1, MAX_UNBOUND_TURNS);
    }

    private boolean hasUnbound() {
        return local.capacity() == 0 ? group.shared.size() != 0 : hasNext() || hasLocal();
    }

    private @Nullable Task takeLocal() {
        if (streak < NEXT_STREAK) {
            if (requeued && next != null) signalOtherGroups();
            Task woken = takeNext();
            if (woken != null) {
                streak++;
                return woken;
            }
        }
        streak = 0;
        Task oldest = local.take();
        return oldest != null ? oldest : takeNext();
    }

    private @Nullable Task takeNext() {
        return next == null ? null : (Task) NEXT.getAndSet(this, null);
    }

    @Nullable
    Task takeShared() {
        Task element = group.shared.take();
        return element instanceof Sheaf sheaf ? takeOver(sheaf) : element;
    }

    /** Takes over a sheaf: its first task to run, the others into the local queue; what finds no room there goes back. */
    Task takeOver(Sheaf sheaf) {
        Task first = sheaf.takeFirst();
        sheaf.moveTo(local);
        if (sheaf.size() != 0) group.shared.add(sheaf);
        else if (sheaf.capacity() == halfRing()) emptied = sheaf;
        VarHandle.fullFence(); // pairs with WakePolicy's give up
        group.signalAbroad();
        return first;
    }

    private void pushLocal(Task task) {
        if (!local.push(task)) overflow(task);
    }

    /** Moves half of the full local queue, and the task that found no room, to the shared queue; that task alone if there is no local one. */
    private void overflow(Task task) {
        Sheaf half = local.capacity() == 0 ? null : emptySheaf();
        if (half != null) half.fill(local, task);
        overflowed += half == null ? 1 : half.size();
        group.shared.add(half == null ? task : half);
        group.signalAbroad();
    }

    /** @return null when there is no memory for one */
    private @Nullable Sheaf emptySheaf() {
        Sheaf kept = emptied;
        emptied = null;
        if (kept != null) return kept;
        try {
            return new Sheaf(halfRing());
        } catch (OutOfMemoryError full) {
            return null;
        }
    }

    private int halfRing() {
        return local.capacity() / 2 + 1; // with the task that found no room
    }

    /** A long slice ends: due timers and the shared queue come first, for they have waited as long. */
    void sliceWasLong() {
        untilTimers = 1;
        untilShared = 1;
    }

    /** Queues the task that the carrier ran last. */
    void requeue(Task task) {
        pushLocal(task);
        requeued = true;
    }

    /** How many of the next picks may be exchanges instead, by what is to be done now and then; they count as picks. */
    int takeExchanges(int atMost) {
        if (local.capacity() == 0) return 0;
        int count = Math.min(atMost, Math.min(untilTimers, untilShared) - 1);
        if (count <= 0) return 0;
        untilTimers -= count;
        untilShared -= count;
        return count;
    }

    /** Whether {@link #exchange} does what requeue and pick would. */
    boolean mayExchange() {
        return next == null && local.hasRoom();
    }

    /** Whether {@link #pick} would take the next-slot, but for what {@link #takeExchanges} has drawn and found not to be there. */
    boolean mayTakeNext() {
        return next != null && (streak < NEXT_STREAK || local.size() == 0);
    }

    /** Takes the next-slot in place of a pick, by a full fence. */
    @Nullable
    Task takeNextUnlooked() {
        streak = streak < NEXT_STREAK ? streak + 1 : 0;
        return (Task) NEXT.getAndSet(this, null);
    }

    /** Queues the task that the carrier ran last, and takes the oldest: as many wait as before, so nobody is woken (P2). */
    @Nullable
    Task exchange(Task task) {
        return local.exchange(task);
    }

    /** This worker goes on with something that it did not take from where others could: P2. */
    void signalRequeued() {
        if (!requeued) return;
        requeued = false;
        if (!hasLocal()) return;
        VarHandle.fullFence(); // pairs with WakePolicy's give up
        group.signalAbroad();
    }

    /** This worker goes on with what only its own group could take: P2. */
    private void signalOtherGroups() {
        if (group.core.groups.length == 1 || !hasLocal()) return;
        VarHandle.fullFence(); // pairs with WakePolicy's give up
        group.signalOthers();
    }

    /** Queues a task that this worker's running task has woken: it runs next. */
    void wake(Task task) {
        if (local.capacity() == 0) {
            group.submit(task);
            return;
        }
        Task replaced = (Task) NEXT.getAndSet(this, task); // a full fence, pairs with WakePolicy's give up
        if (replaced == null && carrier.isPerforming()) { // else a bound thread, which nobody takes for awake
            group.signalNext();
            return;
        }
        if (replaced != null) {
            pushLocal(replaced);
            VarHandle.fullFence();
        }
        group.signalAbroad();
    }

    /** Queues a new task. @return false when there is no room */
    boolean trySpawn(Task task) {
        if (!local.push(task)) {
            if (group.shared.isFull()) return false;
            overflow(task);
        }
        VarHandle.fullFence(); // pairs with WakePolicy's give up
        group.signalAbroad();
        return true;
    }

    /** Steals half of another worker's queue. @return one task to run */
    @Nullable
    Task stealFrom(Worker victim) {
        int room = local.capacity() - local.size(); // for all of them: batch must not be needed for an overflow
        int count = victim.local.takeHalf(batch, Math.min(MAX_BATCH, room));
        if (count == 0) return null;
        stolen += count;
        Tracing.stole(carrier.thread(), victim.carrier.thread(), count);
        local.pushAll(batch, 1, count - 1);
        return batch[0];
    }

    /** Steals the task that another worker would run next, unless that worker gets to it at once: P3. */
    @Nullable
    @SuppressWarnings("ThreadPriorityCheck")
    Task stealNextOf(Worker victim) {
        Task seen = victim.next;
        if (seen == null) return null;
        long slice = victim.ranNow();
        for (int i = 0; i < NEXT_PATIENCE; i++) {
            Thread.yield(); // the owner may wait for this very processor
            if (victim.next != seen || victim.ranNow() != slice) return null;
        }
        if (!NEXT.compareAndSet(victim, seen, null)) return null;
        stolen++;
        Tracing.stole(carrier.thread(), victim.carrier.thread(), 1);
        return seen;
    }

    /** One more slice has ended. Not moved past what follows by the compiler: L2 of Slots. */
    void countSlice() {
        RAN.setOpaque(this, ran + 1);
    }

    long ranNow() {
        return (long) RAN.getOpaque(this);
    }

    boolean hasNext() {
        return next != null;
    }

    boolean hasLocal() {
        return local.size() != 0;
    }

    /** Gives up whatever is queued here, for other workers to run. */
    void abandonQueues() {
        Task task;
        while ((task = takeLocal()) != null) group.submit(task);
    }

    int nextRandom(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return Integer.remainderUnsigned(random, bound);
    }
}
