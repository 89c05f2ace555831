package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the workers of a group do together: stealing, waking, polling, and the timers they serve. */
class GroupTest {
    private final FakePoller poller = new FakePoller();

    @AfterEach
    void onlyOneThreadPolledAtATime() {
        assertEquals(0, poller.overlaps.get(), "threads that polled while another did");
    }

    // ---- stealing --------------------------------------------------------------------------------------------------

    @Test
    void aGroupOfTheSameNodeIsRobbedEverySoManyTries() {
        SchedulerCore core = Cores.stealing(2, 3, 0, Placement.ANYWHERE);
        fill(core.groups[1], 5);
        assertEquals(List.of(3, 6, 9), successes(Cores.join(core.groups[0]), 10));
    }

    @Test
    void everyTryRobsWhenToldSo() {
        SchedulerCore core = Cores.stealing(2, 1, 0, Placement.ANYWHERE);
        fill(core.groups[1], 3);
        assertEquals(List.of(1, 2, 3), successes(Cores.join(core.groups[0]), 5));
    }

    @Test
    void noOtherGroupIsRobbedWhenThatIsTurnedOff() {
        SchedulerCore core = Cores.stealing(2, 0, 0, Placement.ANYWHERE);
        fill(core.groups[1], 5);
        assertEquals(List.of(), successes(Cores.join(core.groups[0]), 500));
        assertEquals(5, core.groups[1].shared.size());
    }

    /** Who submitted while it searched told nobody, here or elsewhere. */
    @Test
    void theLastSearcherOfAGroupWithoutSleepersWakesOneOfAnother() {
        SchedulerCore core = Cores.stealing(2, 1, 0, Placement.ANYWHERE);
        int sleeper = Cores.join(core.groups[0]).index;
        core.groups[0].wake.announceSleep(sleeper);
        core.groups[1].wake.countSearcher();
        fill(core.groups[1], 2);
        assertTrue(core.groups[0].wake.isAsleep(sleeper));
        core.groups[1].stopSearching();
        assertFalse(core.groups[0].wake.isAsleep(sleeper));
    }

    @Test
    void aGroupOfAnotherNodeHasItsOwnNumberOfTries() {
        SchedulerCore core = Cores.stealing(2, 1, 4, new Nodes(0, 1));
        fill(core.groups[1], 5);
        assertEquals(List.of(4, 8), successes(Cores.join(core.groups[0]), 10));
    }

    @Test
    void noOtherNodeIsRobbedWhenThatIsTurnedOff() {
        SchedulerCore core = Cores.stealing(2, 1, 0, new Nodes(0, 1));
        fill(core.groups[1], 5);
        assertEquals(List.of(), successes(Cores.join(core.groups[0]), 500));
    }

    @Test
    void onlyOtherNodesAreRobbedWhenOnlyThatIsTurnedOn() {
        SchedulerCore core = Cores.stealing(3, 0, 2, new Nodes(0, 0, 1));
        fill(core.groups[1], 5);
        fill(core.groups[2], 5);
        assertEquals(List.of(2, 4), successes(Cores.join(core.groups[0]), 5));
        assertEquals(5, core.groups[1].shared.size());
        assertEquals(3, core.groups[2].shared.size());
    }

    @Test
    void theTwoNumbersOfTriesDoNotDisturbEachOther() {
        SchedulerCore core = Cores.stealing(3, 2, 5, new Nodes(0, 0, 1));
        fill(core.groups[1], 2);
        fill(core.groups[2], 2);
        assertEquals(List.of(2, 4, 5, 10), successes(Cores.join(core.groups[0]), 12));
    }

    @Test
    void alsoTheQueuesOfAnotherGroupsWorkersAreRobbedButNotTheirNextSlots() {
        SchedulerCore core = Cores.stealing(2, 1, 0, Placement.ANYWHERE);
        Worker victim = Cores.join(core.groups[1]);
        Task[] tasks = Cores.tasks(4);
        for (Task each : tasks) victim.requeue(each);
        victim.wake(Cores.task("next"));
        Worker thief = Cores.join(core.groups[0]);
        assertSame(tasks[0], core.groups[0].search(thief, true));
        assertEquals(1, thief.local.size());
        assertEquals(2, victim.local.size());
        for (int i = 0; i < 3; i++) core.groups[0].search(thief, true);
        assertNull(core.groups[0].search(thief, true));
        assertTrue(victim.hasNext());
    }

