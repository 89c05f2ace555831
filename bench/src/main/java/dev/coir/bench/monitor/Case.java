package dev.coir.bench.monitor;

import dev.coir.fiber.Fiber.Kind;

/** What the fibers beside the ticker do. */
enum Case {
    NATIVE_SLEEP("nanosleep, called by FFM", Kind.VIRTUAL, true),
    NATIVE_SLEEP_LIGHT("nanosleep, called by FFM", Kind.LIGHT, true),
    INITIALISER("Thread.sleep in a class initialiser", Kind.VIRTUAL, true),
    INITIALISER_LIGHT("Thread.sleep in a class initialiser", Kind.LIGHT, true),
    FIFO("a read from a FIFO", Kind.VIRTUAL, true),
    FIFO_LIGHT("a read from a FIFO", Kind.LIGHT, true),
    DECLARED("nanosleep in Fiber.blocking", Kind.VIRTUAL, true),
    DECLARED_LIGHT("nanosleep in Fiber.blocking", Kind.LIGHT, true),
    LOOP("an endless loop", Kind.VIRTUAL, false),
    LOOP_SYNCHRONIZED("an endless loop in synchronized", Kind.VIRTUAL, false),
    LOOP_STREAM("an endless loop in a lambda of a stream", Kind.VIRTUAL, false),
    LOOP_LIGHT("an endless loop", Kind.LIGHT, false);

    private final String title;
    private final Kind kind;
    private final boolean blocks;

    Case(String title, Kind kind, boolean blocks) {
        this.title = title;
        this.kind = kind;
        this.blocks = blocks;
    }

    String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    /** Whether it is four fibers that block for a second each; else it is one that never waits. */
    boolean blocks() {
        return blocks;
    }
}
