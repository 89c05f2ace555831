package dev.coir.parallel;

import dev.coir.internal.Rethrow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * What is to happen at the end of a block, the last first, however the block ends. For one party.
 *
 * {@snippet :
 * try (var defer = new Defer()) {
 *     var file = open();
 *     defer.add(() -> close(file));
 *     ...
 * }
 * }
 */
public final class Defer implements AutoCloseable {
    private final Deque<Runnable> deferred = new ArrayDeque<>();

    /** Nothing is deferred so far. */
    public Defer() {}

    /**
     * Begins with one thing.
     *
     * @param action what is to happen at the end
     * @return a new one
     */
    public static Defer of(Runnable action) {
        var defer = new Defer();
        defer.add(action);
        return defer;
    }

    /**
     * Defers one more thing; it happens before those deferred earlier.
     *
     * @param action what is to happen at the end
     */
    public void add(Runnable action) {
        deferred.push(Objects.requireNonNull(action, "action"));
    }

    /**
     * Forgets what was deferred, for instance because all went well.
     */
    public void cancel() {
        deferred.clear();
    }

    /** Makes it happen: all of it, even if some throw. The first failure leaves here, with later ones suppressed. */
    @Override
    public void close() {
        Throwable first = null;
        Runnable action;
        while ((action = deferred.poll()) != null) {
            try {
                action.run();
            } catch (Throwable failure) { // a checked one too, if it was sneaked through the Runnable
                if (first == null) first = failure;
                else if (first != failure) first.addSuppressed(failure);
            }
        }
        if (first != null) throw Rethrow.asIs(first);
    }
}
