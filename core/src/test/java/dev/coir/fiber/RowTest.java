package dev.coir.fiber;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.testing.Schedulers;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that follow each other in one frame (R1 and R2 of SliceRow): all others get what they get from the worker's loop. */
class RowTest {
    private static final int LONGER_THAN_A_ROW = 1_000;
    private static final int COLLECTIONS = 300; // one or two are enough, mostly
    private Scheduler scheduler;
    private volatile boolean enough; // for those that yield

    @BeforeEach
    void start() {
        scheduler = Schedulers.start(1);
    }

    @AfterEach
    void close() {
        enough = true;
        Schedulers.close(scheduler);
    }

    private Fiber<Void> go(Fiber.Kind kind, Runnable body) {
        return Fiber.builder().on(scheduler).kind(kind).start(body);
    }

    /** Some that keep the worker in a row for as long as nobody else comes. */
    private List<Fiber<Void>> row(Fiber.Kind kind) {
        List<Fiber<Void>> fibers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            fibers.add(go(kind, () -> {
                while (!enough) Fiber.yield();
            }));
        }
        return fibers;
    }

    private static void yields(int times) {
        for (int i = 0; i < times; i++) Fiber.yield();
    }

    @ParameterizedTest
    @EnumSource
    void everySliceIsCounted(Fiber.Kind kind) throws InterruptedException {
        scheduler.awaitIdle();
        long before = scheduler.stats().ran();
        List<Fiber<Void>> fibers = new ArrayList<>();
        for (int i = 0; i < 10; i++) fibers.add(go(kind, () -> yields(LONGER_THAN_A_ROW)));
        fibers.forEach(Fiber::join);
        scheduler.awaitIdle();
        assertEquals(10 * (LONGER_THAN_A_ROW + 1), scheduler.stats().ran() - before);
    }

    /** Who ends looks for one to follow on its stack, and then for one to follow in the row: what the first look found is still there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nobodyIsLostBetweenTwoLooks(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            List<Fiber<Void>> fibers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int times = random.nextInt(7);
                Fiber.Kind kind = random.nextInt(4) == 0 ? Fiber.Kind.VIRTUAL : Fiber.Kind.LIGHT;
                fibers.add(go(kind, () -> yields(times)));
            }
            fibers.forEach(Fiber::join);
        }
    }

    /** R2 of SliceRow: one for another, and nobody goes ahead of those who have waited longer. */
    @Test
    void whoYieldsGoesToTheEndOfTheQueue() {
        Fiber.Kind kind = Fiber.Kind.VIRTUAL; // for a LIGHT one there are two queues, in turns
        int crowd = 5;
        List<Integer> turns = new ArrayList<>(); // one worker: one at a time
        go(kind, () -> {
                    List<Fiber<Void>> fibers = new ArrayList<>();
                    for (int i = 0; i < crowd; i++) {
                        int own = i;
                        fibers.add(go(kind, () -> {
                            for (int n = 0; n < LONGER_THAN_A_ROW; n++) {
                                turns.add(own);
                                Fiber.yield();
                            }
                        }));
                    }
                    fibers.forEach(Fiber::join);
                })
                .join();
        for (int i = 0; i < turns.size(); i++) assertEquals(i % crowd, turns.get(i), "turn " + i);
    }

    @ParameterizedTest
    @EnumSource
    void othersGetTheirTurns(Fiber.Kind kind) throws Exception {
        row(kind);
        var ran = new CountDownLatch(1);
        scheduler.execute(ran::countDown);
        ran.await();
        for (Fiber.Kind each : Fiber.Kind.values()) {
            go(each, () -> yields(LONGER_THAN_A_ROW)).join();
            Fiber.builder()
                    .on(scheduler)
                    .kind(each)
                    .start(() -> {
                        Fiber.sleep(Duration.ofMillis(1));
                        return null;
                    })
                    .join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoComesBackFromABlockingCallGetsASlot(Fiber.Kind kind) throws Exception {
        row(kind);
        var called = new CountDownLatch(1);
        var may = new CountDownLatch(1);
        var blocking = Fiber.builder()
                .on(scheduler)
                .kind(Fiber.Kind.VIRTUAL)
                .start(() -> Fiber.blocking(() -> {
                    called.countDown();
                    may.await();
                    return "back";
                }));
        called.await();
        go(kind, () -> yields(LONGER_THAN_A_ROW)).join(); // on another thread
        may.countDown();
        assertEquals("back", blocking.get());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsThrownEndsOneOnly(Fiber.Kind kind) throws Exception {
        List<Fiber<Void>> others = row(kind);
        for (int i = 0; i < 100; i++) {
            var failing = go(kind, () -> {
                Fiber.yield();
                throw new AssertionError("meant");
            });
            assertEquals(
                    "meant",
                    assertThrows(CompletionException.class, failing::join)
                            .getCause()
                            .getMessage());
        }
        enough = true;
        for (Fiber<Void> each : others) each.get();
    }

    @ParameterizedTest
    @EnumSource
    void aShutdownReachesThoseInARow(Fiber.Kind kind) {
        List<Fiber<Void>> fibers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            fibers.add(go(kind, () -> {
                while (!Fiber.current().isCancelled()) Fiber.yield();
            }));
        }
        scheduler.shutdownNow();
        scheduler.close();
        for (Fiber<Void> each : fibers) assertTrue(each.isCancelled());
    }

    /** The frames around a row are entered anew from time to time: else the fiber that it began with would live as long. */
    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("ThreadPriorityCheck") // what is waited for is the collector
    void aRowKeepsNobodyWhoHasEnded(Fiber.Kind kind) {
        WeakReference<Fiber<?>> first = beginsARow(kind);
        for (int i = 0; i < COLLECTIONS && !first.refersTo(null); i++) {
            System.gc();
            Thread.yield();
        }
        assertTrue(first.refersTo(null));
    }

    private WeakReference<Fiber<?>> beginsARow(Fiber.Kind kind) {
        Fiber<Void> first = go(kind, () -> {
            row(kind);
            Fiber.yield();
        });
        first.join();
        return new WeakReference<>(first);
    }
}
