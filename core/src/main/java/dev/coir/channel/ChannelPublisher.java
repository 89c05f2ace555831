package dev.coir.channel;

import dev.coir.fiber.Fiber;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A channel as a publisher: a fiber for each subscriber takes a value when one was requested, and not before. One that
 * subscribes again while it is subscribed gets an error, as {@link Flow.Publisher#subscribe} wants it.
 */
final class ChannelPublisher<T> implements Flow.Publisher<T> {
    private final Receiver<T> from;
    private final Map<Flow.Subscriber<? super T>, Delivery> subscribed = new ConcurrentHashMap<>();

    ChannelPublisher(Receiver<T> from) {
        this.from = from;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        var delivery = new Delivery(Objects.requireNonNull(subscriber, "subscriber"));
        Delivery earlier = subscribed.putIfAbsent(subscriber, delivery);
        if (earlier != null) {
            earlier.fail(new IllegalStateException(
                    "subscribed twice: " + subscriber + " (expected: once, or another subscriber each time)"));
            return;
        }
        try {
            Fiber.go((Runnable) delivery::run);
        } catch (Throwable refused) { // by the executor; who subscribes hears it as any other failure
            delivery.refuse(refused);
        }
    }

    /** Signals one subscriber, one signal at a time, from one fiber. */
    private final class Delivery implements Flow.Subscription {
        private final Flow.Subscriber<? super T> subscriber;
        private final AtomicLong demand = new AtomicLong(); // Long.MAX_VALUE: without limit
        private final Channel<Boolean> requested = Channel.buffered(1); // told when there is demand again
        private final Channel<Boolean> over = Channel.rendezvous(); // closed when cancelled or misused
        private volatile @Nullable Throwable misuse; // set before over is closed

        Delivery(Flow.Subscriber<? super T> subscriber) {
            this.subscriber = subscriber;
        }

        void run() {
            try {
                subscriber.onSubscribe(this);
                deliver();
            } finally {
                cancel(); // also when the subscriber threw
            }
        }

        void refuse(Throwable why) {
            cancel();
            subscriber.onSubscribe(this);
            subscriber.onError(why);
        }

        @SuppressWarnings("NullAway") // the clauses that end it, or ask again, give null
        private void deliver() {
            Clause<@Nullable T> value = from.onReceive(received -> received);
            Clause<@Nullable T> end = over.onReceive(_ -> null, () -> null);
            Clause<@Nullable T> more = requested.onReceive(_ -> null);
            while (!over.isClosed()) {
                T received;
                try {
                    received = Select.<@Nullable T>select(demand.get() == 0 ? more : value, end);
                } catch (ChannelClosedException closed) {
                    finish(closed.getCause());
                    return;
                } catch (InterruptedException shutDown) {
                    finish(shutDown);
                    return;
                }
                if (received == null) continue;
                demand.updateAndGet(now -> now == Long.MAX_VALUE ? now : now - 1);
                subscriber.onNext(received); // also when it was cancelled just now: the value must not be lost
            }
            if (misuse != null) finish(misuse);
        }

        private void finish(@Nullable Throwable cause) {
            cancel(); // before the signal: the subscriber may come again
            if (cause == null) subscriber.onComplete();
            else subscriber.onError(cause);
        }

        @Override
        public void request(long n) {
            if (n > 0) {
                demand.updateAndGet(now -> now + n < 0 ? Long.MAX_VALUE : now + n);
                requested.trySend(true);
            } else {
                fail(new IllegalArgumentException("request: " + n + " (expected: more than 0)"));
            }
        }

        void fail(Throwable why) {
            if (over.isClosed()) return;
            misuse = why;
            over.close();
        }

        @Override
        public void cancel() {
            over.close();
            subscribed.remove(subscriber, this);
        }
    }
}
