package dev.coir.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The iterations of one work, kept by round. Medians throughout: one disturbed iteration must not move the figure. */
final class Samples {
    private final List<List<Double>> rounds = new ArrayList<>();

    void addRound(List<Double> iterations) {
        if (iterations.isEmpty()) throw new IllegalArgumentException("a round without iterations");
        rounds.add(List.copyOf(iterations));
    }

    double median() {
        return quantile(all(), 0.5);
    }

    /** Half the distance between the quartiles, as a fraction of the median. */
    double spread() {
        List<Double> all = all();
        return (quantile(all, 0.75) - quantile(all, 0.25)) / 2 / quantile(all, 0.5);
    }

    /** How many times as long as {@code baseline}: the median of what each round says, its two runs being close in time. */
    double over(Samples baseline) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            ratios.add(quantile(rounds.get(i), 0.5) / quantile(baseline.rounds.get(i), 0.5));
        }
        return quantile(ratios, 0.5);
    }

    private List<Double> all() {
        return rounds.stream().flatMap(List::stream).toList();
    }

    static double quantile(List<Double> values, double q) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        double at = q * (sorted.size() - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (at - below) * (sorted.get(above) - sorted.get(below));
    }
}
