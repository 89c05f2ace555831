package dev.coir.bench.peers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run found.
 *
 * @param date when
 * @param quick whether it was a short run
 * @param forks how many processes of each side
 * @param machine on what
 * @param loadBefore the load average before
 * @param seconds how long it took
 * @param missing peers that could not take part, with the cure
 * @param results what each side of each work needed
 */
record Report(
        String date,
        boolean quick,
        int forks,
        Map<String, String> machine,
        double loadBefore,
        double seconds,
        List<String> missing,
        Map<Work, Map<Side, Result>> results) {

    /** The best of those whom users could choose in Coir's place; null when none has a figure. */
    static @Nullable Result bestPeer(Map<Side, Result> results, int measure) {
        Result best = null;
        for (Result each : results.values()) {
            if (!each.isComplete() || !each.side().contender().isPeer()) continue;
            if (best == null
                    || each.samples(measure).median() < best.samples(measure).median()) best = each;
        }
        return best;
    }

    /** Of each system the side with the better figure. */
    static Map<Contender, Result> bestSides(Map<Side, Result> results, int measure) {
        Map<Contender, Result> best = new LinkedHashMap<>();
        for (Result each : results.values()) {
            if (!each.isComplete()) continue;
            best.merge(
                    each.side().contender(),
                    each,
                    (one, other) -> other.samples(measure).median()
                                    < one.samples(measure).median()
                            ? other
                            : one);
        }
        return best;
    }

    /** How many times as much as the best peer, or NaN. */
    static double overBestPeer(Map<Side, Result> results, Result result, int measure) {
        Result best = bestPeer(results, measure);
        if (best == null || best.samples(measure).median() <= 0) return Double.NaN;
        return result.samples(measure).over(best.samples(measure));
    }

    /**
     * A goal and what came of it.
     *
     * @param measured NaN when it was not measured
     * @param floor what the floor would have reached; NaN when there is none
     */
    record Outcome(Goal goal, Work work, double measured, double floor) {
        boolean isKnown() {
            return !Double.isNaN(measured);
        }

        boolean isMet() {
            return goal.isMetBy(measured);
        }

        boolean isMissed() {
            return isKnown() && !isMet();
        }

        /** Whether even the floor does not reach a goal that Coir misses. */
        boolean isMissedByFloor() {
            return hasFloor() && !goal.isMetBy(floor);
        }

        private boolean hasFloor() {
            return isMissed() && !Double.isNaN(floor);
        }

        /** For a goal that is missed what the floor reaches, where there is one; otherwise nothing. */
        String floorText() {
            return hasFloor() ? Goal.number(floor) + (goal.isFloorHalved(work) ? " half" : "") : "";
        }
    }

    List<Outcome> outcomes() {
        List<Outcome> outcomes = new ArrayList<>();
        results.forEach((work, found) -> {
            for (Goal each : Goals.of(work)) {
                outcomes.add(new Outcome(each, work, each.measured(found), each.floor(work, found)));
            }
        });
        return outcomes;
    }

    /** What the floor's column means and how many of the missed goals it misses as well; nothing when it is empty. */
    static List<String> floorNote(List<Outcome> outcomes) {
        if (outcomes.stream().allMatch(each -> each.floorText().isEmpty())) return List.of();
        long missed = outcomes.stream().filter(Outcome::isMissed).count();
        long byFloor = outcomes.stream().filter(Outcome::isMissedByFloor).count();
        return List.of(
                "floor: what bare continuations reach in Coir's place, in this run; half: one thread's time halved, as if two"
                        + " shared the",
                "work without loss. Of the goals missed here (" + missed + ") it misses " + byFloor + " too.");
    }

    /** A work's title with its size, where a short run has another one. */
    String title(Work work, int measure) {
        String title = work.title(measure);
        if (!work.big()) return title;
        return title
                + String.format(Locale.ROOT, " (%,d fibers)", work.dose(quick).ops())
                        .replace(',', ' ');
    }

    static String figure(double value) {
        double size = Math.abs(value);
        String format = size < 1 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, value).replace(',', ' ');
    }
}
