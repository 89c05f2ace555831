package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Tasks;
import dev.coir.testing.Crowd;
import dev.coir.testing.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Slots moved by hand. The group's own carriers have threads that do not run, unless a test starts them; spare ones run, but
 * cannot begin while the test holds the lock.
 */
@ExtendWith(Watchdog.class)
class SlotsTest {
    private final List<SchedulerCore> cores = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private final List<Boolean> reportedUnderLock = new ArrayList<>();

    private Group group(int slots, int maxSpares, Duration keepAlive, Poller poller) {
        var c = Cores.config(0, 1);
        var core = new SchedulerCore(new SchedulerConfig(
                c.name(),
                0,
                1,
                false,
                1024,
                0,
                0,
                0,
                maxSpares,
                c.timeSlice(),
                keepAlive,
                c.stallThreshold(),
                new Exhaustions(),
                c.placement(),
                c.pollers(),
                null));
        cores.add(core);
        var group = new Group(core, 1, 0, slots, poller);
        groups.add(group);
        return group;
    }

    private Group group(int slots, int maxSpares) {
        return group(slots, maxSpares, Duration.ofDays(1), Pollers.DEFAULT.get());
    }

    @AfterEach
    void everyThreadEnds() throws InterruptedException {
        cores.forEach(SchedulerCore::close);
        for (Group group : groups) {
            group.wakeAll();
            for (Carrier carrier : group.slots.carriers()) {
                Thread thread = carrier.thread();
                boolean ended = thread.getState() == Thread.State.NEW || thread.join(Duration.ofSeconds(20));
                assertTrue(ended, thread + " still runs");
            }
        }
    }

    private static Carrier carrier(Group group, int slot) {
        return Objects.requireNonNull(group.workers()[slot]).carrier;
    }

    private static void assertHolds(Group group, int slot, Carrier carrier) {
        assertSame(carrier.worker, group.workers()[slot]);
        assertEquals(slot, carrier.worker.index);
        assertEquals(Slots.HELD, carrier.hold());
        assertFalse(List.of(group.slots.others()).contains(carrier.worker));
    }

    private static void assertHasNone(Group group, Carrier carrier) {
        assertEquals(Worker.NOWHERE, carrier.worker.index);
        assertEquals(Slots.NONE, carrier.hold());
        assertEquals(
                1,
                List.of(group.slots.others()).stream()
                        .filter(carrier.worker::equals)
                        .count());
    }

    // ---- giving up -------------------------------------------------------------------------------------------------

