package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Tasks;
import dev.coir.sync.Latch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left to a carrier: when it is done, and by whom. */
@Timeout(60)
class ErrandsTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    /** Says its name when it is run. */
    private final class Noted extends Errand {
        private final String name;
        private final boolean leavesRest;
        volatile boolean ran;
        volatile boolean reminded;
        volatile Thread by;

        Noted(String name) {
            this(name, false);
        }

        Noted(String name, boolean leavesRest) {
            this.name = name;
            this.leavesRest = leavesRest;
        }

        @Override
        protected boolean run() {
            done.add(name);
            by = Thread.currentThread();
            ran = true;
            return !leavesRest;
        }

        @Override
        protected void ended(boolean all) {
            reminded |= !all;
            if (name.equals("failing")) throw new IllegalStateException("planted");
        }
    }

    private static <T> Fiber<T> go(Scheduler scheduler, Fiber.Kind kind, Callable<T> body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body);
    }

    // ---- by hand ----------------------------------------------------------------------------------------------------

    @Test
    void allAreRunInTheOrderInWhichTheyWereLeft() {
        List<Throwable> failures = new ArrayList<>();
        var errands = new Errands(failures::add);
        for (String name : List.of("a", "b", "c")) new Noted(name).leaveTo(errands);
        assertFalse(errands.isEmpty());
        errands.runAll();
        errands.runAll();
        assertEquals(List.of("a", "b", "c"), done);
        assertTrue(errands.isEmpty());
        assertEquals(List.of(), failures);
    }

    @Test
    void aPartyThatCannotBeWokenIsReportedAndTheOthersGoOn() {
        List<Throwable> failures = new ArrayList<>();
        var errands = new Errands(failures::add);
        new Noted("failing", true).leaveTo(errands);
        new Noted("other").leaveTo(errands);
        errands.runAll();
        assertEquals(List.of("failing", "other"), done);
        assertEquals(1, failures.size());
        assertEquals("planted", failures.getFirst().getMessage());
    }

    @Test
    void whatIsTakenBackIsNotRunAndMayBeLeftAgain() {
        var errands = new Errands(failure -> {});
        var errand = new Noted("a");
        errand.leaveTo(errands);
        assertTrue(errand.takeBack());
        assertTrue(errand.listed); // it stays in the list until that is taken
        errands.runAll();
        assertEquals(List.of(), done);
        errand.leaveTo(errands);
        errands.runAll();
        assertFalse(errand.takeBack());
        assertEquals(List.of("a"), done);
        assertFalse(errand.reminded);
    }

    @Test
    void whoMustDoTheRestIsRemindedAndTold() {
        var errands = new Errands(failure -> {});
        var errand = new Noted("a", true);
        errand.leaveTo(errands);
        errands.runAll();
        assertTrue(errand.reminded);
        assertTrue(errand.takeBack());
    }

    @Test
    void theMonitorRunsWhatWaitsForLongAndNothingElse() {
        var errands = new Errands(failure -> {});
        new Noted("a").leaveTo(errands);
        errands.runNeglected(0, 10);
        errands.runNeglected(9, 10);
        assertEquals(List.of(), done);
        errands.runAll();
        new Noted("b").leaveTo(errands);
        errands.runNeglected(20, 10);
        assertEquals(List.of("a"), done); // the carrier has come to it in between
        errands.runNeglected(30, 10);
        assertEquals(List.of("a", "b"), done);
        new Noted("c").leaveTo(errands);
        errands.runNeglected(50, 10);
        assertEquals(List.of("a", "b"), done);
    }

    @Test
    void looksRunThemAfterAWhile() {
        var errands = new Errands(failure -> {});
        for (int i = 0; i < 100; i++) errands.look(); // at nothing
        new Noted("a").leaveTo(errands);
        for (int i = 0; i < 7; i++) errands.look();
        assertEquals(List.of(), done);
        errands.look();
        assertEquals(List.of("a"), done);
    }

    @Test
    void whoIsOnNoCarrierOrOnABoundOneDoesItItself() throws Exception {
        var errand = new Noted("a");
        assertFalse(errand.leave());
        SchedulerCore core = Cores.byHand();
        Carrier own = core.bind();
        assertSame(own, Carrier.current());
        assertFalse(errand.leave());
        core.unbind(own);
        core.close();
        assertEquals(List.of(), done);
    }

    // ---- on a scheduler ---------------------------------------------------------------------------------------------

    /** On a bound thread, by hand: there is no monitor that could come first. */
    @Test
    void thoseThatAreReadyGoFirst() throws Exception {
        SchedulerCore core = Cores.byHand();
        Carrier own = core.bind();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            expected.add(i, "task " + i);
            expected.add("errand " + i);
            own.group().submit(Tasks.of(() -> {
                done.add("task " + number);
                new Noted("errand " + number).leaveTo(own.errands);
            }));
        }
        own.waits.workUntil(() -> done.size() == 20);
        assertEquals(expected, done);
        core.unbind(own);
        core.close();
    }

    /** Only whoever is on the thread gets to run in between: each yield is a turn. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void noneWaitsForMoreThan64Turns(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            var turns = new AtomicInteger();
            go(scheduler, kind, () -> {
                        for (int round = 0; round < 100; round++) {
                            var errand = new Noted("a");
                            assertTrue(errand.leave());
                            var other = go(
                                    scheduler,
                                    kind,
                                    () -> { // else a yield finds nobody and goes on at once
                                        while (!errand.ran) Fiber.yield();
                                        return null;
                                    });
                            int count = 0;
                            while (!errand.ran) {
                                Fiber.yield();
                                count++;
                            }
                            turns.accumulateAndGet(count, Math::max);
                            assertFalse(errand.takeBack());
                            other.join();
                        }
                        return null;
                    })
                    .join();
            assertTrue(turns.get() <= 64, () -> "waited for " + turns + " turns");
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void theMonitorComesToThoseBehindALongSlice(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            go(scheduler, kind, () -> {
                        var errand = new Noted("a");
                        assertTrue(errand.leave());
                        while (!errand.ran) Thread.onSpinWait(); // this slice does not end before
                        assertFalse(errand.takeBack());
                        assertTrue(errand.by.getName().endsWith("-monitor"), errand.by::getName);
                        return null;
                    })
                    .join();
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void aCallThatBlocksComesAfterThem(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            go(scheduler, kind, () -> {
                        var errand = new Noted("a");
                        assertTrue(errand.leave());
                        Handoff.beginBlocking();
                        assertTrue(errand.ran);
                        assertFalse(errand.takeBack());
                        return null;
                    })
                    .join();
        }
    }

    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void whoIsRunByAnotherExecutorDoesItItself(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            var task = new FutureTask<Boolean>(() -> {
                var manual = new ManualExecutor();
                Fiber<Boolean> inside = Fiber.builder().on(manual).kind(kind).start(() -> new Noted("a").leave());
                manual.drain();
                return inside.join() || new Noted("b").leave(); // nor does a plain task
            });
            scheduler.execute(task);
            assertFalse(task.get());
        }
    }

    /** In a class initialiser, which it cannot leave. If the machine stands still for 10 ms the monitor comes first; not each time. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void aFiberThatIsPinnedRunsThemBeforeItBlocks(Fiber.Kind kind) throws Exception {
        try (Scheduler scheduler = Scheduler.start(1)) {
            var byMonitor = new AtomicInteger();
            go(scheduler, kind, () -> {
                        Pinning.now(kind, () -> {
                            for (int i = 0; i < 20; i++) {
                                var errand = new Noted("a");
                                var woken = new Latch(1);
                                Thread.ofPlatform().start(() -> {
                                    while (!errand.ran) Thread.onSpinWait();
                                    woken.countDown();
                                });
                                assertTrue(errand.leave());
                                woken.await();
                                assertFalse(errand.takeBack());
                                if (errand.by.getName().endsWith("-monitor")) byMonitor.incrementAndGet();
                            }
                        });
                        return null;
                    })
                    .join();
            assertTrue(byMonitor.get() < 20);
        }
    }

    /** Runs something in a class initialiser. */
    private static final class Pinning {
        interface Body {
            void run() throws Exception;
        }

        static Body body;

        static void now(Fiber.Kind kind, Body what) {
            body = what;
            assertTrue(kind == Fiber.Kind.LIGHT ? InLight.DONE : InVirtual.DONE);
        }

        static boolean initialise() {
            try {
                body.run();
                return true;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        static final class InLight {
            static final boolean DONE = initialise();
        }

        static final class InVirtual {
            static final boolean DONE = initialise();
        }
    }

    /** Whoever is below waits for nothing but the errand; the one that runs it is the carrier, or the monitor. */
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void fibersThatAreWokenByTheirErrandsAreWoken(Fiber.Kind kind) throws Exception {
        for (int workers : new int[] {1, 2, 8}) {
            try (Scheduler scheduler = Scheduler.start(workers)) {
                List<Fiber<Void>> fibers = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    fibers.add(go(scheduler, kind, () -> {
                        for (int round = 0; round < 200; round++) {
                            var woken = new Latch(1);
                            var errand = new Errand() {
                                @Override
                                protected boolean run() {
                                    return false;
                                }

                                @Override
                                protected void ended(boolean all) {
                                    woken.countDown();
                                }
                            };
                            assertTrue(errand.leave());
                            woken.await();
                            assertTrue(errand.takeBack());
                        }
                        return null;
                    }));
                }
                for (Fiber<Void> each : fibers) each.join();
            }
        }
    }
}
