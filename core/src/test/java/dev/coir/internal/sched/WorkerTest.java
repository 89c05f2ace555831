package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.internal.task.Sheaf;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Where a worker's next task comes from, and where what it queues goes. The test's thread is its carrier. */
class WorkerTest {
    private final SchedulerCore core = Cores.byHand();
    private final Group group = core.groups[0];
    private final Worker worker = Cores.apart(group, 64);

    // ---- picking ---------------------------------------------------------------------------------------------------

    @Test
    void anIdleWorkerPicksNothing() {
        for (int i = 0; i < 200; i++) assertNull(worker.pick());
    }

    @Test
    void localTasksComeInTheOrderTheyWereQueued() {
        Task[] tasks = Cores.tasks(5);
        for (Task each : tasks) worker.requeue(each);
        for (Task each : tasks) assertEquals(each, worker.pick());
        assertNull(worker.pick());
    }

    @Test
    void everySixtyFirstPickTakesTheSharedQueueFirst() {
        Task[] shared = Cores.tasks(4);
        for (Task each : shared) group.shared.add(each);
        var picks = new ArrayList<Integer>();
        for (int i = 1; i <= 200; i++) {
            worker.requeue(Cores.task("local"));
            if (Set.of(shared).contains(worker.pick())) picks.add(i);
        }
        assertEquals(List.of(61, 122, 183), picks);
    }

    @Test
    void theSharedQueueComesLastOtherwise() {
        Task shared = Cores.task("shared");
        Task local = Cores.task("local");
        Task bound = Cores.task("bound");
        group.shared.add(shared);
        worker.carrier.pushBound(bound);
        worker.requeue(local);
        assertEquals(List.of(local, bound, shared), picked(3));
    }

    @Test
    void whatIsWokenRunsNext() {
        Task queued = Cores.task("queued");
        Task woken = Cores.task("woken");
        worker.requeue(queued);
        worker.wake(woken);
        assertEquals(List.of(woken, queued), picked(2));
    }

    @Test
    void whoIsWokenLaterPushesTheEarlierIntoTheQueue() {
        Task[] woken = Cores.tasks(3);
        for (Task each : woken) worker.wake(each);
        assertEquals(List.of(woken[2], woken[0], woken[1]), picked(3));
    }

