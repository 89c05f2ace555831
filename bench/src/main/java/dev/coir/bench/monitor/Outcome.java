package dev.coir.bench.monitor;

import dev.coir.bench.peers.Samples;
import java.util.List;
import java.util.Locale;

/**
 * What came of a case.
 *
 * @param seconds how long all fibers took together
 * @param ticks how often the ticker ticked
 * @param p50 by how many milliseconds a tick came late
 * @param p99 likewise, by nearest rank: of a hundred ticks or fewer it is the latest
 * @param max likewise
 * @param tooLate how many ticks came later than the goal allows
 */
record Outcome(double seconds, int ticks, double p50, double p99, double max, int tooLate) {
    private static final double MOST_SECONDS = 1.3; // "about one"
    private static final double MOST_P99 = 30;
    private static final int FEWEST_TICKS = 20;

    static Outcome of(double seconds, List<Double> lateMillis) {
        return new Outcome(
                seconds,
                lateMillis.size(),
                Samples.quantile(lateMillis, 0.5),
                nearestRank(lateMillis, 0.99),
                Samples.quantile(lateMillis, 1),
                (int) lateMillis.stream().filter(each -> each >= MOST_P99).count());
    }

    private static double nearestRank(List<Double> all, double part) {
        return all.stream().sorted().toList().get((int) Math.ceil(part * all.size()) - 1);
    }

    /** As one line, for {@link #parse}. */
    String line() {
        return String.format(Locale.ROOT, "outcome %.6f %d %.6f %.6f %.6f %d", seconds, ticks, p50, p99, max, tooLate);
    }

    /** @throws IllegalArgumentException when {@link #line} did not write it */
    static Outcome parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 7 || !words[0].equals("outcome"))
            throw new IllegalArgumentException("answer: " + line + " (expected: outcome and six numbers)");
        return new Outcome(
                Double.parseDouble(words[1]),
                Integer.parseInt(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4]),
                Double.parseDouble(words[5]),
                Integer.parseInt(words[6]));
    }

    /** Whether the goals are met: about one second for who blocks, and a ticker that is hardly late. */
    boolean isGood(boolean blocks) {
        return (!blocks || seconds <= MOST_SECONDS) && ticks >= FEWEST_TICKS && p99 < MOST_P99;
    }
}
