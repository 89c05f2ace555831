package dev.coir.scope;

import dev.coir.fiber.Fiber;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a scope has enough, and what {@link Scope#join} returns. A joiner serves one scope; make a new one for each.
 *
 * <p>The usual ones are made here. To write your own, implement {@link #onComplete} and {@link #result}.
 *
 * @param <T> what the children return
 * @param <R> what join returns
 */
public interface Joiner<T extends @Nullable Object, R extends @Nullable Object> {
    /**
     * A child is about to start. Called by the scope's owner.
     *
     * @param child the child, not started
     */
    default void onFork(Fiber<? extends T> child) {}

    /**
     * A child is done: it has a result, has failed or was cancelled. Called once for each child, by several at once.
     *
     * @param child the child; {@link Fiber#state} tells
     * @return true to cancel the others
     */
    boolean onComplete(Fiber<? extends T> child);

    /**
     * What join returns. Called once, by the scope's owner, when all children are done.
     *
     * @return the result
     * @throws Throwable the cause of the {@link ScopeFailedException} that join is to throw, or that exception itself
     */
    R result() throws Throwable;

    /**
     * All must succeed: the first failure cancels the others. A child that somebody cancelled counts as failed.
     *
     * @param <T> what the children return
     * @return a joiner whose result is the list of the children's results, in the order in which they were forked
     */
    static <T extends @Nullable Object> Joiner<T, List<T>> all() {
        return new Joiners.All<>();
    }

    /**
     * One must succeed: the first success cancels the others. If there is none, join throws the first failure.
     *
     * @param <T> what the children return
     * @return a joiner whose result is that of the first child that succeeds
     */
    static <T extends @Nullable Object> Joiner<T, T> any() {
        return new Joiners.Any<>();
    }

    /**
     * All are awaited, however they end; none is cancelled, and join does not fail.
     *
     * @param <T> what the children return
     * @return a joiner whose result is the list of the children, all done, in the order in which they were forked
     */
    static <T extends @Nullable Object> Joiner<T, List<Fiber<? extends T>>> settled() {
        return new Joiners.Settled<>();
    }
}
