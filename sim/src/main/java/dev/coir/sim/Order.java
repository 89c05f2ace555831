package dev.coir.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Those that can run, and which of them runs next. Equal tasks are slices of one fiber. One thread only. */
interface Order {
    /** One more can run. */
    void add(Runnable task);

    /** Takes the next one out. There must be one. */
    Runnable take();

    boolean isEmpty();

    /** Nothing will be asked about this one again. */
    default void forget(Runnable ended) {}

    /** Half of the seeds try the one, half the other: each finds what the other rarely does. */
    static Order of(long seed, Random random) {
        return (seed & 1) == 0 ? new Fair(random) : new ByRank(random);
    }

    /** Each has the same chance, at every step. */
    final class Fair implements Order {
        private final Random random;
        private final List<Runnable> ready = new ArrayList<>();

        Fair(Random random) {
            this.random = random;
        }

        @Override
        public void add(Runnable task) {
            ready.add(task);
        }

        @Override
        public Runnable take() {
            int index = random.nextInt(ready.size());
            Runnable last = ready.removeLast();
            return index == ready.size() ? last : ready.set(index, last);
        }

        @Override
        public boolean isEmpty() {
            return ready.isEmpty();
        }
    }

    /**
     * Everybody has a rank by chance, and the highest runs; now and then it falls below all others. So some are held up for
     * long while others run far ahead, which a fair choice hardly ever does.
     */
    final class ByRank implements Order {
        private record Ranked(double rank, long number, Runnable task) {}

        private static final int STEPS_BETWEEN_FALLS = 16;
        private final Random random;
        private final Map<Runnable, Double> ranks = new HashMap<>();
        private final PriorityQueue<Ranked> ready = new PriorityQueue<>(
                Comparator.comparingDouble(Ranked::rank).reversed().thenComparingLong(Ranked::number));
        private double lowest;
        private long added;

        ByRank(Random random) {
            this.random = random;
        }

        @Override
        public void add(Runnable task) {
            double rank = ranks.computeIfAbsent(task, unknown -> random.nextDouble());
            ready.add(new Ranked(rank, added++, task));
        }

        @Override
        public Runnable take() {
            Runnable highest = ready.remove().task();
            if (random.nextInt(STEPS_BETWEEN_FALLS) == 0) ranks.put(highest, --lowest);
            return highest;
        }

        @Override
        public boolean isEmpty() {
            return ready.isEmpty();
        }

        @Override
        public void forget(Runnable ended) {
            ranks.remove(ended);
        }
    }
}
