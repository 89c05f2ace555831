package dev.coir.channel;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a channel that values come out of. Any number of fibers and threads may receive at once; each value goes to one
 * of them, in the order in which they came.
 *
 * @param <T> the values
 */
public interface Receiver<T> {
    /**
     * Receives a value; waits until there is one.
     *
     * @return the value
     * @throws ChannelClosedException when the channel is closed and no value is left
     * @throws InterruptedException when interrupted or cancelled, before or meanwhile; no value was taken
     */
    T receive() throws InterruptedException;

    /**
     * Receives a value if there is one.
     *
     * @return the value, or empty when there is none now
     * @throws ChannelClosedException when the channel is closed and no value is left
     */
    Optional<T> tryReceive();

    /**
     * Receives a value; waits for some time until there is one.
     *
     * @param timeout how long to wait; zero or less: not at all
     * @return the value, or empty when the time was up
     * @throws ChannelClosedException when the channel is closed and no value is left
     * @throws InterruptedException when interrupted or cancelled, before or meanwhile; no value was taken
     */
    Optional<T> receive(Duration timeout) throws InterruptedException;

    /**
     * The values as they come, to be used in a {@code for} loop; it ends when the channel is closed and no value is left. Each
     * iterator takes its values away from the others. {@code hasNext} waits, and takes the value that {@code next} returns.
     *
     * <p>{@code hasNext} throws {@link ChannelClosedException} when the channel was closed with a cause, and
     * {@link CancellationException} when interrupted or cancelled; the interrupt is kept then.
     *
     * @return the values
     */
    Iterable<T> untilClosed();

    /**
     * For {@link Select#select}: receives a value. It is ready when there is one, and also when the channel is closed and none
     * is left; then select throws {@link ChannelClosedException} if it takes this one.
     *
     * @param <R> what select returns
     * @param then called with the value, by the one who selects
     * @return the clause; it may be used again
     */
    <R extends @Nullable Object> Clause<R> onReceive(Function<? super T, ? extends R> then);

    /**
     * As {@link #onReceive(Function)}, for those who go on when the channel is closed.
     *
     * @param <R> what select returns
     * @param then called with the value, by the one who selects
     * @param closed called instead when the channel is closed, with or without a cause, and no value is left
     * @return the clause; it may be used again
     */
    <R extends @Nullable Object> Clause<R> onReceive(
            Function<? super T, ? extends R> then, Supplier<? extends R> closed);
}