    @Test
    void whoHandsOffHasNoSlotAndANewThreadHasIt() {
        Group group = group(2, 1);
        Carrier from = carrier(group, 1);
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            assertHasNone(group, from);
            assertHolds(group, 1, carrier(group, 1));
            assertHolds(group, 0, carrier(group, 0));
            assertEquals(3, group.slots.carriers().size());
            assertEquals(1, group.core.spares.get());
        }
    }

    @Test
    void whoHasNoSlotNeedNotHandOff() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            assertTrue(group.slots.handOff(from));
            assertEquals(1, group.core.spares.get());
        }
    }

    @Test
    void beyondTheCapASlotStaysWhereItIs() {
        Group group = group(2, 1);
        Carrier first = carrier(group, 0);
        Carrier second = carrier(group, 1);
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(first));
            assertFalse(group.slots.handOff(second));
            assertHolds(group, 1, second);
            assertEquals(1, group.core.spares.get());
        }
    }

    // ---- taken by the monitor --------------------------------------------------------------------------------------

    @Test
    void theSlotOfABlockedSliceIsTaken() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        synchronized (group.slots) {
            assertTrue(from.casHold(Slots.HELD, Slots.ASKED));
            assertTrue(group.slots.take(from, from.slicesEnded()));
            assertHasNone(group, from);
            assertHolds(group, 0, carrier(group, 0));
        }
    }

    @Test
    void theSlotOfAnotherSliceIsNotTaken() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        assertTrue(from.casHold(Slots.HELD, Slots.ASKED));
        from.worker.countSlice();
        assertFalse(group.slots.take(from, from.slicesEnded() - 1));
        assertHolds(group, 0, from);
    }

    @Test
    void aSlotThatIsNotAskedForIsNotTaken() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        assertFalse(group.slots.take(from, from.slicesEnded()));
        assertHolds(group, 0, from);
    }

    /** The report is made by code of the user, which may need the scheduler. */
    @Test
    void thatThereIsNoSpareIsReportedOutsideTheLock() {
        Group group = group(1, 0);
        Carrier from = carrier(group, 0);
        assertTrue(from.casHold(Slots.HELD, Slots.ASKED));
        assertFalse(group.slots.take(from, from.slicesEnded()));
        assertHolds(group, 0, from);
        assertEquals(List.of(false), reportedUnderLock);
    }

    // ---- taking back -----------------------------------------------------------------------------------------------

    @Test
    void aSlotThatNobodyUsesIsTakenBack() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            Carrier standIn = carrier(group, 0);
            assertTrue(group.slots.tryTakeBack(from));
            assertHolds(group, 0, from);
            assertHasNone(group, standIn);
            assertTrue(group.slots.tryTakeBack(from), "it has one already");
        }
    }

    @Test
    void aSlotInUseIsNotTakenBack() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        assertTrue(group.slots.handOff(from));
        Carrier standIn = carrier(group, 0);
        Crowd.until(() -> group.wake.isAsleep(0));
        assertFalse(group.slots.tryTakeBack(from));
        assertHasNone(group, from);
        assertHolds(group, 0, standIn);
    }

    /** A stand-in takes its time to wake; a row of short calls must not make a thread for each. */
    @Test
    void whoseSlotIsTakenBackStandsInAgainAtOnce() {
        Group group = group(1, 5);
        Carrier from = carrier(group, 0);
        synchronized (group.slots) {
            for (int i = 0; i < 10; i++) {
                assertTrue(group.slots.handOff(from));
                assertTrue(group.slots.tryTakeBack(from));
            }
            assertEquals(1, group.core.spares.get());
        }
    }

    // ---- claiming --------------------------------------------------------------------------------------------------

    /** A spare is about to begin and has no mail; then some comes, for which nobody is woken, and then its slot is gone. */
    @Test
    void whoseSlotIsTakenBackFindsItsMail() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        Carrier spare;
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            spare = carrier(group, 0);
            assertTrue(group.slots.tryTakeBack(from));
        }
        awaitState(spare, Thread.State.TIMED_WAITING); // it has used up what woke it
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            awaitState(spare, Thread.State.BLOCKED);
            spare.send(Tasks.of(() -> {}));
            assertTrue(group.slots.tryTakeBack(from));
        }
        while (!group.slots.isClaimed()) Thread.onSpinWait();
    }

    private static void awaitState(Carrier carrier, Thread.State wanted) {
        while (carrier.thread().getState() != wanted) Thread.onSpinWait();
    }

    @Test
    void nobodyGivesWayWhenNobodyClaims() {
        Group group = group(1, 1);
        assertFalse(group.slots.giveWay(carrier(group, 0)));
        assertHolds(group, 0, carrier(group, 0));
    }

    /** Two slots: of one the carrier blocks, claims, and its stand-in is busy; the other's carrier is driven by the test. */
    private final class Claiming {
        final Group group = group(2, 1);
        final Carrier blocked = carrier(group, 0);
        final Carrier giver = carrier(group, 1);
        final CountDownLatch standInMayEnd = new CountDownLatch(1);
        final CountDownLatch begun = new CountDownLatch(1);

        Claiming() {
            var mayEnd = new CountDownLatch(1);
            var busy = new CountDownLatch(1);
            group.submit(Tasks.of(() -> {
                assertTrue(Handoff.beginBlocking());
                await(mayEnd);
                Handoff.awaitSlot(blocked);
                begun.countDown();
            }));
            blocked.thread().start();
            Crowd.until(() -> blocked.hold() == Slots.NONE);
            group.submit(Tasks.of(() -> {
                busy.countDown();
                await(standInMayEnd);
            }));
            await(busy);
            mayEnd.countDown();
            Crowd.until(group.slots::isClaimed);
        }
    }

    @Test
    void whoGivesWayHasNoSlotAndTheClaimantHasIt() {
        var c = new Claiming();
        assertTrue(c.group.slots.giveWay(c.giver));
        assertHasNone(c.group, c.giver);
        assertFalse(c.group.slots.isClaimed());
        await(c.begun);
        assertHolds(c.group, 1, c.blocked);
        c.standInMayEnd.countDown();
    }

    @Test
    void whoBlocksGivesItsSlotToAClaimantFirst() {
        var c = new Claiming();
        assertTrue(c.group.slots.handOff(c.giver));
        await(c.begun);
        assertHolds(c.group, 1, c.blocked);
        assertEquals(1, c.group.core.spares.get());
        c.standInMayEnd.countDown();
    }

    /** L4: the monitor asks just when the slot was given and its new carrier has not woken. */
    @Test
    void whoIsAskedForItsSlotBeforeItHasBegunDoesNotClaimAnother() {
        var c = new Claiming();
        synchronized (c.group.slots) {
            assertTrue(c.group.slots.giveWay(c.giver));
            assertTrue(c.blocked.casHold(Slots.HELD, Slots.ASKED));
        }
        await(c.begun);
        assertFalse(c.group.slots.isClaimed());
        assertEquals(1, c.blocked.worker.index);
        c.standInMayEnd.countDown();
    }

    @Test
    void nobodyWaitsForASlotOfAStoppedScheduler() {
        var c = new Claiming();
        c.group.core.close();
        c.group.wakeAll();
        await(c.begun);
        c.standInMayEnd.countDown();
    }

    // ---- at rest ---------------------------------------------------------------------------------------------------

    /** L5: between its last slice and its rest it may hold tasks that stand in no queue. */
    @Test
    void aGroupIsNotIdleBeforeWhoLostItsSlotIsAtRest() {
        Group group = group(1, 1);
        Carrier from = carrier(group, 0);
        assertTrue(group.slots.handOff(from));
        Crowd.until(() -> group.wake.isAsleep(0));
        assertFalse(group.looksIdle());
        from.thread().start();
        Crowd.until(group::looksIdle);
    }

    @Test
    void aSpareThreadThatNobodyNeedsEnds() throws Exception {
        Group group = group(1, 1, Duration.ofMillis(1), Pollers.DEFAULT.get());
        Carrier from = carrier(group, 0);
        Carrier spare = spareOf(group, from);
        spare.thread().join();
        assertEquals(List.of(from), group.slots.carriers());
        assertEquals(0, group.slots.others().length);
        assertEquals(0, group.core.spares.get());
    }

    /** A light fiber that began on a thread which ends would never run again. */
    @Test
    void aThreadThatEndsTakesNothingFromTheQueue() throws Exception {
        Group group = group(1, 1, Duration.ofMillis(1), Pollers.DEFAULT.get());
        group.shared.add(Cores.task("for others"));
        spareOf(group, carrier(group, 0)).thread().join();
        assertEquals(1, group.shared.size());
        group.shared.takeOne();
    }

    /** A spare carrier that stands by, without a slot. */
    private static Carrier spareOf(Group group, Carrier from) {
        synchronized (group.slots) {
            assertTrue(group.slots.handOff(from));
            Carrier spare = carrier(group, 0);
            assertTrue(group.slots.tryTakeBack(from));
            return spare;
        }
    }

    @Test
    void aThreadToWhichSomethingWillBeSentStays() throws Exception {
        Group group = group(1, 1, Duration.ofMillis(1), Pollers.DEFAULT.get());
        Carrier spare;
        synchronized (group.slots) {
            spare = spareOf(group, carrier(group, 0));
            assertTrue(group.slots.tryAnchor(spare));
        }
        assertFalse(spare.thread().join(Duration.ofMillis(20)));
        assertEquals(1, group.core.spares.get());
    }

    @Test
    void nothingMayBeSentToAThreadThatEnds() throws Exception {
        Group group = group(1, 1, Duration.ofMillis(1), Pollers.DEFAULT.get());
        Carrier spare = spareOf(group, carrier(group, 0));
        spare.thread().join();
        assertFalse(group.slots.tryAnchor(spare));
    }

    // ---- what those without a slot leave behind --------------------------------------------------------------------

    /** All slots sleep, but a task stands in the next-slot of a carrier that has lost its slot: somebody must look again. */
    @Test
    void theLastSleeperDoesNotForgetANextSlotThatIsLeftBehind() {
        var poller = new FakePoller();
        Group group = group(1, 1, Duration.ofDays(1), poller);
        Carrier from = carrier(group, 0);
        synchronized (group.slots) {
            from.worker.wake(Tasks.of(() -> {}));
            assertTrue(group.slots.handOff(from));
            Carrier standIn = carrier(group, 0);
            assertTrue(group.reactor.tryOwn(standIn));
            group.reactor.beginWatch();
            group.wake.announceSleep(0);
            group.reactor.block(standIn.worker);
            assertTrue(group.wake.tryClear(0));
            group.reactor.leave(false);
        }
        assertTrue(poller.limit < Duration.ofSeconds(1).toNanos(), poller.limit + " ns");
    }

    /** L6: it would else leave the carrier, and move the slot of one that does something else by then. */
    @Test
    void aVirtualThreadThatWaitsForTheLockStaysOnItsCarrier() throws Exception {
        try (var scheduler = Scheduler.start(1)) {
            Group group = Objects.requireNonNull(SchedulerCore.of(scheduler)).groups[0];
            Carrier carrier = carrier(group, 0);
            Fiber<String> fiber;
            Crowd.until(() -> group.wake.isAsleep(0));
            synchronized (group.slots) {
                fiber = Fiber.go(scheduler, () -> Fiber.blocking(() -> "called"));
                int[] looks = {0}; // in a row: it is blocked for a moment also when it then leaves
                Crowd.until(() -> {
                    boolean blocked = carrier.thread().getState() == Thread.State.BLOCKED;
                    looks[0] = blocked ? looks[0] + 1 : 0;
                    return looks[0] == 10_000;
                });
                assertSame(fiber, carrier.running());
            }
            assertEquals("called", fiber.join());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private final class Exhaustions implements Findings {
        @Override
        public void stalled(String thread, Object task, long nanos, boolean blocked, List<StackTraceElement> stack) {}

        @Override
        public void exhausted(int spares, Object task, List<StackTraceElement> stack) {
            reportedUnderLock.add(Thread.holdsLock(groups.getLast().slots));
        }

        @Override
        public void asleep(List<Live> fibers) {}
    }
}
