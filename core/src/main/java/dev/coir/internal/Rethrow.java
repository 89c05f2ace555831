package dev.coir.internal;

/** Throws on what was caught, whatever it is. */
public final class Rethrow {
    private Rethrow() {}

    /**
     * Throws a throwable as it is: also a checked one, where no throws clause allows it.
     *
     * @param thrown what was caught
     * @return never; to be thrown by the caller, so that the compiler sees that nothing follows
     */
    public static RuntimeException asIs(Throwable thrown) {
        Rethrow.<RuntimeException>sneak(thrown);
        throw new AssertionError("not reached", thrown);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
