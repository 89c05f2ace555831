package dev.coir.channel;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;

/**
 * Hands values from fibers or threads to others, in order. Both kinds of fiber, virtual and platform threads may stand at
 * either end; who has to wait gives its worker to others.
 *
 * {@snippet :
 * Channel<String> lines = Channel.buffered(100);
 * Fiber.go(() -> {
 *     try (lines) { // closes it at the end
 *         for (String each : Files.readAllLines(path)) lines.send(each);
 *     }
 *     return null;
 * });
 * for (String each : lines.untilClosed()) System.out.println(each);
 * }
 *
 * <p>Once closed, a channel takes no more values; those it has are still received, in order. Then receivers get
 * {@link ChannelClosedException}, and so do those who wait in {@code send} when the channel is closed: what they were
 * sending is not received by anybody. So a value arrives exactly if its {@code send} returns normally, and somebody receives.
 *
 * <p>Waiting parties are served first come, first served.
 *
 * @param <T> the values
 */
public sealed interface Channel<T> extends Sender<T>, Receiver<T>, AutoCloseable permits Conduit {
    /**
     * A channel that holds nothing: a sender waits for a receiver, and then both go on.
     *
     * @param <T> the values
     * @return a new channel
     */
    static <T> Channel<T> rendezvous() {
        return new Conduit<>(0);
    }

    /**
     * A channel that holds some values: a sender waits only when it is full.
     *
     * @param <T> the values
     * @param n how many; 0 makes a {@link #rendezvous}
     * @return a new channel
     */
    static <T> Channel<T> buffered(int n) {
        if (n < 0) throw new IllegalArgumentException("n: " + n + " (expected: 0 or more)");
        return new Conduit<>(n);
    }

    /**
     * A channel that holds any number of values: a sender never waits. Memory is the limit, so prefer {@link #buffered}.
     *
     * @param <T> the values
     * @return a new channel
     */
    static <T> Channel<T> unlimited() {
        return new Conduit<>(Integer.MAX_VALUE);
    }

    /** Closes the channel; nothing happens when it is closed already. Anybody may close, and never waits. */
    @Override
    void close();

    /**
     * Closes the channel and says why: the cause of every {@link ChannelClosedException} to come. Nothing happens when it is
     * closed already. Values sent before are still received first.
     *
     * @param cause why
     */
    void close(Throwable cause);

    /**
     * Whether it has been closed. There may still be values to receive.
     *
     * @return true once closed
     */
    boolean isClosed();

    /**
     * This channel seen as a {@link BlockingQueue}, for code that wants one. Both share their values.
     *
     * <p>When the channel is closed, what adds ({@code add}, {@code offer}, {@code put}) throws
     * {@link ChannelClosedException}, which is an {@link IllegalStateException}. What removes and has a way to say "empty" says
     * that once no value is left: {@code poll} and {@code peek} return null, the timed {@code poll} too, and without waiting;
     * {@code remove()} and {@code element()} throw {@link java.util.NoSuchElementException}; {@code drainTo} moves nothing.
     * {@code take}, which has none, throws {@link ChannelClosedException}.
     *
     * <p>A value whose sender still waits is not in the queue: a rendezvous is always empty, as a
     * {@link java.util.concurrent.SynchronousQueue} is. Iterators and streams show the values of the moment when they
     * were made.
     *
     * @return the view
     */
    BlockingQueue<T> asBlockingQueue();

    /**
     * This channel as a {@link Flow.Publisher}. Each subscriber gets its own fiber on the current executor, which receives a
     * value when one has been requested, and not before; several subscribers share the values, each goes to one of them. When
     * the channel is closed and no value is left, {@code onComplete} is called, or {@code onError} with the cause. One that
     * subscribes again while it is subscribed gets an {@link IllegalStateException} by {@code onError}, and one whose fiber the
     * executor refuses gets the refusal.
     *
     * @return the publisher
     */
    Flow.Publisher<T> asPublisher();

    /**
     * A subscriber that sends what is published to this channel. When the publisher completes or fails, the channel is closed,
     * without or with the cause; when somebody else has closed the channel, the subscription is cancelled at the next value.
     *
     * <p>It requests in portions, and never makes the publisher wait: besides what the channel holds, as many values again (at
     * least 1, at most 256) may be on their way. A fiber on the executor that is current in {@code onSubscribe} moves them. When
     * that executor refuses, or the subscription throws, the channel is closed with that as the cause.
     *
     * @return a new subscriber, for one subscription
     */
    Flow.Subscriber<T> asSubscriber();
}
