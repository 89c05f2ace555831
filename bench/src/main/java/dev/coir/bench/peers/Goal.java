package dev.coir.bench.peers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A figure that Coir is to reach.
 *
 * @param issue the issue that sets it
 * @param work the id of the work
 * @param measure which of the work's measures
 * @param side the side of Coir
 * @param kind what is compared
 * @param bound with what
 * @param against the sides whose best is the measure; empty for a figure that stands alone
 */
record Goal(int issue, String work, int measure, Side side, Kind kind, double bound, List<Side> against) {
    private static final Side FLOOR = Side.of(Contender.FLOOR, 1);

    enum Kind {
        /** Its figure over that of the best of the others is at most the bound. */
        RATIO_AT_MOST,
        /** Its figure is at most the bound. */
        FIGURE_AT_MOST,
        /** The figure of the other over its own is at least the bound. */
        SPEEDUP_AT_LEAST,
        /** It allocates at most so many bytes per operation. */
        BYTES_AT_MOST,
        /** It allocates at most so many bytes per operation more than the other. */
        BYTES_MORE_AT_MOST
    }

    static Goal ratio(int issue, String work, Side side, double bound, Side... against) {
        return new Goal(issue, work, 0, side, Kind.RATIO_AT_MOST, bound, List.of(against));
    }

    static Goal figure(int issue, String work, Side side, double bound) {
        return new Goal(issue, work, 0, side, Kind.FIGURE_AT_MOST, bound, List.of());
    }

    static Goal speedup(int issue, String work, Side side, double bound, Side over) {
        return new Goal(issue, work, 0, side, Kind.SPEEDUP_AT_LEAST, bound, List.of(over));
    }

    static Goal bytes(int issue, String work, Side side, double bound) {
        return new Goal(issue, work, 0, side, Kind.BYTES_AT_MOST, bound, List.of());
    }

    static Goal bytesMore(int issue, String work, Side side, double bound, Side than) {
        return new Goal(issue, work, 0, side, Kind.BYTES_MORE_AT_MOST, bound, List.of(than));
    }

    /** The same for another of the work's measures. */
    Goal of(int whichMeasure) {
        return new Goal(issue, work, whichMeasure, side, kind, bound, against);
    }

    /** What was measured, or NaN when a side of it is missing. */
    double measured(Map<Side, Result> results) {
        return measured(side, results);
    }

    /** What the floor would reach in Coir's place; NaN when there is none. */
    double floor(Work of, Map<Side, Result> results) {
        if (kind == Kind.SPEEDUP_AT_LEAST) return Double.NaN;
        double ofOneThread = measured(FLOOR, results);
        return isFloorHalved(of) ? ofOneThread / 2 : ofOneThread;
    }

    /**
     * Whether the floor, which has one thread, is taken as half of what was measured: the goal's side has two workers, and two
     * threads with a processor each could share this work without loss. More than that nobody can gain by a second worker.
     */
    boolean isFloorHalved(Work of) {
        boolean isTime = kind == Kind.RATIO_AT_MOST || kind == Kind.FIGURE_AT_MOST;
        return isTime && side.workers() == 2 && of.divisible();
    }

    private double measured(Side whose, Map<Side, Result> results) {
        Result own = results.get(whose);
        if (own == null || !own.isComplete()) return Double.NaN;
        return switch (kind) {
            case FIGURE_AT_MOST -> own.samples(measure).median();
            case BYTES_AT_MOST -> own.bytesPerOp();
            case RATIO_AT_MOST, SPEEDUP_AT_LEAST, BYTES_MORE_AT_MOST -> {
                Result other = best(results);
                if (other == null) yield Double.NaN;
                if (kind == Kind.BYTES_MORE_AT_MOST) yield own.bytesPerOp() - other.bytesPerOp();
                double ratio = own.samples(measure).over(other.samples(measure));
                yield kind == Kind.RATIO_AT_MOST ? ratio : 1 / ratio;
            }
        };
    }

    private @Nullable Result best(Map<Side, Result> results) {
        Result best = null;
        for (Side each : against) {
            Result found = results.get(each);
            if (found == null || !found.isComplete()) return null;
            if (best == null
                    || found.samples(measure).median() < best.samples(measure).median()) best = found;
        }
        return best;
    }

    boolean isMetBy(double measured) {
        return kind == Kind.SPEEDUP_AT_LEAST ? measured >= bound : measured <= bound;
    }

    /** Who is to be how good, without the work. */
    String text() {
        String others = String.join(" or ", against.stream().map(Side::label).toList());
        return switch (kind) {
            case RATIO_AT_MOST -> side.label() + " over " + others;
            case FIGURE_AT_MOST -> side.label();
            case SPEEDUP_AT_LEAST -> side.label() + ", times as fast as " + others;
            case BYTES_AT_MOST -> side.label() + ", bytes allocated per op";
            case BYTES_MORE_AT_MOST -> side.label() + ", bytes allocated per op beyond " + others;
        };
    }

    /** The bound with its direction. */
    String target() {
        return (kind == Kind.SPEEDUP_AT_LEAST ? ">= " : "<= ") + number(bound);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.2f", value);
    }
}
