package dev.coir.internal.sched;

import dev.coir.internal.preempt.Preemption;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.Task;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Looks after slices that take long: takes the slot of a blocked thread, asks a busy one to give way, reports stalls. */
final class Monitor implements Runnable {
    /*
     * It sleeps 20 us at first; after 50 rounds without a finding, or at once when nobody runs, twice as long each time, up
     * to 10 ms. When the scheduler has been idle for a tenth of a second it sleeps until a worker wakes, and looks once more
     * when that has lasted a second: whether all wait for each other.
     *
     * O1. A worker that wakes first leaves its sleep bit and then looks whether the monitor sleeps; the monitor first says
     *     that it sleeps and then looks at the bits.
     *
     * O2. When the monitor itself was held up for long, asleep or in the middle of a look, so was everybody: the process was
     *     stopped, or the JVM collected garbage. That time does not count as any slice's; but only once per slice, or on a
     *     crowded machine nobody would ever be found. Guarded by MonitorPauseTest.
     * O3. A slice that lasts is a stall only if its thread waits, or has used a quarter of that time itself: one that had no
     *     processor is nobody's fault. Guarded by MonitorPauseTest.
     *
     * Where one slice has blocked its thread, others of its kind often stand behind it: for a tenth of a second after a finding,
     * blocked threads are looked for five times as early. So four in a row hold up the fifth for little more than one.
     *
     * A poller that watches something and that nobody has polled for 10 ms is polled by it.
     *
     * A thread counts as blocked when its state says that it waits; or when it has used no processor time for a while though
     * it claims to run, and the system does not say that it only waits for a processor: it is inside native code. Where
     * the system says nothing this may be wrong on a crowded machine; then one thread more runs for a while.
     */
    private static final long SHORTEST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 10_000_000;
    private static final int ROUNDS_BEFORE_SLOWER = 50;
    private static final long IDLE_BEFORE_SLEEP_NANOS = 100_000_000;
    private static final long IDLE_BEFORE_CHECK_NANOS = 1_000_000_000;
    private static final long ALERT_NANOS = 100_000_000;
    private static final int ALERT_FACTOR = 5;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final int LEAST_SHARE = 4;

    private final SchedulerCore core;
    private final Findings findings;
    private final long sliceNanos;
    private final long stallNanos;
    private final Thread thread;
    private long delay = SHORTEST_NANOS; // between two looks; its thread only
    private long lookedAt; // likewise, as of System.nanoTime
    private long idleSince; // likewise; the last look if somebody ran then
    private int idleRounds; // likewise; without a finding, since it last was in a hurry
    private long alertUntil = System.nanoTime(); // its thread only
    private volatile boolean asleep; // written by the monitor, read by workers that wake

    Monitor(SchedulerCore core, Findings findings, long sliceNanos, long stallNanos) {
        this.core = core;
        this.findings = findings;
        this.sliceNanos = sliceNanos;
        this.stallNanos = stallNanos;
        this.thread = new Thread(core.threads, this, core.name + "-monitor", 0, false);
        thread.setDaemon(true);
    }

    Thread thread() {
        return thread;
    }

    /** A worker has woken. */
    void noteAwake() {
        if (asleep) LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        idleSince = System.nanoTime();
        lookedAt = idleSince;
        while (!core.isStopped()) {
            try {
                goRound(); // each in a call, which is compiled much sooner than a loop that turns slowly
            } catch (OutOfMemoryError full) { // the next round may find room; until then nobody is handed off
                LockSupport.parkNanos(this, LONGEST_NANOS);
            }
        }
    }

    private void goRound() {
        long now = System.nanoTime();
        long heldUp = now - lookedAt - delay; // while it slept, or while it looked
        if (heldUp > PAUSE_NANOS) forgive(heldUp);
        lookedAt = now;
        boolean idle = core.all.nobodyRuns();
        if (look(now)) {
            idleRounds = 0;
            delay = SHORTEST_NANOS;
        } else if (idle || ++idleRounds > ROUNDS_BEFORE_SLOWER) {
            delay = Math.min(2 * delay, LONGEST_NANOS);
        }
        if (!idle) idleSince = now;
        if (!idle || now - idleSince <= idleBeforeSleep()) {
            LockSupport.parkNanos(this, delay);
            return;
        }
        sleep(idleSince + IDLE_BEFORE_CHECK_NANOS);
        idleSince = System.nanoTime();
        lookedAt = idleSince;
        idleRounds = 0;
        delay = SHORTEST_NANOS;
    }

    /** O2. */
    private void forgive(long heldUp) {
        for (Group group : core.groups) {
            for (Carrier carrier : group.slots.carriers()) carrier.watch.forgive(heldUp);
        }
    }

    /** Who waits inside a task may still have to be reported. */
    private long idleBeforeSleep() {
        boolean mayStall = stallNanos < Long.MAX_VALUE / 2 && core.all.somebodyWaitsInside();
        return mayStall ? IDLE_BEFORE_SLEEP_NANOS + stallNanos : IDLE_BEFORE_SLEEP_NANOS;
    }

