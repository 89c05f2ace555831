package dev.coir.bench.agent;

import dev.coir.bench.peers.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What one program cost with and without the agent, fork by fork. */
final class Costs {
    private final Map<Polls, List<Double>> nanos = new EnumMap<>(Polls.class); // each a fork's median
    private final Map<Polls, List<Double>> ratios = new EnumMap<>(Polls.class); // likewise

    /** Adds the figures of one set of JVMs, by round. */
    void addFork(Map<Polls, List<Double>> figures) {
        List<Double> without = Objects.requireNonNull(figures.get(Polls.NONE));
        figures.forEach((polls, with) -> {
            List<Double> byRound = new ArrayList<>();
            for (int i = 0; i < with.size(); i++) byRound.add(with.get(i) / without.get(i));
            add(ratios, polls, Samples.quantile(byRound, 0.5));
            add(nanos, polls, Samples.quantile(with, 0.5));
        });
    }

    private static void add(Map<Polls, List<Double>> to, Polls polls, double figure) {
        to.computeIfAbsent(polls, first -> new ArrayList<>()).add(figure);
    }

    /** Processor time of one run. */
    double nanos(Polls polls) {
        return Samples.quantile(Objects.requireNonNull(nanos.get(polls)), 0.5);
    }

    /** How many times as long as without the agent, a quantile of the forks. */
    double ratio(Polls polls, double quantile) {
        return Samples.quantile(Objects.requireNonNull(ratios.get(polls)), quantile);
    }
}
