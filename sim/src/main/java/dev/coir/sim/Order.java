package dev.coir.sim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Which of those that can run runs next. */
interface Order {
    /**
     * The next one.
     *
     * @param ready at least one; equal tasks are slices of one fiber
     * @return its index
     */
    int pick(List<Runnable> ready);

    /** Nothing will be asked about this one again. */
    default void forget(Runnable ended) {}

    /** Half of the seeds try the one, half the other: each finds what the other rarely does. */
    static Order of(long seed, Random random) {
        return (seed & 1) == 0 ? new Fair(random) : new ByRank(random);
    }

    /** Each has the same chance, at every step. */
    record Fair(Random random) implements Order {
        @Override
        public int pick(List<Runnable> ready) {
            return random.nextInt(ready.size());
        }
    }

    /**
     * Everybody has a rank by chance, and the highest runs; now and then it falls below all others. So some are held up for
     * long while others run far ahead, which a fair choice hardly ever does.
     */
    final class ByRank implements Order {
        private static final int STEPS_BETWEEN_FALLS = 16;
        private final Random random;
        private final Map<Runnable, Double> ranks = new HashMap<>();
        private double lowest;

        ByRank(Random random) {
            this.random = random;
        }

        @Override
        public int pick(List<Runnable> ready) {
            int best = 0;
            double highest = rankOf(ready.getFirst());
            for (int i = 1; i < ready.size(); i++) {
                double rank = rankOf(ready.get(i));
                if (rank <= highest) continue;
                best = i;
                highest = rank;
            }
            if (random.nextInt(STEPS_BETWEEN_FALLS) == 0) ranks.put(ready.get(best), --lowest);
            return best;
        }

        private double rankOf(Runnable task) {
            return ranks.computeIfAbsent(task, unknown -> random.nextDouble());
        }

        @Override
        public void forget(Runnable ended) {
            ranks.remove(ended);
        }
    }
}