    /** Sleeps until a worker has been awake, even if only for a moment. */
    private void sleep(long checkAt) {
        long seen = core.all.awakenings();
        boolean checked = false;
        asleep = true;
        while (core.all.nobodyRuns() && core.all.awakenings() == seen && !core.isStopped()) { // after asleep: O1
            long left = checkAt - System.nanoTime();
            if (checked) {
                LockSupport.park(this);
            } else if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                checkAsleep(seen);
                checked = true;
            }
            Thread.interrupted(); // meant for nobody; kept, it would end every further sleep at once
        }
        asleep = false;
    }

    private boolean look(long now) {
        boolean acted = false;
        for (Group group : core.groups) {
            for (Carrier carrier : group.slots.carriers()) {
                acted |= look(carrier, carrier.watch, now);
                carrier.errands.runNeglected(now, LONGEST_NANOS);
            }
            group.reactor.pollIfNeglected(this, now, LONGEST_NANOS);
        }
        return acted;
    }

    private boolean look(Carrier carrier, Watch watch, long now) {
        long slice = carrier.slicesEnded();
        Task task = carrier.running();
        if (task == null || slice != watch.slice) {
            watch.begin(task == null ? -1 : slice, now); // no slice yet: it may begin much later
            if (task != null && delay > sliceNanos / 4)
                watch.sample(ProcessorTime.ofThread(carrier.thread()), now); // else in time
            Preemption.withdraw(carrier);
            return false;
        }
        long lasted = now - watch.since;
        long patience = now - alertUntil < 0 ? sliceNanos / ALERT_FACTOR : sliceNanos;
        if (lasted < patience / 2) return false;
        boolean blocked = isBlocked(carrier, watch, now, patience * 2 / 5);
        if (lasted < patience) return false;
        if (lasted >= stallNanos
                && !watch.reported
                && carrier.declaredIn != slice
                && (blocked || watch.hasUsed(stallNanos / LEAST_SHARE, ProcessorTime.ofThread(carrier.thread())))) {
            watch.reported = true;
            findings.stalled(carrier.thread().getName(), task, lasted, blocked, stackOf(carrier, task));
        }
        if (carrier.hold() == Slots.NONE || carrier.waits.isBetweenSlices()) return false;
        if (blocked) {
            boolean taken = takeSlot(carrier, slice);
            if (taken) alertUntil = now + ALERT_NANOS;
            return taken;
        }
        if (lasted >= sliceNanos && carrier.group.hasWaiting(carrier)) Preemption.ask(carrier);
        return false;
    }

    private static boolean takeSlot(Carrier carrier, long slice) {
        if (!carrier.casHold(Slots.HELD, Slots.ASKED)) return false;
        carrier.thread().getStackTrace(); // a safe point for that thread: L2 of Slots
        return carrier.group.slots.take(carrier, slice);
    }

    private static boolean isBlocked(Carrier carrier, Watch watch, long now, long sampleNanos) {
        Thread thread = carrier.thread();
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default ->
                watch.standsStill(ProcessorTime.ofThread(thread), now, sampleNanos)
                        && carrier.osThread().maySleep();
        };
    }

    private static List<StackTraceElement> stackOf(Carrier carrier, Task task) {
        Thread virtual = task instanceof Live fiber ? Party.threadOf(fiber) : null;
        return List.of((virtual != null ? virtual : carrier.thread()).getStackTrace());
    }

    private void checkAsleep(long awakenings) {
        if (core.numbers().timersSet() != 0
                || core.all.isWatchingIo()
                || core.numbers().sharedQueued() != 0) return;
        List<Live> waiting = core.numbers().suspendedTasks();
        if (waiting.isEmpty() || !OutsideThreads.allWaitForFibers()) return;
        if (core.all.nobodyRuns() && core.all.awakenings() == awakenings)
            findings.asleep(waiting); // else it was no single moment
    }

    /** What the monitor remembers of a carrier between two looks. Its thread only. */
    static final class Watch {
        private volatile long slice = -1; // written by the monitor, after since
        private volatile long since; // likewise; both read by dumps
        private boolean reported;
        private long firstCpu; // when this slice was first sampled
        private long cpu;
        private long cpuAt;
        private boolean still;
        private boolean forgiven;
        private boolean sampled;

        private void forgive(long nanos) {
            cpuAt = 0; // what was measured across the pause says nothing
            still = false;
            if (forgiven) return;
            forgiven = true;
            since = sinceSeen() + nanos;
        }

        private long sinceSeen() {
            return since; // nobody else writes it
        }

        private void begin(long newSlice, long now) {
            forgiven = false;
            slice = -1;
            since = now;
            slice = newSlice;
            reported = false;
            sampled = false;
            cpuAt = 0;
            still = false;
        }

        /** How long this slice has been seen to last; 0 when it is not the one that was seen last. Any thread. */
        long lastedNanos(long ofSlice) {
            long from = slice == ofSlice ? since : 0;
            return from != 0 && slice == ofSlice ? Math.max(0, System.nanoTime() - from) : 0;
        }

        /** Whether the thread has used next to nothing since an earlier look. */
        private boolean standsStill(long cpuNow, long now, long sampleNanos) {
            if (cpuNow < 0) return false;
            if (cpuAt == 0) {
                sample(cpuNow, now);
            } else if (now - cpuAt >= sampleNanos) {
                still = cpuNow - cpu < (now - cpuAt) / 20;
                sample(cpuNow, now);
            }
            return still;
        }

        /** Whether the slice has used that much of a processor; else it did not last by its own fault. True where nobody can tell. */
        private boolean hasUsed(long nanos, long cpuNow) {
            return cpuNow < 0 || (sampled && cpuNow - firstCpu >= nanos);
        }

        private void sample(long cpuNow, long now) {
            if (!sampled) firstCpu = cpuNow;
            sampled = true;
            cpu = cpuNow;
            cpuAt = now;
        }
    }
}
