package dev.coir.stress;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How much is tried: {@code -Dcoir.dose=short} for every build, {@code long} for the night. */
final class Doses {
    static final boolean LONG = isLong(System.getProperty("coir.dose", "short"));

    private Doses() {}

    private static boolean isLong(String dose) {
        return switch (dose) {
            case "short" -> false;
            case "long" -> true;
            default -> throw new IllegalArgumentException("coir.dose: " + dose + " (expected: short or long)");
        };
    }

    /**
     * Tries interleavings one by one, always the same ones, as if memory were sequentially consistent (jcstress is for
     * the rest). A search for a planted bug ends when it is found.
     */
    static ModelCheckingOptions modelChecking() {
        return new ModelCheckingOptions()
                .iterations(LONG ? 60 : 20)
                .invocationsPerIteration(LONG ? 500 : 200)
                .threads(3)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2);
    }

    static ModelCheckingOptions searchForPlantedBug() {
        return modelChecking().iterations(100).invocationsPerIteration(500).minimizeFailedScenario(false);
    }
}
