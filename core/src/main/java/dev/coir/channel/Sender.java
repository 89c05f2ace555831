package dev.coir.channel;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a channel that values go into. Any number of fibers and threads may send at once; the values of each arrive in
 * the order in which it sent them. A value is never null.
 *
 * @param <T> the values
 */
public interface Sender<T> {
    /**
     * Sends a value; waits until there is room for it, or a receiver.
     *
     * @param value not null
     * @throws ChannelClosedException when the channel is closed, before or meanwhile; the value was not sent
     * @throws InterruptedException when interrupted or cancelled, before or meanwhile; the value was not sent
     */
    void send(T value) throws InterruptedException;

    /**
     * Sends a value if that is possible at once.
     *
     * @param value not null
     * @return false when it was not sent: there is no room, and no receiver waits
     * @throws ChannelClosedException when the channel is closed
     */
    boolean trySend(T value);

    /**
     * Sends a value; waits for some time until there is room for it, or a receiver.
     *
     * @param value not null
     * @param timeout how long to wait; zero or less: not at all
     * @return false when the time was up; the value was not sent
     * @throws ChannelClosedException when the channel is closed, before or meanwhile; the value was not sent
     * @throws InterruptedException when interrupted or cancelled, before or meanwhile; the value was not sent
     */
    boolean send(T value, Duration timeout) throws InterruptedException;

    /**
     * For {@link Select#select}: sends a value. It is ready when {@link #trySend} would succeed, and also when the channel is
     * closed; then select throws {@link ChannelClosedException} if it takes this one.
     *
     * @param <R> what select returns
     * @param value not null
     * @param then called after the value was sent, by the one who selects
     * @return the clause; it may be used again
     */
    <R extends @Nullable Object> Clause<R> onSend(T value, Supplier<? extends R> then);
}
