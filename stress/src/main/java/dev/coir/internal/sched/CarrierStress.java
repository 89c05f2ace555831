package dev.coir.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * The invariants B2 and B4 to B6 of {@link IdlePath}: whoever falls asleep and whoever wants it awake do not miss each other. One
 * side is the real code; the sleeper's steps are written out here, as IdlePath.sleep does them, up to where it would block.
 */
public final class CarrierStress {
    private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});
    private static final SchedulerCore CORE = new SchedulerCore(new SchedulerConfig(
            "stress",
            0,
            1,
            false,
            16,
            0,
            0,
            0,
            0,
            Duration.ofMillis(10),
            Duration.ofSeconds(5),
            Duration.ZERO,
            Findings.IGNORED,
            Placement.ANYWHERE,
            Pollers.DEFAULT,
            null));

    private CarrierStress() {}

    /** A poller that has something to watch, or only sleeps; and never an event. */
    static final class Quiet implements Poller {
        private final boolean watching;
        volatile boolean woken;

        Quiet(boolean watching) {
            this.watching = watching;
        }

        @Override
        public int poll(long nanos) {
            return 0;
        }

        @Override
        public void wakeUp() {
            woken = true;
        }

        @Override
        public boolean isWatching() {
            return watching;
        }

        @Override
        public boolean canWatch() {
            return watching;
        }

        @Override
        public void close() {}
    }

    private static Task task() {
        return Tasks.of(() -> {});
    }

    /** A group whose workers have no thread. */
    abstract static class Alone {
        final Quiet poller;
        final Group group;
        final Carrier carrier;
        final Carrier other;
        final int number;

        Alone() {
            this(true);
        }

        Alone(boolean watching) {
            poller = new Quiet(watching);
            group = new Group(CORE, 0, 0, 0, poller);
            carrier = group.bind(NOBODY);
            other = group.bind(NOBODY);
            number = carrier.worker.index;
        }
    }

    /** B2. Mail comes while its carrier falls asleep: does the sender see the sleep, or the carrier the mail? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the carrier sleeps and its mail waits")
    @State
    public static class Mail extends Alone {
        @Actor
        public void sender() {
            carrier.send(task());
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            r.r2 = carrier.hasMail();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B2. The same when the carrier has just collected earlier mail, so that the sender may find it being read. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the carrier sleeps and its mail waits")
    @State
    public static class MailAgainstCollecting extends Alone {
        public MailAgainstCollecting() {
            carrier.send(task());
        }

        @Actor
        public void sender() {
            carrier.send(task());
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            carrier.collectMail();
            carrier.takeBound();
            group.wake.announceSleep(number);
            r.r2 = carrier.hasMail();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** Two pieces of mail wake a sleeper: is it woken once, and counted once as a searcher? */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one awakening, one searcher")
    @Outcome(expect = FORBIDDEN, desc = "woken twice or never, or counted wrongly")
    @State
    public static class TwoSenders extends Alone {
        public TwoSenders() {
            group.wake.announceSleep(number);
        }

        @Actor
        public void first() {
            carrier.send(task());
        }

        @Actor
        public void second() {
            carrier.nudge();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = (int) group.wake.awakenings();
            r.r2 = group.wake.searchers();
        }
    }

    /** W1, with the real queues. A task is submitted while a worker falls asleep: is one of them told? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the worker sleeps and the task waits")
    @State
    public static class SubmitAgainstSleep extends Alone {
        public SubmitAgainstSleep() {
            group.wake.tryStartSearching();
        }

        @Actor
        public void submitter() {
            group.submit(task());
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            group.wake.stopSearching();
            r.r2 = group.hasWork();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** W1, when another worker keeps the task in its own queue. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the worker sleeps and the task waits")
    @State
    public static class SpawnAgainstSleep extends Alone {
        @Actor
        public void busyWorker() {
            other.worker.trySpawn(task());
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            r.r2 = group.hasWork();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** W1, when another worker takes a sheaf from the shared queue and keeps its rest. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the worker sleeps and the rest of the sheaf waits")
    @State
    public static class SheafTakenAgainstSleep extends Alone {
        private final Sheaf sheaf = Sheaf.of(task(), task());

        @Actor
        public void busyWorker() {
            other.worker.takeOver(sheaf);
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            r.r2 = group.hasWork();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B4. A worker falls asleep while a busy one looks into the poller: does somebody stay at the poller, or awake? */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "it sleeps in the poller, or does not sleep")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and nobody is at the poller")
    @State
    public static class LookAgainstSleep extends Alone {
        private boolean polling;
        private boolean sawItFree;

        @Actor
        public void busyWorker() {
            group.reactor.tend(other.worker);
        }

        @Actor
        public void sleeper() {
            polling = group.reactor.tryOwn(carrier);
            group.wake.announceSleep(number);
            sawItFree = !polling && group.reactor.isFree();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = polling || sawItFree || !group.wake.isAsleep(number);
        }
    }

    /** B4. A timer is set while the only one at the poller leaves it for a task: is the sleeper woken? */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the sleeper was woken, and will wait for the timer")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and nobody waits for the timer")
    @State
    public static class TimerAgainstLeaving extends Alone {
        public TimerAgainstLeaving() {
            super(false);
            group.reactor.tryOwn(other);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
        }

        @Actor
        public void leaver() {
            group.reactor.leave(true);
            group.stopSearching();
        }

        @Actor
        public void setter() {
            group.reactor.setTimer(
                    new Timer() {
                        @Override
                        protected void fire() {}
                    },
                    1_000_000_000_000L);
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B4. The owner leaves the poller and does not count as a searcher, while the last of those stops: is the sleeper woken? */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the sleeper was woken, and will own the poller")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and nobody polls")
    @State
    public static class LeavingAgainstStopping extends Alone {
        public LeavingAgainstStopping() {
            group.reactor.tryOwn(other);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
        }

        @Actor
        public void leaver() {
            group.reactor.leave(false);
        }

        @Actor
        public void searcher() {
            group.stopSearching();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B5. A task is submitted while the last searcher goes to run what it has found: is the sleeper woken? */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "woken by the submitter or by the searcher")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and the task waits")
    @State
    public static class SubmitAgainstFinding extends Alone {
        public SubmitAgainstFinding() {
            super(false);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
        }

        @Actor
        public void finder() {
            group.stopSearching();
        }

        @Actor
        public void submitter() {
            group.submit(task());
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B5. The same for a task that a busy worker has woken, and that is hidden in its next-slot. */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "woken by the busy worker or by the searcher")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and the task waits")
    @State
    public static class WakeAgainstFinding extends Alone {
        public WakeAgainstFinding() {
            super(false);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
        }

        @Actor
        public void finder() {
            group.stopSearching();
        }

        @Actor
        public void busyWorker() {
            other.worker.wake(task());
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B5. The same for a task that has yielded, while its worker goes on with the one in its next-slot. */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "woken by the searcher")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and one of the two tasks waits")
    @State
    public static class RequeueAgainstFinding extends Alone {
        public RequeueAgainstFinding() {
            super(false);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
            other.worker.wake(task());
        }

        @Actor
        public void finder() {
            group.stopSearching();
        }

        @Actor
        public void busyWorker() {
            other.worker.requeue(task());
            other.worker.pick();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** P2 of Worker. The same for a fiber that was woken just as it parked, and whose worker has emptied its next-slot by then. */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "woken by the searcher or by the busy worker")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and one of the two tasks waits")
    @State
    public static class ParkAgainstFinding extends Alone {
        public ParkAgainstFinding() {
            super(false);
            group.wake.countSearcher();
            group.wake.announceSleep(number);
            other.worker.wake(task());
        }

        @Actor
        public void finder() {
            group.stopSearching();
        }

        @Actor
        public void busyWorker() {
            other.worker.takeNextUnlooked();
            other.worker.requeue(task());
            other.worker.signalRequeued();
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** P2 of Worker. A task is requeued, and the one in the next-slot taken, while the last searcher falls asleep. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "the poller's owner is woken, or the sleeper stays awake")
    @Outcome(expect = FORBIDDEN, desc = "both sleep and one of the two tasks waits")
    @State
    public static class RequeueAgainstSleep extends Alone {
        public RequeueAgainstSleep() {
            super(false);
            group.reactor.tryOwn(group.bind(NOBODY));
            group.wake.countSearcher();
            other.worker.wake(task());
        }

        @Actor
        public void busyWorker() {
            other.worker.requeue(task());
            other.worker.pick();
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            group.wake.stopSearching();
            group.reactor.handOverNext();
            r.r2 = group.hasWork();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = poller.woken || !group.wake.isAsleep(number);
        }
    }

    /**
     * P4 of Worker. A busy worker steals while another falls asleep, who looks into its ring before and into the victim's after:
     * does somebody know of what was moved?
     */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps and the moved task waits")
    @State
    public static class StealAgainstSleep extends Alone {
        private final Worker victim = group.bind(NOBODY).worker; // behind the thief, where the sleeper looks last

        public StealAgainstSleep() {
            super(false);
            for (int i = 0; i < 3; i++) victim.requeue(task());
        }

        @Actor
        public void busyWorkers() {
            group.stealNowAndThen(other.worker, true); // runs one, keeps one
            victim.local.take(); // the last
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            group.wake.announceSleep(number);
            r.r2 = group.hasWork();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
        }
    }

    /** B6. A next-slot is filled while the last searcher falls asleep and the poller's owner sleeps for good. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = ACCEPTABLE,
            desc = "the sleeper is woken, or the poller's owner")
    @Outcome(expect = FORBIDDEN, desc = "both sleep and the task waits")
    @State
    public static class WakeAgainstSleep extends Alone {
        public WakeAgainstSleep() {
            super(false);
            group.reactor.tryOwn(group.bind(NOBODY));
            group.wake.countSearcher();
        }

        @Actor
        public void busyWorker() {
            other.worker.wake(task());
        }

        @Actor
        public void sleeper() {
            group.wake.announceSleep(number);
            group.wake.stopSearching();
            group.reactor.handOverNext();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = !group.wake.isAsleep(number);
            r.r2 = poller.woken;
        }
    }

    /** Two want the poller: does exactly one get it? */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = FORBIDDEN, desc = "both, or neither")
    @State
    public static class OnePoller extends Alone {
        @Actor
        public void first(ZZ_Result r) {
            r.r1 = group.reactor.tryOwn(carrier);
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = group.reactor.tryOwn(other);
        }
    }
}
