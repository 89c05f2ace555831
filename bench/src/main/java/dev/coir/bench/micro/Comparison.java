package dev.coir.bench.micro;

import java.util.ArrayList;
import java.util.List;

/** A question put to several works, of which the first is what the others are measured against. */
final class Comparison {
    /**
     * One benchmark method.
     *
     * @param method its JMH name, class included
     * @param label what the table calls it
     * @param atMost the goal for its time over the baseline's; NaN when it is shown for information
     */
    record Work(String method, String label, double atMost) {
        boolean hasGoal() {
            return !Double.isNaN(atMost);
        }
    }

    private final Class<?> owner;
    private final String title;
    private final List<Work> works = new ArrayList<>();

    private Comparison(Class<?> owner, String title) {
        this.owner = owner;
        this.title = title;
    }

    static Comparison of(Class<?> owner, String title) {
        return new Comparison(owner, title);
    }

    /** The work that the later ones are measured against; comes first. */
    Comparison baseline(String method, String label) {
        if (!works.isEmpty()) throw new IllegalStateException("baseline: " + method + " (expected: the first work)");
        return add(method, label, Double.NaN);
    }

    /** A work with a goal: it may take {@code ratio} times as long as the baseline. */
    Comparison atMost(double ratio, String method, String label) {
        return add(method, label, ratio);
    }

    /** A work without a goal. */
    Comparison shown(String method, String label) {
        return add(method, label, Double.NaN);
    }

    private Comparison add(String method, String label, double atMost) {
        works.add(new Work(owner.getName() + "." + method, label, atMost));
        return this;
    }

    /** What {@code --only} calls it. */
    String name() {
        return owner.getSimpleName();
    }

    String title() {
        return title;
    }

    List<Work> works() {
        return List.copyOf(works);
    }

    Work baseline() {
        return works.getFirst();
    }
}
