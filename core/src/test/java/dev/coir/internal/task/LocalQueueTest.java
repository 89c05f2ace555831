package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked for after another was faster. */
class LocalQueueTest {
    /** Loses some times, and notes what was asked for. */
    private static final class Contended implements LocalQueue {
        private final int size;
        private final List<Integer> asked = new ArrayList<>();
        private int losses;

        Contended(int size, int losses) {
            this.size = size;
            this.losses = losses;
        }

        @Override
        public boolean push(Task task) {
            return false;
        }

        @Override
        public int pushAll(Task[] tasks, int from, int count) {
            return 0;
        }

        @Override
        public Task take() {
            throw new AssertionError("nobody takes a single one");
        }

        @Override
        public int tryTakeHalf(Task[] into, int atMost) {
            asked.add(atMost);
            return --losses < 0 ? Math.min(atMost, size / 2) : LOST;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public int capacity() {
            return size;
        }
    }

    @Test
    void eachAttemptIsForHalfAsManyAsTheOneBefore() {
        var queue = new Contended(64, 7);
        assertEquals(1, queue.takeHalf(new Task[512], 512));
        assertEquals(List.of(512, 32, 16, 8, 4, 2, 1, 1), queue.asked);
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "1, 5", "3, 1", "3, 0"})
    void noAttemptIsForMoreThanWasAskedFor(int atMost, int losses) {
        var queue = new Contended(64, losses);
        queue.takeHalf(new Task[64], atMost);
        for (int each : queue.asked) assertEquals(Math.min(each, atMost), each, queue.asked::toString);
    }

    @Test
    void whoHasRoomForNoneGetsNoneAfterALostRace() {
        assertEquals(0, new Contended(64, 3).takeHalf(new Task[0], 0));
    }
}
