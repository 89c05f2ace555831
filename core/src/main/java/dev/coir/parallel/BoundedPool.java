package dev.coir.parallel;

import dev.coir.sync.Semaphore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A number of items that are borrowed and given back; who finds none waits, first come first served.
 *
 * {@snippet :
 * var connections = new BoundedPool<>(8, this::connect);
 * try (var loan = connections.borrow()) {
 *     loan.get().send(request);
 * }
 * }
 *
 * @param <T> what is borrowed
 */
public final class BoundedPool<T> {
    private final int size;
    private final Semaphore free;
    private final Shelf<T> shelf;

    /**
     * A pool. Items are made when they are first needed.
     *
     * @param size how many there are at most
     * @param maker makes one
     * @throws IllegalArgumentException when there is none
     */
    public BoundedPool(int size, Supplier<? extends T> maker) {
        if (size < 1) throw new IllegalArgumentException("size: " + size + " (expected: 1 or more)");
        this.size = size;
        this.free = new Semaphore(size, true);
        this.shelf = new Shelf<>(maker);
    }

    /**
     * Waits for an item and borrows it.
     *
     * @return the loan
     * @throws InterruptedException when interrupted or cancelled; nothing was borrowed
     */
    public Loan<T> borrow() throws InterruptedException {
        free.acquire();
        return taken();
    }

    /**
     * Waits for an item, not for ever, and borrows it.
     *
     * @param timeout how long
     * @return the loan; empty when the time was up
     * @throws InterruptedException when interrupted or cancelled; nothing was borrowed
     */
    public Optional<Loan<T>> borrow(Duration timeout) throws InterruptedException {
        long nanos = TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(timeout, "timeout")); // centuries are cut
        return free.tryAcquire(nanos, TimeUnit.NANOSECONDS) ? Optional.of(taken()) : Optional.empty();
    }

    /**
     * Borrows an item if one is there and nobody waits.
     *
     * @return the loan; empty when there is none
     */
    public Optional<Loan<T>> tryBorrow() {
        return free.tryAcquire() ? Optional.of(taken()) : Optional.empty();
    }

    private Loan<T> taken() {
        try {
            return shelf.take(free::release);
        } catch (Throwable failure) { // of the maker: the room is for the next
            free.release();
            throw failure;
        }
    }

    /**
     * How many items there are at most.
     *
     * @return 1 or more
     */
    public int size() {
        return size;
    }

    @Override
    public String toString() {
        return "BoundedPool[" + free.availablePermits() + " of " + size + " free]";
    }
}
