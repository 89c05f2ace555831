package dev.coir.bench.servers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the rounds of one contestant under one load gave. */
final class Measured {
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>(); // of the server, for one request
    private final List<Double> busy = new ArrayList<>(); // of the load generator: its share of its processor

    void add(Load.Run run, double cpuMicrosPerRequest) {
        rates.add(run.rate());
        busy.add(run.busy());
        cpuMicros.add(cpuMicrosPerRequest);
    }

    double rate() {
        return median(rates);
    }

    double cpuMicros() {
        return median(cpuMicros);
    }

    /** The share of its time for which the load generator had its processor. */
    double busy() {
        return median(busy);
    }

    /** Half the distance between the lowest and the highest rate, over the median. */
    double spread() {
        return (Collections.max(rates) - Collections.min(rates)) / 2 / rate();
    }

    /** This rate over another's, round by round. */
    double over(Measured other) {
        return median(ratios(other));
    }

    /** In how many rounds this rate was at least so many times another's. */
    long roundsAtLeast(double times, Measured other) {
        return ratios(other).stream().filter(each -> each >= times).count();
    }

    int rounds() {
        return rates.size();
    }

    private List<Double> ratios(Measured other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rates.size(); i++) ratios.add(rates.get(i) / other.rates.get(i));
        return ratios;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
