package dev.coir.bench.peers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures of one work, kept by round. Medians throughout: one disturbed figure must not move the whole. */
public final class Samples {
    private final List<List<Double>> rounds = new ArrayList<>();

    /** Adds what a round found. */
    public void addRound(List<Double> figures) {
        if (figures.isEmpty()) throw new IllegalArgumentException("a round without figures");
        rounds.add(List.copyOf(figures));
    }

    /** How many rounds. */
    public int count() {
        return rounds.size();
    }

    /** The median of all figures. */
    public double median() {
        return quantile(all(), 0.5);
    }

    /** Half the distance between the quartiles, as a fraction of the median; 0 when that is 0. */
    public double spread() {
        List<Double> all = all();
        double median = quantile(all, 0.5);
        return median == 0 ? 0 : (quantile(all, 0.75) - quantile(all, 0.25)) / 2 / median;
    }

    /** How many times as much as {@code baseline}: the median of what each round says, its two runs being close in time. */
    public double over(Samples baseline) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(rounds.size(), baseline.rounds.size()); i++) {
            ratios.add(quantile(rounds.get(i), 0.5) / quantile(baseline.rounds.get(i), 0.5));
        }
        return quantile(ratios, 0.5);
    }

    /** Every figure, in the order of the rounds. */
    public List<Double> all() {
        return rounds.stream().flatMap(List::stream).toList();
    }

    /** The value below which a share of the values lies; between two of them, in proportion. */
    public static double quantile(List<Double> values, double q) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        double at = q * (sorted.size() - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (at - below) * (sorted.get(above) - sorted.get(below));
    }
}
