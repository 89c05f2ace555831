package dev.coir.bench.micro;

import java.util.ArrayList;
import java.util.List;

/** A question put to several works, of which the first is what the others are measured against. */
final class Comparison {
    /** What a work's JVM has of Coir's agent. */
    enum Agent {
        NONE,
        /** Its polls sleep, for nobody was ever asked to give way. */
        ASLEEP,
        /** Somebody was asked once. */
        AWAKE
    }

    /**
     * One benchmark method.
     *
     * @param method its JMH name, class included
     * @param label what the table calls it
     * @param atMost the goal for its time over the baseline's; NaN when it is shown for information
     * @param agent whether its JVM gets Coir's agent, and how
     */
    record Work(String method, String label, double atMost, Agent agent) {
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

    /** As {@link #atMost}, in a JVM with Coir's agent. */
    Comparison withAgent(double ratio, String method, String label) {
        works.add(new Work(owner.getName() + "." + method, label, ratio, Agent.ASLEEP));
        return this;
    }

    /** A work without a goal, in a JVM with Coir's agent whose polls are awake. */
    Comparison withAgentAwake(String method, String label) {
        works.add(new Work(owner.getName() + "." + method, label, Double.NaN, Agent.AWAKE));
        return this;
    }

    private Comparison add(String method, String label, double atMost) {
        works.add(new Work(owner.getName() + "." + method, label, atMost, Agent.NONE));
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
