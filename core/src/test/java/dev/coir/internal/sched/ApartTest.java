package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApartTest {
    private final ThreadGroup group = new ThreadGroup("apart");
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<List<String>> aliveAtStart = new ArrayList<>();

    /** Notes who lived in its group when it was started, and lives until the end of the test. */
    private class Noting extends Thread {
        Noting(String name) {
            super(group, null, name);
        }

        @Override
        public synchronized void start() {
            aliveAtStart.add(alive());
            super.start();
        }

        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private List<String> alive() {
        var threads = new Thread[200];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count).map(Thread::getName).sorted().toList();
    }

    private void start(int carriers) {
        List<Thread> all = IntStream.range(0, carriers)
                .<Thread>mapToObj(i -> new Noting("carrier " + i))
                .toList();
        Apart.start(all, new Noting("monitor"));
    }

    /** A1. */
    @Test
    void betweenTwoCarriersAnotherThreadIsStartedAndLives() {
        start(4);
        assertEquals(
                List.of(
                        List.of(),
                        List.of("carrier 0"),
                        List.of("carrier 0", "monitor"),
                        List.of("before carrier 2", "carrier 0", "carrier 1", "monitor"),
                        List.of(
                                "before carrier 2",
                                "before carrier 3",
                                "carrier 0",
                                "carrier 1",
                                "carrier 2",
                                "monitor")),
                aliveAtStart);
        end.countDown();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64})
    void onlyThoseAskedForAreLeft(int carriers) {
        start(carriers);
        List<String> alive = alive();
        assertEquals(carriers + 1, alive.size(), () -> "alive: " + alive);
        end.countDown();
    }

    /** A2. */
    @Test
    void whereThreadsAreScarceCarriersComeFirst() {
        int room = 6;
        List<Thread> all = scarce(room, 5);
        Apart.start(all, new Noting("monitor"));
        List<String> alive = alive();
        assertEquals(room, alive.size(), () -> "alive: " + alive);
        assertTrue(alive.stream().noneMatch(each -> each.startsWith("before")), () -> "alive: " + alive);
        end.countDown();
    }

    @Test
    void whereThereAreTooFewForTheCarriersTheErrorComesOutAndNoFillerStays() {
        List<Thread> all = scarce(6, 8);
        assertThrows(OutOfMemoryError.class, () -> Apart.start(all, new Noting("monitor")));
        assertTrue(alive().stream().noneMatch(each -> each.startsWith("before")));
        end.countDown();
    }

    /** Carriers that start only as long as their group has room; a filler may be the one too many, and is not refused. */
    private List<Thread> scarce(int room, int carriers) {
        return IntStream.range(0, carriers)
                .<Thread>mapToObj(i -> new Noting("carrier " + i) {
                    @Override
                    public synchronized void start() {
                        if (alive().size() >= room) throw new OutOfMemoryError("no room for " + getName());
                        super.start();
                    }
                })
                .toList();
    }

    @Test
    void whoIsInterruptedMeanwhileStaysInterrupted() {
        Thread.currentThread().interrupt();
        start(8);
        assertTrue(Thread.interrupted());
        assertEquals(9, alive().size());
        end.countDown();
    }
}
