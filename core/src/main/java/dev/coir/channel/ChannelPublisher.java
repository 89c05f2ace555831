package dev.coir.channel;

import dev.coir.fiber.Fiber;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A channel as a publisher: a fiber for each subscriber takes a value when one was requested, and not before. */
record ChannelPublisher<T>(Receiver<T> from) implements Flow.Publisher<T> {
    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        var delivery = new Delivery<T>(from, subscriber);
        Fiber.go((Runnable) delivery::run);
    }

    /** Signals one subscriber, one signal at a time, from one fiber. */
    private static final class Delivery<T> implements Flow.Subscription {
        private final Receiver<T> from;
        private final Flow.Subscriber<? super T> subscriber;
        private final AtomicLong demand = new AtomicLong(); // Long.MAX_VALUE: without limit
        private final Channel<Boolean> requested = Channel.buffered(1); // told when there is demand again
        private final Channel<Boolean> over = Channel.rendezvous(); // closed when cancelled or misused
        private volatile @Nullable Throwable misuse; // set before over is closed

        Delivery(Receiver<T> from, Flow.Subscriber<? super T> subscriber) {
            this.from = from;
            this.subscriber = subscriber;
        }

        @SuppressWarnings("NullAway") // the clauses that end it, or ask again, give null
        void run() {
            subscriber.onSubscribe(this);
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
            if (cause == null) subscriber.onComplete();
            else subscriber.onError(cause);
        }

        @Override
        public void request(long n) {
            if (n > 0) {
                demand.updateAndGet(now -> now + n < 0 ? Long.MAX_VALUE : now + n);
                requested.trySend(true);
            } else if (!over.isClosed()) {
                misuse = new IllegalArgumentException("request: " + n + " (expected: more than 0)");
                over.close();
            }
        }

        @Override
        public void cancel() {
            over.close();
        }
    }
}
