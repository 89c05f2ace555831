package dev.coir.parallel;

/**
 * Something borrowed from a pool, to be given back by {@link #close}.
 *
 * @param <T> what it is
 */
public interface Loan<T> extends AutoCloseable {
    /**
     * What was borrowed.
     *
     * @return the item
     * @throws IllegalStateException when it was given back
     */
    T get();

    /** Gives it back; a second time does nothing. */
    @Override
    void close();
}
