package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.internal.task.LocalQueue;
import dev.coir.internal.task.RunRing;
import dev.coir.internal.task.Task;
import dev.coir.planted.RingClaimedBeforeCopied;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Whatever the owner and its thieves do to a ring, could it have happened one step after another?
 *
 * <p>Two rings. One of two slots is often full, and half of it is always one task. One of sixteen is never full here: a
 * thief takes half of what it saw, and while it does the owner may push more and be told that the ring is full, which no
 * order of single steps explains. That is allowed (full is a hint), so the two are not mixed.
 */
class RunRingLincheckTest {
    @Test
    void everyHistoryOfASmallRingHasASequentialOne() {
        Doses.modelChecking().sequentialSpecification(SmallSpecification.class).check(Small.class);
    }

    @Test
    void everyHistoryOfALargeRingHasASequentialOne() {
        Doses.modelChecking().sequentialSpecification(LargeSpecification.class).check(Large.class);
    }

    @Test
    void aThiefThatClaimsBeforeItCopiesIsFound() {
        assertThrows(
                LincheckAssertionError.class,
                () -> Doses.searchForPlantedBug()
                        .sequentialSpecification(SmallSpecification.class)
                        .check(Planted.class));
    }

    public static final class Small extends Operations {
        public Small() {
            super(2);
        }
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Large extends Operations {
        public Large() {
            super(16);
        }

        @Operation(params = "value", nonParallelGroup = "owner")
        public int pushBoth(int value) {
            return ring.pushAll(new Task[] {new Valued(value), new Valued(-value)}, 0, 2);
        }
    }

    public static final class SmallSpecification extends Specification {
        public SmallSpecification() {
            super(2);
        }
    }

    public static final class LargeSpecification extends Specification {
        public LargeSpecification() {
            super(16);
        }
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public abstract static class Operations {
        final RunRing ring;

        Operations(int capacity) {
            ring = new RunRing(capacity);
        }

        @Operation(params = "value", nonParallelGroup = "owner")
        public boolean push(int value) {
            return ring.push(new Valued(value));
        }

        @Operation(nonParallelGroup = "owner")
        public int take() {
            return ring.take() instanceof Valued task ? task.value : 0;
        }

        @Operation
        public List<Integer> takeHalf() {
            var into = new Task[ring.capacity() / 2];
            int count;
            do count = ring.tryTakeHalf(into, into.length);
            while (count == LocalQueue.LOST);
            var values = new ArrayList<Integer>();
            for (int i = 0; i < count; i++) values.add(((Valued) into[i]).value);
            return values;
        }
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Planted {
        private final RingClaimedBeforeCopied ring = new RingClaimedBeforeCopied();

        @Operation(params = "value", nonParallelGroup = "owner")
        public boolean push(int value) {
            return ring.push(value);
        }

        @Operation
        public List<Integer> takeHalf() {
            int task = ring.steal();
            return task == 0 ? List.of() : List.of(task);
        }
    }

    /** A ring for one thread. */
    public abstract static class Specification {
        private final Queue<Integer> tasks = new ArrayDeque<>();
        private final int capacity;

        Specification(int capacity) {
            this.capacity = capacity;
        }

        public boolean push(int value) {
            return tasks.size() < capacity && tasks.add(value);
        }

        public int pushBoth(int value) {
            return (push(value) ? 1 : 0) + (push(-value) ? 1 : 0);
        }

        public int take() {
            return tasks.isEmpty() ? 0 : tasks.remove();
        }

        public List<Integer> takeHalf() {
            var half = new ArrayList<Integer>();
            for (int left = (tasks.size() + 1) / 2; left > 0; left--) half.add(tasks.remove());
            return half;
        }
    }
}
