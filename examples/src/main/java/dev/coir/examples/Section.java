package dev.coir.examples;

/** A stop on the tour: shows one idea, in a few seconds. */
interface Section {
    /** What the command line calls it. */
    String name();

    /** Its idea, in one line. */
    String title();

    void run(Screen screen) throws InterruptedException;
}
