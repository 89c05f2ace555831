package dev.coir.bench.agent;

/** What a JVM has of the agent. */
enum Polls {
    /** No agent: what the others are measured against. */
    NONE("without the agent"),
    /** Nobody was ever asked to give way. */
    ASLEEP("polls asleep"),
    /** Somebody was asked once, and nobody since. */
    AWAKE("polls awake"),
    /** Somebody is asked every ten milliseconds, and answers. */
    ASKED("polls answered every 10 ms");

    private final String label;

    Polls(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