    @Test
    void withinAGroupEveryTryRobsAndTheLastTakesTheNextSlotToo() {
        SchedulerCore core = Cores.byHand();
        Group group = core.groups[0];
        Worker victim = Cores.join(group);
        Worker thief = Cores.join(group);
        Task queued = Cores.task("queued");
        Task next = Cores.task("next");
        victim.requeue(queued);
        victim.wake(next);
        assertSame(queued, group.search(thief, false));
        assertNull(group.search(thief, false));
        assertSame(next, group.search(thief, true));
    }

    @Test
    void aThiefStepsOverWorkersThatHaveLeft() {
        SchedulerCore core = Cores.byHand();
        Group group = core.groups[0];
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 5; i++) workers.add(Cores.join(group));
        for (int i : new int[] {0, 2, 3}) group.unbind(workers.get(i).carrier);
        Task task = Cores.task("queued");
        workers.get(1).requeue(task);
        assertSame(task, group.search(workers.get(4), false));
    }

    @Test
    void anOverflowWakesASleeperOfAnotherGroupThatMaySteal() {
        for (int stealEvery : new int[] {0, 7}) {
            SchedulerCore core = Cores.stealing(2, stealEvery, 0, Placement.ANYWHERE);
            core.groups[1].wake.announceSleep(Cores.join(core.groups[1]).index);
            Worker crowded = Cores.apart(core.groups[0], 2);
            for (Task each : Cores.tasks(3)) crowded.requeue(each);
            assertEquals(stealEvery == 0, core.groups[1].wake.isAsleep(0), "stealEvery " + stealEvery);
        }
    }

    @Test
    void anOverflowWakesNobodyAbroadWhileSomebodySleepsAtHome() {
        SchedulerCore core = Cores.stealing(2, 1, 1, Placement.ANYWHERE);
        for (Group each : core.groups) {
            each.wake.announceSleep(Cores.join(each).index);
            each.wake.announceSleep(Cores.join(each).index);
        }
        Worker crowded = Cores.apart(core.groups[0], 2);
        for (Task each : Cores.tasks(3)) crowded.requeue(each);
        assertEquals(0b10, core.groups[0].wake.sleepers());
        assertEquals(0b11, core.groups[1].wake.sleepers());
    }

    // ---- waking ----------------------------------------------------------------------------------------------------

    @Test
    void aBurstOfSubmissionsWakesOneWorkerAndTheLowestNumbered() {
        Group group = Cores.byHand().groups[0];
        for (int i = 0; i < 3; i++) group.wake.announceSleep(Cores.join(group).index);
        for (Task each : Cores.tasks(5)) group.submit(each);
        assertEquals(0b110, group.wake.sleepers());
        assertEquals(1, group.wake.searchers());
    }

    @Test
    void mailWakesTheWorkerItIsForAndCountsItAsASearcher() throws Exception {
        Group group = Cores.byHand().groups[0];
        Worker first = Cores.join(group);
        Worker second = Cores.join(group);
        group.wake.announceSleep(first.index);
        group.wake.announceSleep(second.index);
        Crowd.onAnotherThread(index -> second.carrier.send(Cores.task("mail")));
        assertEquals(0b01, group.wake.sleepers());
        assertEquals(1, group.wake.searchers());
    }

    @Test
    void mailForOneWhoIsAwakeWakesNobody() throws Exception {
        Group group = Cores.byHand().groups[0];
        Worker first = Cores.join(group);
        Worker second = Cores.join(group);
        group.wake.announceSleep(first.index);
        Crowd.onAnotherThread(index -> second.carrier.send(Cores.task("mail")));
        assertEquals(0b01, group.wake.sleepers());
        assertEquals(0, group.wake.searchers());
    }

    @Test
    void anotherWorkerIsWokenForTheRestOfASheaf() {
        Group group = Cores.byHand().groups[0];
        Worker taker = Cores.join(group);
        group.wake.announceSleep(Cores.join(group).index);
        group.shared.add(Sheaf.of(Cores.tasks(3)));
        taker.takeShared();
        assertEquals(0, group.wake.sleepers());
    }

    // ---- spawning --------------------------------------------------------------------------------------------------

    @Test
    void aFullGroupRefusesWithItsNumbersAndTheCure() {
        Group group = Cores.byHand(false, 2).groups[0];
        Task[] tasks = Cores.tasks(2);
        group.spawn(Sheaf.of(tasks), 2, () -> {});
        var ready = new AtomicInteger();
        var refusal = assertThrows(
                RejectedExecutionException.class, () -> group.spawn(Cores.task("more"), 1, ready::incrementAndGet));
        assertEquals(
                "no room in group 0 of scheduler test: 2 tasks queued (runQueueCapacity: 2); wait for some to finish,"
                        + " or give the scheduler a larger runQueueCapacity",
                refusal.getMessage());
        assertEquals(0, ready.get());
        assertEquals(2, group.shared.size());
    }

    @Test
    void aClosedSchedulerRefusesAndKeepsNoRoomReserved() {
        SchedulerCore core = Cores.byHand();
        core.close();
        Group group = core.groups[0];
        assertThrows(RejectedExecutionException.class, () -> group.spawn(Cores.task("late"), 1, () -> {}));
        assertFalse(group.trySubmit(Cores.task("late")));
        assertEquals(0, group.shared.size());
    }

    // ---- bound threads ---------------------------------------------------------------------------------------------

    @Test
    void numbersAndRegistriesOfWorkersThatLeftAreUsedAgain() {
        Group group = Cores.byHand().groups[0];
        Worker first = Cores.join(group);
        Worker second = Cores.join(group);
        assertEquals(0, first.index);
        assertEquals(1, second.index);
        assertNotSame(first.registry, second.registry);
        group.unbind(first.carrier);
        Worker third = Cores.join(group);
        assertEquals(0, third.index);
        assertSame(first.registry, third.registry);
    }

    @Test
    void aGroupHasAtMostSixtyFourWorkers() {
        Group group = Cores.byHand().groups[0];
        Worker last = null;
        for (int i = 0; i < 64; i++) last = Cores.join(group);
        assertEquals(63, last.index);
        var refusal = assertThrows(IllegalStateException.class, () -> Cores.join(group));
        assertEquals("group 0 of scheduler test has 64 workers already, bound threads included", refusal.getMessage());
        group.unbind(last.carrier);
        assertEquals(63, Cores.join(group).index);
    }

    // ---- the poller ------------------------------------------------------------------------------------------------

    /** What a bound thread has woken, and nobody was told of, must not wait until that thread works. */
    @Test
    void whoSleepsInThePollerLooksAgainWhenABoundThreadHasATaskInItsNextSlot() throws Exception {
        try (var scheduler = new Running(1)) {
            Group group = scheduler.group;
            Crowd.until(() -> poller.blocked != null);
            Worker bound = Cores.join(group);
            var ran = new CountDownLatch(1);
            group.wake.countSearcher(); // somebody past its last look, on whom the waker relies
            bound.wake(Tasks.of(ran::countDown));
            group.wake.stopSearching();
            poller.wakeUp(); // the sleeper is about to sleep again
            ran.await();
            group.unbind(bound.carrier);
        }
    }

    /** B7 of IdlePath: who looks into the next-slots every millisecond is not woken for them in the moments between. */
    @Test
    void fromItsSleepToItsSearchTheOwnerOfThePollerIsNotSignalledForANextSlot() {
        Group group = Cores.polling(0, () -> poller).groups[0];
        Cores.join(group); // is awake
        Worker owner = Cores.join(group);
        for (int i = 0; i < 100; i++) group.wake.noteVain();
        assertTrue(group.reactor.tryOwn(owner.carrier));
        group.reactor.beginWatch();
        group.wake.announceSleep(owner.index);
        group.reactor.block(owner);
        for (int i = 0; i < 100_000; i++) group.signalNext();
        assertTrue(group.wake.isAsleep(owner.index));
        assertTrue(group.wake.tryClear(owner.index));
        assertTrue(group.wake.tryStartSearching());
        group.reactor.leave(true);
        group.signalNext();
        assertEquals(0, poller.wakeUps.get());
    }

    @Test
    void whoLeavesThePollerAndDoesNotSearchWakesASleeper() {
        Group group = Cores.polling(0, () -> poller).groups[0];
        Worker sleeper = Cores.join(group);
        assertTrue(group.reactor.tryOwn(Cores.join(group).carrier));
        group.wake.announceSleep(sleeper.index);
        group.reactor.leave(false);
        assertFalse(group.wake.isAsleep(sleeper.index));
    }

    @Test
    void anIdleWorkerSleepsInThePollerUntilWorkComes() throws Exception {
        try (var scheduler = new Running(1)) {
            Crowd.until(() -> poller.blocked != null);
            assertEquals(Long.MAX_VALUE, poller.limit);
            int before = poller.wakeUps.get();
            scheduler.run(() -> {});
            assertTrue(poller.wakeUps.get() > before);
            Crowd.until(() -> poller.blocked != null);
        }
        assertTrue(poller.closed);
    }

    @Test
    void ofSeveralIdleWorkersOneSleepsInThePoller() throws Exception {
        try (var scheduler = new Running(3)) {
            scheduler.untilAsleep();
            Thread polling = poller.blocked;
            for (Worker each : scheduler.group.workers()) {
                if (each.carrier.thread() != polling) Crowd.untilWaiting(each.carrier.thread());
            }
            assertEquals(0b111, scheduler.group.wake.sleepers());
        }
    }

    @Test
    void whatThePollerFindsRuns() throws Exception {
        try (var scheduler = new Running(2)) {
            poller.watching = true;
            for (int i = 0; i < 100; i++) {
                var ran = new CountDownLatch(1);
                poller.happen(() -> scheduler.group.submit(Tasks.of(ran::countDown)));
                ran.await();
            }
        }
    }

    @Test
    void busyWorkersLookIntoAPollerThatWatches() throws Exception {
        try (var scheduler = new Running(1)) {
            Crowd.until(() -> poller.blocked != null);
            poller.watching = true;
            var happened = new CountDownLatch(1);
            scheduler.run(() -> poller.happen(happened::countDown)); // a worker that is busy cannot be sleeping in it
            scheduler.chain(() -> happened.getCount() > 0).await();
            happened.await();
            assertTrue(poller.looks.get() > 0);
        }
    }

    /** Its line never ends, so every look is one of those in passing: they do not stop, and there is time between them. */
    @Test
    void aWorkerThatHasMoreToRunLooksNowAndThenAndNotMoreOften() throws Exception {
        try (var scheduler = new Running(1)) {
            Crowd.until(() -> poller.blocked != null);
            int looks = 30;
            var from = new AtomicInteger();
            var began = new AtomicLong();
            var took = new AtomicLong();
            scheduler.run(
                    () -> { // from here on the worker is busy, and the two chains have always one in line
                        poller.watching = true;
                        from.set(poller.looks.get());
                        began.set(System.nanoTime());
                        for (int i = 0; i < 2; i++) scheduler.chain(() -> poller.looks.get() - from.get() < looks);
                        scheduler.chain(() -> {
                            if (poller.looks.get() - from.get() < looks) return true;
                            took.set(System.nanoTime() - began.get());
                            return false;
                        });
                    });
            Crowd.until(() -> took.get() != 0);
            assertTrue(took.get() >= (looks - 2) * Reactor.LOOK_NANOS, took + " ns for " + looks + " looks");
        }
    }

    /** An event that comes while a task runs is met by the look that follows the last task, not by a sleep in the poller. */
    @Test
    void aWorkerThatHasNothingMoreToRunLooksAtOnce() throws Exception {
        try (var scheduler = new Running(1)) {
            for (int i = 0; i < 100; i++) {
                Crowd.until(() -> poller.blocked != null);
                poller.watching = true;
                int waits = poller.waits.get();
                var seen = new AtomicInteger(-1);
                var happened = new CountDownLatch(1);
                scheduler.run(() -> poller.happen(() -> {
                    seen.set(poller.waits.get());
                    happened.countDown();
                }));
                happened.await();
                assertEquals(waits, seen.get(), "sleeps in the poller until the event was met");
            }
        }
    }

    @Test
    void busyWorkersLeaveAPollerAloneThatWatchesNothing() throws Exception {
        try (var scheduler = new Running(1)) {
            Crowd.until(() -> poller.blocked != null);
            var left = new AtomicInteger(1000);
            scheduler.chain(() -> left.decrementAndGet() > 0).await();
            assertEquals(0, poller.looks.get());
        }
    }

    // ---- timers ----------------------------------------------------------------------------------------------------

    @Test
    void theSleeperInThePollerWakesForTheNextTimer() throws Exception {
        try (var scheduler = new Running(2)) {
            scheduler.untilAsleep();
            long start = System.nanoTime();
            var fired = new CountDownLatch(1);
            scheduler.group.reactor.setTimer(new Alarm(fired::countDown), 3_000_000);
            fired.await();
            assertTrue(System.nanoTime() - start >= 3_000_000);
        }
    }

    @Test
    void anEarlierTimerWakesTheSleeperAndALaterOneDoesNot() throws Exception {
        try (var scheduler = new Running(1)) {
            Crowd.until(() -> poller.blocked != null);
            long hour = 3_600_000_000_000L;
            scheduler.group.reactor.setTimer(new Alarm(() -> {}), hour);
            Crowd.until(() -> poller.blocked != null && poller.limit <= hour + Timers.TICK_NANOS);
            int before = poller.wakeUps.get();
            int waits = poller.waits.get();
            scheduler.group.reactor.setTimer(new Alarm(() -> {}), 2 * hour);
            assertEquals(before, poller.wakeUps.get());
            scheduler.group.reactor.setTimer(new Alarm(() -> {}), hour / 2);
            assertEquals(before + 1, poller.wakeUps.get());
            Crowd.until(() -> poller.blocked != null && poller.waits.get() > waits);
            assertTrue(poller.limit <= hour / 2 + Timers.TICK_NANOS, () -> "sleeps for " + poller.limit);
        }
    }

    @Test
    void aCancelledTimerDoesNotFire() throws Exception {
        try (var scheduler = new Running(1)) {
            var fired = new CountDownLatch(1);
            var never = new Alarm(() -> {
                throw new AssertionError("cancelled and yet fired");
            });
            scheduler.group.reactor.setTimer(never, 1_000_000_000);
            assertTrue(scheduler.group.reactor.cancelTimer(never));
            scheduler.group.reactor.setTimer(new Alarm(fired::countDown), 1_000_000);
            fired.await();
            assertFalse(scheduler.group.reactor.cancelTimer(never));
        }
    }

    @Test
    void busyWorkersServeTimers() throws Exception {
        try (var scheduler = new Running(1)) {
            var fired = new CountDownLatch(1);
            scheduler.run(() -> scheduler.group.reactor.setTimer(new Alarm(fired::countDown), 0));
            scheduler.chain(() -> fired.getCount() > 0).await();
        }
    }

    private static void fill(Group group, int count) {
        for (Task each : Cores.tasks(count)) group.shared.add(each);
    }

    /** Which of this many searches found a task. */
    private static List<Integer> successes(Worker thief, int searches) {
        var found = new ArrayList<Integer>();
        for (int i = 1; i <= searches; i++) {
            if (thief.group.search(thief, false) != null) found.add(i);
        }
        return found;
    }

    /** A placement given as the node of each group. */
    private record Nodes(List<Integer> nodes) implements Placement {
        Nodes(Integer... nodes) {
            this(List.of(nodes));
        }

        @Override
        public int nodeOf(int group) {
            return nodes.get(group);
        }

        @Override
        public void pin(int group, int worker) {}
    }

    private static final class Alarm extends Timer {
        private final Runnable action;

        Alarm(Runnable action) {
            this.action = action;
        }

        @Override
        protected void fire() {
            action.run();
        }
    }

    /** A scheduler of one group with threads, over the fake poller. */
    private final class Running implements AutoCloseable {
        final SchedulerCore core;
        final Group group;

        Running(int workers) {
            core = Cores.polling(workers, () -> poller);
            group = core.groups[0];
        }

        void run(Runnable body) throws InterruptedException {
            var ran = new CountDownLatch(1);
            core.spawn(
                    Tasks.of(() -> {
                        body.run();
                        ran.countDown();
                    }),
                    -1);
            ran.await();
        }

        /** Tasks, each spawned by the one before, as long as {@code more} says. */
        CountDownLatch chain(java.util.function.BooleanSupplier more) {
            var ended = new CountDownLatch(1);
            core.spawn(
                    Tasks.of(new Runnable() {
                        @Override
                        public void run() {
                            if (more.getAsBoolean()) core.spawn(Tasks.of(this), -1);
                            else ended.countDown();
                        }
                    }),
                    -1);
            return ended;
        }

        void untilAsleep() {
            int workers = group.workers().length;
            Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == workers && poller.blocked != null);
        }

        @Override
        public void close() {
            core.close();
        }
    }
}
