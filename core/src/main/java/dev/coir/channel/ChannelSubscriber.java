package dev.coir.channel;

import dev.coir.fiber.Fiber;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A channel as a subscriber: what is published goes into an inbox, from which a fiber sends it to the channel. No more is
 * requested than the inbox has room for, so the publisher never waits and the inbox never overflows.
 */
final class ChannelSubscriber<T> implements Flow.Subscriber<T> {
    private final Channel<T> into;
    private final int window;
    private final Channel<T> inbox;
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

    ChannelSubscriber(Channel<T> into, int window) {
        this.into = into;
        this.window = window;
        this.inbox = Channel.buffered(window);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        Objects.requireNonNull(given, "subscription");
        if (!subscription.compareAndSet(null, given)) {
            given.cancel(); // one is enough
            return;
        }
        try {
            Fiber.go((Runnable) () -> pump(given));
        } catch (Throwable refused) { // by the executor; a publisher must not hear of it
            into.close(refused);
            given.cancel();
        }
    }

    /** Moves what comes on to the channel, and asks for more whenever half of the window is used up. */
    private void pump(Flow.Subscription from) {
        int used = 0;
        try {
            from.request(window);
            for (T each : inbox.untilClosed()) {
                into.send(each);
                if (++used < (window + 1) / 2) continue;
                from.request(used);
                used = 0;
            }
            into.close();
        } catch (ChannelClosedException closed) {
            Throwable failure = closed.getCause();
            if (into.isClosed()) from.cancel(); // nobody wants the rest
            else if (failure != null) into.close(failure);
        } catch (Throwable shutDown) { // or a publisher that throws
            into.close(shutDown); // first, for who receives must not wait
            from.cancel();
        }
    }

    @Override
    public void onNext(T value) {
        Objects.requireNonNull(value, "value");
        try {
            if (!inbox.trySend(value))
                inbox.close(new IllegalStateException("the publisher sent more than the " + window + " requested"));
        } catch (ChannelClosedException late) {
            return; // after the end, which publishers may not do
        }
    }

    @Override
    public void onError(Throwable failure) {
        inbox.close(Objects.requireNonNull(failure, "failure"));
    }

    @Override
    public void onComplete() {
        inbox.close();
    }
}