    /** P1. */
    @Test
    void theNextSlotGoesFirstAtMostThreeTimesInARow() {
        for (int i = 0; i < 10; i++) worker.requeue(Cores.task("queued"));
        var order = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            if (!worker.hasNext()) worker.wake(Cores.task("woken"));
            order.append(worker.pick().toString().charAt(0));
        }
        assertEquals("wwwqwwwqwwwqwwwq", order.toString());
    }

    @Test
    void theNextSlotIsTakenEverAgainWhileTheQueueIsEmpty() {
        for (int i = 0; i < 50; i++) {
            Task woken = Cores.task("woken " + i);
            worker.wake(woken);
            assertEquals(woken, worker.pick());
        }
    }

    @Test
    void boundAndLocalTasksTakeTurns() {
        Task[] bound = Cores.tasks(3);
        Task[] local = Cores.tasks(3);
        for (int i = 0; i < 3; i++) {
            worker.carrier.pushBound(bound[i]);
            worker.requeue(local[i]);
        }
        assertEquals(List.of(local[0], bound[0], local[1], bound[1], local[2], bound[2]), picked(6));
        assertNull(worker.pick());
    }

    /** P5: a bound task that is queued again whenever it has run, as one that joins many. */
    @Test
    void aBoundTaskWaitsForNoMoreThanThirtyTwoOthers() {
        Task bound = Cores.task("bound");
        worker.longNanos = Long.MAX_VALUE;
        assertEquals(List.of(1, 34), picksUntilShared(List.of(bound), 100));
    }

    /** P5. */
    @Test
    void aFewBoundTasksGetFewTurns() {
        worker.longNanos = Long.MAX_VALUE;
        assertEquals(12, picksUntilShared(List.of(Cores.tasks(3)), 12).size(), "a fifth of 60");
    }

    /** P5. */
    @Test
    void manyBoundTasksGetHalfOfTheTurns() {
        worker.longNanos = Long.MAX_VALUE;
        assertEquals(30, picksUntilShared(List.of(Cores.tasks(12)), 3).size());
    }

    /** P5. */
    @Test
    void aBoundTaskWaitsForOneOtherAloneWhereSlicesAreLong() {
        worker.longNanos = -1;
        List<Integer> picks = picksUntilShared(List.of(Cores.task("bound")), 100);
        assertEquals(List.of(1, 8, 10, 12), picks.subList(0, 4), "the clock is looked at on every 8th pick");
        assertEquals(27, picks.size());
    }

    /** P5: who computes without end, and is made to give way, is bound here, and another can only wait. */
    @Test
    void aBoundTaskOfLongSlicesLeavesTurnsToOthers() {
        worker.longNanos = -1;
        Task bound = Cores.task("bound");
        worker.requeue(Cores.task("local"));
        int turns = 0;
        for (int i = 0; i < 100; i++) {
            worker.sliceWasLong();
            worker.carrier.pushBound(bound);
            if (worker.pick() == bound) continue;
            turns++;
            worker.requeue(Cores.task("local"));
            worker.carrier.takeBound();
        }
        assertEquals(50, turns);
    }

    /** Everything is queued again after its slice. @return at which of the first 60 picks a bound task came */
    private List<Integer> picksUntilShared(List<Task> bound, int locals) {
        for (Task each : bound) worker.carrier.pushBound(each);
        for (int i = 0; i < locals; i++) worker.requeue(Cores.task("local"));
        var picks = new ArrayList<Integer>();
        for (int i = 0; i < 60; i++) {
            Task picked = worker.pick();
            if (bound.contains(picked)) {
                picks.add(i);
                worker.carrier.pushBound(picked);
            } else {
                worker.requeue(picked);
            }
        }
        return picks;
    }

    /** P4. */
    @Test
    void whoHasOnlyBoundTasksStealsNowAndThen() {
        Worker mine = Cores.join(group);
        Worker other = Cores.join(group);
        Task[] theirs = Cores.tasks(4);
        for (Task each : theirs) other.requeue(each);
        var picks = new ArrayList<Task>();
        for (int i = 1; i <= 62; i++) {
            mine.carrier.pushBound(Cores.task("bound"));
            picks.add(mine.pick());
        }
        assertEquals(List.of(60, 61), List.of(picks.indexOf(theirs[0]), picks.indexOf(theirs[1])));
        assertEquals(2, other.local.size());
    }

    /** P4, also when bound tasks come by mail. */
    @Test
    void whoGetsOnlyMailStealsNowAndThen() throws Exception {
        Worker mine = Cores.join(group);
        Worker other = Cores.join(group);
        Task theirs = Cores.task("theirs");
        other.requeue(theirs);
        for (int i = 1; i <= 60; i++) {
            mine.carrier.pushBound(Cores.task("bound"));
            assertEquals("bound", mine.pick().toString());
        }
        Crowd.run(1, sender -> mine.carrier.send(Cores.task("mail")));
        assertEquals(theirs, mine.pick());
    }

    /** What this worker leaves for others is told to other groups as well, when nobody sleeps in its own. */
    @Test
    void whatIsRequeuedBeforeABoundTaskRunsWakesAnotherGroup() {
        SchedulerCore core = Cores.stealing(2, 1, 1, Placement.ANYWHERE);
        Worker busy = Cores.join(core.groups[0]);
        Worker sleeper = Cores.join(core.groups[1]);
        busy.requeue(Cores.task("first"));
        busy.pick();
        core.groups[1].wake.announceSleep(sleeper.index);
        busy.requeue(Cores.task("left for others"));
        busy.carrier.pushBound(Cores.task("bound"));
        assertEquals("bound", busy.pick().toString());
        assertFalse(core.groups[1].wake.isAsleep(sleeper.index));
    }

    /** Workers of other groups look into no next-slots, so to them it makes a difference which of the two is left. */
    @Test
    void whatIsRequeuedBeforeTheNextSlotIsTakenWakesAnotherGroup() {
        SchedulerCore core = Cores.stealing(2, 1, 1, Placement.ANYWHERE);
        Worker busy = Cores.join(core.groups[0]);
        Worker sleeper = Cores.join(core.groups[1]);
        busy.wake(Cores.task("woken"));
        core.groups[1].wake.announceSleep(sleeper.index);
        busy.requeue(Cores.task("left for others"));
        assertTrue(core.groups[1].wake.isAsleep(sleeper.index));
        assertEquals("woken", busy.pick().toString());
        assertFalse(core.groups[1].wake.isAsleep(sleeper.index));
    }

    @Test
    void whatIsRequeuedBeforeTheNextSlotIsTakenWakesNobodyOfTheOwnGroup() {
        SchedulerCore core = Cores.stealing(2, 1, 1, Placement.ANYWHERE);
        Worker busy = Cores.join(core.groups[0]);
        Worker near = Cores.join(core.groups[0]);
        Worker far = Cores.join(core.groups[1]);
        busy.wake(Cores.task("woken"));
        core.groups[0].wake.announceSleep(near.index);
        core.groups[1].wake.announceSleep(far.index);
        busy.requeue(Cores.task("in its turn"));
        assertEquals("woken", busy.pick().toString());
        assertTrue(core.groups[0].wake.isAsleep(near.index));
        assertTrue(core.groups[1].wake.isAsleep(far.index));
    }

    @Test
    void theNextSlotDoesNotStarveBoundTasks() {
        Task bound = Cores.task("bound");
        worker.carrier.pushBound(bound);
        int others = 0;
        while (true) {
            worker.wake(Cores.task("woken"));
            if (worker.pick() == bound) break;
            others++;
            worker.local.take();
        }
        assertTrue(others <= 1, () -> "it had to wait");
    }

    @Test
    void boundTasksAloneComeInOrder() {
        Task[] bound = Cores.tasks(70);
        for (Task each : bound) worker.carrier.pushBound(each);
        assertEquals(List.of(bound), picked(70));
    }

    @Test
    void mailIsCollectedAndKeepsItsOrder() throws Exception {
        Task[] mail = Cores.tasks(3);
        Crowd.onAnotherThread(index -> {
            for (Task each : mail) worker.carrier.send(each);
        });
        assertTrue(worker.carrier.hasMail());
        assertEquals(List.of(mail), picked(3));
        assertFalse(worker.carrier.hasMail());
    }

    @Test
    void whatTheCarrierSendsItselfNeedsNoMail() {
        Worker here = Cores.apart(group, 64);
        Task own = Cores.task("own");
        here.carrier.send(own);
        assertEquals(own, here.carrier.takeBound(), "before any mail was collected");
    }

    @Test
    void everyEighthPickFiresTimers() {
        var fired = new AtomicInteger();
        for (int i = 0; i < 7; i++) worker.pick();
        group.reactor.setTimer(
                new Timer() {
                    @Override
                    protected void fire() {
                        fired.incrementAndGet();
                    }
                },
                0);
        Crowd.until(group.reactor.timers::isDue);
        worker.pick();
        assertEquals(1, fired.get());
    }

    // ---- the shared queue
    // --------------------------------------------------------------------------------------------

    @Test
    void aSheafFromTheSharedQueueGoesIntoTheLocalQueueButForItsFirst() {
        Task[] tasks = Cores.tasks(5);
        group.shared.add(Sheaf.of(tasks.clone()));
        assertEquals(tasks[0], worker.takeShared());
        assertEquals(0, group.shared.size());
        assertEquals(4, worker.local.size());
        assertEquals(List.of(tasks).subList(1, 5), picked(4));
    }

    @Test
    void anOverflowUsesTheSheafThatWasEmptiedLast() {
        Worker small = Cores.apart(group, 4);
        for (Task each : Cores.tasks(5)) small.requeue(each);
        Task sheaf = group.shared.take();
        group.shared.add(sheaf);
        for (int i = 0; i < 5; i++) assertTrue(small.pick() != null);
        Task[] tasks = Cores.tasks(5);
        for (Task each : tasks) small.requeue(each);
        assertSame(sheaf, group.shared.take());
        assertEquals(List.of(tasks[0], tasks[1], tasks[4]), tasksOf(sheaf));
    }

    @Test
    void aSheafOfAnotherSizeIsNotKept() {
        Worker small = Cores.apart(group, 4);
        var sheaf = Sheaf.of(Cores.tasks(2));
        group.shared.add(sheaf);
        for (int i = 0; i < 2; i++) assertTrue(small.pick() != null);
        for (Task each : Cores.tasks(5)) small.requeue(each);
        assertNotSame(sheaf, group.shared.take());
    }

    @Test
    void aFullQueueMovesItsOlderHalfToTheSharedQueue() {
        Worker small = Cores.apart(group, 4);
        Task[] tasks = Cores.tasks(5);
        for (Task each : tasks) small.requeue(each);
        assertEquals(2, small.local.size());
        assertEquals(3, group.shared.size());
        assertEquals(3, small.overflowed);
        assertEquals(List.of(tasks[0], tasks[1], tasks[4]), tasksOf(group.shared.take()));
        assertEquals(tasks[2], small.pick());
        assertEquals(tasks[3], small.pick());
    }

    @Test
    void aSheafLargerThanTheLocalQueueLosesNothing() {
        Worker small = Cores.apart(group, 2);
        Task[] tasks = Cores.tasks(100);
        group.shared.add(Sheaf.of(tasks.clone()));
        var seen = new HashSet<Task>();
        for (int i = 0; i < 100; i++) assertTrue(seen.add(small.pick()), "twice");
        assertEquals(Set.of(tasks), seen);
        assertNull(small.pick());
        assertEquals(0, group.shared.size());
    }

    @Test
    void aSpawnFindsRoomInTheSharedQueueWhenTheLocalOneIsFull() {
        Worker small = Cores.apart(group, 2);
        Task[] tasks = Cores.tasks(3);
        for (Task each : tasks) assertTrue(small.trySpawn(each));
        assertEquals(2, group.shared.size());
        assertEquals(1, small.local.size());
    }

    @Test
    void aSpawnThatFindsNoRoomAnywhereChangesNothing() {
        Group full = Cores.byHand(false, 2).groups[0];
        Worker small = Cores.apart(full, 2);
        Task[] tasks = Cores.tasks(4);
        for (int i = 0; i < 3; i++) assertTrue(small.trySpawn(tasks[i]));
        assertTrue(small.trySpawn(tasks[3]), "one more place in the local queue");
        assertTrue(full.shared.isFull());
        Task refused = Cores.task("refused");
        assertFalse(small.trySpawn(refused));
        assertNull(Tasks.unlink(refused));
        assertEquals(2, full.shared.size());
        assertEquals(2, small.local.size());
        var seen = new HashSet<Task>();
        for (int i = 0; i < 4; i++) seen.add(small.pick());
        assertEquals(Set.of(tasks), seen);
    }

    @Test
    void aResumeFindsRoomBeyondTheCapacity() {
        Group full = Cores.byHand(false, 2).groups[0];
        Worker small = Cores.apart(full, 2);
        Task[] tasks = Cores.tasks(20);
        for (Task each : tasks) small.wake(each);
        var seen = new HashSet<Task>();
        for (int i = 0; i < 20; i++) seen.add(small.pick());
        assertEquals(Set.of(tasks), seen);
    }

    /** Else what overflows would take the place of what is being stolen. */
    @Test
    void noMoreIsStolenThanTheThiefHasRoomFor() {
        Worker thief = Cores.apart(group, 4);
        Task kept = Cores.task("kept");
        thief.requeue(kept);
        Task[] tasks = Cores.tasks(20);
        for (Task each : tasks) worker.requeue(each);
        assertEquals(tasks[0], thief.stealFrom(worker));
        assertEquals(List.of(kept, tasks[1], tasks[2]), List.of(thief.pick(), thief.pick(), thief.pick()));
        assertEquals(17, worker.local.size());
        assertEquals(0, group.shared.size());
    }

    @Test
    void whereAllShareOneQueueAWorkerKeepsNothing() {
        Group sharing = Cores.byHand(true, 1024).groups[0];
        Worker bare = Cores.apart(sharing, 0);
        Task[] tasks = Cores.tasks(3);
        bare.requeue(tasks[0]);
        bare.wake(tasks[1]);
        assertTrue(bare.trySpawn(tasks[2]));
        assertEquals(3, sharing.shared.size());
        assertFalse(bare.hasLocal());
        assertFalse(bare.hasNext());
        Worker other = Cores.apart(sharing, 0);
        assertNull(other.stealFrom(bare));
        assertEquals(tasks[0], other.pick());
        assertEquals(tasks[1], bare.pick());
        assertEquals(tasks[2], other.pick());
    }

    @Test
    void whereAllShareOneQueueNoSheafIsMadeForATask() {
        Group sharing = Cores.byHand(true, 8).groups[0];
        Worker bare = Cores.apart(sharing, 0);
        Task[] tasks = Cores.tasks(2);
        bare.trySpawn(tasks[0]);
        bare.requeue(tasks[1]);
        assertSame(tasks[0], sharing.shared.take());
        assertSame(tasks[1], sharing.shared.take());
    }

    @Test
    void whereAllShareOneQueueAFullOneRefuses() {
        Group sharing = Cores.byHand(true, 2).groups[0];
        Worker bare = Cores.apart(sharing, 0);
        assertTrue(bare.trySpawn(Cores.task("a")));
        assertTrue(bare.trySpawn(Cores.task("b")));
        assertFalse(bare.trySpawn(Cores.task("c")));
        assertEquals(2, sharing.shared.size());
    }

    @Test
    void abandonedQueuesGoToTheSharedQueueWithTheNextSlot() {
        Task[] tasks = Cores.tasks(10);
        for (int i = 0; i < 9; i++) worker.requeue(tasks[i]);
        worker.wake(tasks[9]);
        worker.abandonQueues();
        assertFalse(worker.hasLocal());
        assertFalse(worker.hasNext());
        assertEquals(10, group.shared.size());
        var seen = new HashSet<Task>();
        for (int i = 0; i < 10; i++) seen.add(group.shared.take());
        assertEquals(Set.of(tasks), seen);
    }

    // ---- stealing --------------------------------------------------------------------------------------------------

    @Test
    void aThiefTakesTheOlderHalfRoundedUp() {
        Worker thief = Cores.apart(group, 64);
        for (int count : new int[] {1, 2, 3, 4, 5, 63, 64}) {
            Task[] tasks = Cores.tasks(count);
            for (Task each : tasks) worker.requeue(each);
            int half = (count + 1) / 2;
            long before = thief.stolen;
            var stolen = new ArrayList<Task>();
            stolen.add(thief.stealFrom(worker));
            for (Task each; (each = thief.local.take()) != null; ) stolen.add(each);
            assertEquals(List.of(tasks).subList(0, half), stolen);
            assertEquals(half, thief.stolen - before);
            var left = new ArrayList<Task>();
            for (Task each; (each = worker.local.take()) != null; ) left.add(each);
            assertEquals(List.of(tasks).subList(half, count), left);
        }
        assertNull(thief.stealFrom(worker));
    }

    @Test
    void aThiefTakesTheNextSlotOnlyWhenItAsksForIt() {
        Worker thief = Cores.apart(group, 64);
        Task woken = Cores.task("woken");
        worker.wake(woken);
        assertNull(thief.stealFrom(worker));
        assertEquals(woken, thief.stealNextOf(worker));
        assertNull(thief.stealNextOf(worker));
        assertNull(worker.pick());
        assertEquals(1, thief.stolen);
    }

    @Test
    void randomVictimsAreAllOfThem() {
        var seen = new HashSet<Integer>();
        for (int i = 0; i < 1000; i++) {
            int number = worker.nextRandom(7);
            assertTrue(number >= 0 && number < 7, () -> "victim " + number + " of 7");
            seen.add(number);
        }
        assertEquals(7, seen.size());
    }

    private List<Task> picked(int count) {
        var all = new ArrayList<Task>();
        for (int i = 0; i < count; i++) all.add(worker.pick());
        return all;
    }

    private static List<Task> tasksOf(Task element) {
        var sheaf = (Sheaf) element;
        var all = new ArrayList<Task>();
        while (sheaf.size() != 0) all.add(sheaf.takeFirst());
        return all;
    }
}
