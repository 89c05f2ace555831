package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.internal.task.Tasks;
import dev.coir.testing.Crowd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a carrier falls asleep and wakes, and that nothing is left to wait while another sleeps. */
class CarrierTest {
    // ---- nothing waits while somebody sleeps -----------------------------------------------------------------------

    /** Two tasks come between the last search and the sleep: who stays awake for them runs one and wakes for the other. */
    @Test
    void whatIsFoundWhileFallingAsleepWakesTheNextSleeper() throws Exception {
        SchedulerCore core = Cores.byHand();
        Group group = core.groups[0];
        var sleeper = new Bound(core);
        sleeper.untilAsleep();
        Carrier own = core.bind();
        var second = new CountDownLatch(1);
        var firstEnded = new AtomicBoolean();
        int[] looks = {0};
        own.waits.workUntil(() -> {
            if (++looks[0] == 1 + IdlePath.SEARCH_ROUNDS) {
                group.submit(Tasks.of(() -> {
                    await(second);
                    firstEnded.set(true);
                    own.nudge();
                }));
                group.submit(Tasks.of(second::countDown));
            }
            return firstEnded.get();
        });
        sleeper.stop();
        core.unbind(own);
        core.close();
    }

    /** A timer makes a fiber runnable that only the thread in the poller can run: another must take its place there. */
    @Test
    void whoLeavesThePollerToRunItsOwnFiberIsReplacedThere() throws Exception {
        var poller = new FakePoller();
        SchedulerCore core = Cores.polling(2, () -> poller);
        Group group = core.groups[0];
        Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == 2 && poller.blocked != null);
        var replaced = new CountDownLatch(1);
        group.reactor.setTimer(
                new Timer() {
                    @Override
                    protected void fire() {
                        Carrier here = Carrier.current();
                        here.send(Tasks.of(() -> {
                            Crowd.until(() -> poller.blocked != null);
                            replaced.countDown();
                        }));
                    }
                },
                20_000_000);
        replaced.await();
        core.close();
        assertEquals(0, poller.overlaps.get());
    }

    /** A worker falls asleep just while a busy one looks into the poller, and so cannot sleep there itself. */
    @Test
    void aPollerThatWasOnlyLookedIntoGetsItsSleeperBack() throws Exception {
        var poller = new FakePoller();
        SchedulerCore core = Cores.polling(2, () -> poller);
        Group group = core.groups[0];
        var otherRuns = new CountDownLatch(1);
        var releaseOther = new CountDownLatch(1);
        var looking = new CountDownLatch(1);
        var releaseLook = new CountDownLatch(1);
        var watchedAgain = new CountDownLatch(1);
        var other = new AtomicReference<Carrier>();
        core.spawn(
                Tasks.of(() -> {
                    await(otherRuns);
                    Carrier here = Carrier.current();
                    for (int i = 0; i < 20; i++) here.pushBound(Tasks.of(() -> {}));
                    here.pushBound(Tasks.of(() -> {
                        Crowd.until(() -> poller.blocked != null);
                        watchedAgain.countDown();
                    }));
                    poller.onLook = () -> {
                        poller.onLook = null;
                        poller.watching = false;
                        looking.countDown();
                        await(releaseLook);
                    };
                    poller.watching = true;
                }),
                -1);
        core.spawn(
                Tasks.of(() -> {
                    other.set(Carrier.current());
                    otherRuns.countDown();
                    await(releaseOther);
                }),
                -1);
        await(looking);
        releaseOther.countDown();
        Crowd.until(() -> group.wake.isAsleep(other.get().worker.index));
        Crowd.untilWaiting(other.get().thread());
        releaseLook.countDown();
        await(watchedAgain);
        core.close();
        assertEquals(0, poller.overlaps.get());
    }

    @Test
    void aSleeperThatGotWorkIsReplacedInThePoller() throws Exception {
        var poller = new FakePoller();
        SchedulerCore core = Cores.polling(2, () -> poller);
        Group group = core.groups[0];
        for (int i = 0; i < 50; i++) {
            Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == 2 && poller.blocked != null);
            var done = new CountDownLatch(1);
            core.spawn(
                    Tasks.of(() -> {
                        Crowd.until(() -> poller.blocked != null && poller.blocked != Thread.currentThread());
                        done.countDown();
                    }),
                    -1);
            await(done);
        }
        core.close();
    }

    /** Where nothing is watched, a lone task wakes one worker and no second one. */
    @Test
    void aLoneTaskLeavesTheOthersAsleep() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(4, 1));
        Group group = core.groups[0];
        Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == 4);
        long before = group.wake.awakenings();
        for (int i = 0; i < 100; i++) {
            var done = new CountDownLatch(1);
            core.spawn(Tasks.of(done::countDown), -1);
            await(done);
            Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == 4);
        }
        long woken = group.wake.awakenings() - before;
        assertTrue(woken < 150, () -> "awakenings: " + woken); // one each, and now and then one that was falling asleep
        core.close();
    }

    /** Nobody is at the poller, since nothing had to be waited for; the timer of a task that runs on must not wait for it. */
    @Test
    void aTimerSetByALoneTaskFiresWhileTheTaskRuns() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(2, 1));
        Group group = core.groups[0];
        for (int i = 0; i < 100; i++) {
            Crowd.until(() -> Long.bitCount(group.wake.sleepers()) == 2);
            var fired = new CountDownLatch(1);
            var done = new CountDownLatch(1);
            core.spawn(
                    Tasks.of(() -> {
                        group.reactor.setTimer(
                                new Timer() {
                                    @Override
                                    protected void fire() {
                                        fired.countDown();
                                    }
                                },
                                50_000);
                        while (fired.getCount() != 0) Thread.onSpinWait();
                        done.countDown();
                    }),
                    -1);
            await(done);
        }
        core.close();
    }

    /** A poller that fails, waiting or not, does not take its worker along. */
    @Test
    void aPollerThatThrowsIsReportedAndPolledAgain() throws Exception {
        var poller = new FakePoller();
        var reported = new AtomicInteger();
        SchedulerCore core = Cores.polling(1, () -> poller, (thread, failure) -> reported.incrementAndGet());
        poller.failure = new IllegalStateException("of the test's own");
        Crowd.until(() -> {
            poller.wakeUp();
            return reported.get() >= 3;
        });
        poller.watching = true;
        runMany(core, 100);
        assertTrue(poller.looks.get() > 0);
        poller.failure = null;
        Crowd.until(() -> poller.blocked != null);
        runMany(core, 1);
        core.close();
    }

    private static void runMany(SchedulerCore core, int count) throws Exception {
        var done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) core.spawn(Tasks.of(done::countDown), -1);
        done.await();
    }

    /** A task in a next-slot is not seen by whoever falls asleep; it must be watched all the same. */
    @Test
    void aTaskInTheNextSlotOfABusyWorkerIsRunByAnother() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(2, 1));
        for (int i = 0; i < 50; i++) {
            var woken = new CountDownLatch(1);
            var done = new CountDownLatch(1);
            core.spawn(
                    Tasks.of(() -> {
                        Carrier.current().worker.wake(Tasks.of(woken::countDown));
                        await(woken);
                        done.countDown();
                    }),
                    -1);
            await(done);
        }
        core.close();
    }

    // ---- mail ------------------------------------------------------------------------------------------------------

    @Test
    void mailWakesItsCarrierWhereverItSleeps() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(3, 1));
        Group group = core.groups[0];
        for (int i = 0; i < 300; i++) {
            Carrier to = group.workers()[i % 3].carrier;
            if (i % 2 == 0) Crowd.until(() -> group.wake.sleepers() == 0b111);
            var ranOn = new AtomicReference<Thread>();
            var done = new CountDownLatch(1);
            to.send(Tasks.of(() -> {
                ranOn.set(Thread.currentThread());
                done.countDown();
            }));
            await(done);
            assertSame(to.thread(), ranOn.get());
        }
        core.close();
    }

    @Test
    void mailForABoundThreadWaitsUntilItWorks() throws Exception {
        SchedulerCore core = Cores.byHand();
        Carrier own = core.bind();
        var ran = new AtomicBoolean();
        Crowd.onAnotherThread(index -> own.send(Tasks.of(() -> ran.set(true))));
        assertFalse(ran.get());
        assertTrue(own.hasBoundFibers());
        own.waits.workUntil(ran::get);
        assertFalse(own.hasBoundFibers());
        core.unbind(own);
    }

    // ---- tasks and their thread ------------------------------------------------------------------------------------

    @Test
    void anInterruptThatATaskLeavesBehindDoesNotReachTheNext() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(1, 1));
        var interrupted = new AtomicReference<Boolean>();
        var done = new CountDownLatch(1);
        core.spawn(Tasks.of(() -> Thread.currentThread().interrupt()), -1);
        core.spawn(
                Tasks.of(() -> {
                    interrupted.set(Thread.currentThread().isInterrupted());
                    done.countDown();
                }),
                -1);
        await(done);
        assertEquals(false, interrupted.get());
        core.close();
    }

    /** Else it would never sleep again: parking returns at once in an interrupted thread. */
    @Test
    void aWorkerThatIsInterruptedInItsSleepForgetsIt() {
        SchedulerCore core = new SchedulerCore(Cores.config(2, 1));
        Group group = core.groups[0];
        Crowd.until(() -> group.wake.sleepers() == 0b11);
        for (Worker each : group.workers()) {
            Thread thread = each.carrier.thread();
            thread.interrupt();
            Crowd.until(() -> !thread.isInterrupted());
            Crowd.untilWaiting(thread);
        }
        core.close();
    }

    @Test
    void whatATaskThrowsIsReportedAndTheNextOneRuns() throws Exception {
        var reported = new AtomicReference<Throwable>();
        var c = Cores.config(1, 1);
        var core = new SchedulerCore(new SchedulerConfig(
                c.name(),
                1,
                1,
                false,
                1024,
                0,
                0,
                0,
                0,
                c.timeSlice(),
                c.spareKeepAlive(),
                c.stallThreshold(),
                c.findings(),
                c.placement(),
                c.pollers(),
                (thread, failure) -> {
                    reported.set(failure);
                    throw new IllegalStateException("a handler that throws");
                }));
        var failure = new Error("thrown by the task");
        var done = new CountDownLatch(1);
        core.spawn(
                Tasks.of(() -> {
                    throw failure;
                }),
                -1);
        core.spawn(Tasks.of(done::countDown), -1);
        await(done);
        assertSame(failure, reported.get());
        core.close();
    }

    @Test
    void aThreadKnowsWhetherItIsInsideATask() {
        SchedulerCore core = Cores.byHand();
        Carrier own = core.bind();
        assertFalse(own.isPerforming());
        var inside = new AtomicReference<Boolean>();
        core.spawn(Tasks.of(() -> inside.set(own.isPerforming())), -1);
        own.waits.workUntil(() -> inside.get() != null);
        assertEquals(true, inside.get());
        assertFalse(own.isPerforming());
        core.unbind(own);
        core.close();
    }

    @Test
    void aTaskThatWaitsRunsOthersMeanwhile() throws Exception {
        SchedulerCore core = new SchedulerCore(Cores.config(1, 1));
        var stillInside = new AtomicBoolean();
        var ended = new CountDownLatch(1);
        core.spawn(
                Tasks.of(() -> {
                    Carrier here = Carrier.current();
                    var inner = new AtomicBoolean();
                    core.spawn(Tasks.of(() -> inner.set(true)), -1);
                    here.waits.workUntil(inner::get);
                    stillInside.set(here.isPerforming());
                    ended.countDown();
                }),
                -1);
        await(ended);
        assertTrue(stillInside.get());
        core.close();
    }

    // ---- bound threads ---------------------------------------------------------------------------------------------

    @Test
    void aNudgeMakesASleepingThreadLookAgain() throws Exception {
        SchedulerCore core = Cores.byHand();
        for (int i = 0; i < 100; i++) {
            var bound = new Bound(core);
            if (i % 2 == 0) bound.untilAsleep();
            bound.stop();
        }
        assertEquals(0, core.groups[0].wake.sleepers());
        assertEquals(0, core.groups[0].wake.searchers());
        core.close();
    }

    @Test
    void whatABoundThreadQueuedAndDidNotRunIsLeftToWhoeverWorksNext() throws Exception {
        SchedulerCore core = Cores.byHand();
        var ran = new AtomicInteger();
        Crowd.onAnotherThread(index -> {
            Carrier leaving = core.bind();
            for (int i = 0; i < 10; i++) core.spawn(Tasks.of(ran::incrementAndGet), -1);
            leaving.waits.workUntil(() -> true);
            assertEquals(0, ran.get());
            assertEquals(10, core.groups[0].shared.size());
            core.unbind(leaving); // the last one leaves nothing behind
        });
        assertEquals(10, ran.get());
        core.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Another thread that is bound and works until told to stop. */
    private static final class Bound {
        private final AtomicReference<Carrier> carrier = new AtomicReference<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final java.util.concurrent.Future<?> end;

        Bound(SchedulerCore core) {
            end = Crowd.start("bound", index -> {
                Carrier mine = core.bind();
                carrier.set(mine);
                mine.waits.workUntil(stopped::get);
                core.unbind(mine);
            });
            Crowd.until(() -> carrier.get() != null);
        }

        void untilAsleep() {
            Carrier its = carrier.get();
            Crowd.until(() -> its.group().wake.isAsleep(its.worker.index));
            Crowd.untilWaiting(its.thread());
        }

        void stop() throws Exception {
            stopped.set(true);
            carrier.get().nudge();
            end.get();
        }
    }
}
