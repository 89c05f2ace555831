package dev.coir.internal;

/** For modules that cannot name {@link Stack}, which the JDK's own class is above: keeps virtual threads on their carrier. */
public final class Pins {
    private Pins() {}

    /**
     * Runs something with monitors that carriers enter as well: {@link Stack#stay}.
     *
     * @param action must not wait for another fiber
     */
    public static void staying(Runnable action) {
        boolean pinned = Stack.stay();
        try {
            action.run();
        } finally {
            Stack.mayLeave(pinned);
        }
    }
}
