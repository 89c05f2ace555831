package dev.coir.bench.peers;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that all sides do.
 *
 * @param name what the processes call it
 * @param variant what tells works of the same name apart; may be empty
 * @param title what people read
 * @param measures what a round finds, the first being what plots show
 * @param quick how much of it, when there is little time
 * @param full how much of it otherwise
 * @param contenders who can do it
 * @param big whether it needs so much memory that its sides cannot all be alive at once
 * @param divisible whether two threads could share its operations without a word between them
 */
record Work(
        String name,
        String variant,
        String title,
        List<Measure> measures,
        Dose quick,
        Dose full,
        List<Contender> contenders,
        boolean big,
        boolean divisible) {
    private static final int MANY = 1000;

    /**
     * A figure of a round; less is better.
     *
     * @param name empty when there is only one
     * @param unit its unit
     */
    record Measure(String name, String unit) {}

    /**
     * How much of a work.
     *
     * @param size how many fibers, or how deep: passed to the work
     * @param ops operations of a round
     * @param warmMillis how long a JVM warms up; other processes do two rounds, and nobody any when it is 0
     * @param rounds rounds of each process
     */
    record Dose(int size, int ops, int warmMillis, int rounds) {}

    Work asBig() {
        return new Work(name, variant, title, measures, quick, full, contenders, true, divisible);
    }

    Work asDivisible() {
        return new Work(name, variant, title, measures, quick, full, contenders, big, true);
    }

    /** What {@code --only} and the results call it. */
    String id() {
        return variant.isEmpty() ? name : name + "/" + variant;
    }

    Dose dose(boolean isQuick) {
        return isQuick ? quick : full;
    }

    /** Operations of a round that only warms up. */
    int warmOps(boolean isQuick) {
        int ops = dose(isQuick).ops;
        return big ? ops / 10 : ops;
    }

    /** Whether a round's operations are so many that what it allocates can be told per operation. */
    boolean countsBytes() {
        return isLedIn() && full.ops >= MANY;
    }

    /** Whether a round is about what an operation costs in passing; not about a start from rest, nor about a whole run. */
    boolean isLedIn() {
        return !big && measures.getFirst().unit().equals("ns");
    }

    /** Every side, in the order of the table. */
    List<Side> sides() {
        List<Side> sides = new ArrayList<>();
        for (Contender each : contenders) {
            sides.add(Side.of(each, 1));
            if (each.isParallel()) sides.add(Side.of(each, 2));
        }
        return sides;
    }

    /** The sides that a short run has time for: those of the goals, and one of each system. */
    List<Side> quickSides() {
        List<Side> asked = Goals.sidesOf(this);
        List<Side> sides = new ArrayList<>();
        for (Contender each : contenders) {
            List<Side> wanted =
                    asked.stream().filter(side -> side.contender() == each).toList();
            if (!wanted.isEmpty()) sides.addAll(wanted);
            else if (each == Contender.COIR_LIGHT || !each.isParallel()) sides.add(Side.of(each, 1));
            else sides.add(Side.of(each, 2));
        }
        return sides;
    }

    /** What a figure of it is called in a table. */
    String title(int measure) {
        Measure which = measures.get(measure);
        return title + (which.name().isEmpty() ? "" : ", " + which.name()) + ", " + which.unit();
    }
}
