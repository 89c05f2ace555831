package dev.coir.parallel;

import java.util.function.Supplier;

/**
 * Items that are borrowed and given back; who finds none gets a new one. It never waits, and keeps all that were ever needed
 * at once.
 *
 * @param <T> what is borrowed
 */
public final class UnboundedPool<T> {
    private final Shelf<T> shelf;

    /**
     * An empty pool.
     *
     * @param maker makes an item when none is idle
     */
    public UnboundedPool(Supplier<? extends T> maker) {
        this.shelf = new Shelf<>(maker);
    }

    /**
     * Borrows an item.
     *
     * @return the loan
     */
    public Loan<T> borrow() {
        return shelf.take(() -> {});
    }
}
