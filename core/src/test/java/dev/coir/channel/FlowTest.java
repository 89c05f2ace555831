package dev.coir.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels keep the rules of reactive streams at either side. */
class FlowTest {
    /** Writes down its signals, and fails when two come at once. */
    private static class Recorder implements Flow.Subscriber<Integer> {
        final Queue<Object> signals = new ConcurrentLinkedQueue<>();
        final AtomicInteger inside = new AtomicInteger();
        final CountDownLatch subscribed = new CountDownLatch(1);
        volatile Flow.Subscription subscription;

        private void note(Object signal) {
            if (inside.incrementAndGet() != 1) signals.add("two signals at once");
            signals.add(signal);
            inside.decrementAndGet();
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscribed.countDown();
        }

        @Override
        public void onNext(Integer value) {
            note(value);
        }

        @Override
        public void onError(Throwable failure) {
            note(failure);
        }

        @Override
        public void onComplete() {
            note("complete");
        }

        Recorder subscribedTo(Channel<Integer> channel) throws InterruptedException {
            channel.asPublisher().subscribe(this);
            subscribed.await();
            return this;
        }

        void until(int count) {
            Crowd.until(() -> signals.size() >= count);
        }
    }

    // ---- a channel as a publisher ----------------------------------------------------------------------------------

    @Test
    void nothingIsTakenBeforeItIsRequested() throws Exception {
        Channel<Integer> channel = Channel.buffered(10);
        for (int i = 0; i < 5; i++) channel.send(i);
        var recorder = new Recorder().subscribedTo(channel);
        assertEquals("Channel[5 of 10 held]", channel.toString());
        recorder.subscription.request(2);
        recorder.until(2);
        Crowd.until(() -> channel.toString().equals("Channel[3 of 10 held]"));
        recorder.subscription.request(1);
        recorder.until(3);
        assertEquals(List.of(0, 1, 2), List.copyOf(recorder.signals));
        recorder.subscription.cancel();
    }

    @Test
    void closingCompletesAfterTheRest() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        channel.send(1);
        channel.send(2);
        channel.close();
        var recorder = new Recorder().subscribedTo(channel);
        recorder.subscription.request(Long.MAX_VALUE);
        recorder.until(3);
        assertEquals(List.of(1, 2, "complete"), List.copyOf(recorder.signals));
    }

    @Test
    void closingWithACauseIsAnError() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        var why = new IOException("why");
        channel.send(1);
        channel.close(why);
        var recorder = new Recorder().subscribedTo(channel);
        recorder.subscription.request(5);
        recorder.until(2);
        assertEquals(List.of(1, why), List.copyOf(recorder.signals));
    }

    @Test
    void aRequestOfNothingIsAnErrorAndTheLastSignal() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        var recorder = new Recorder().subscribedTo(channel);
        recorder.subscription.request(1); // it waits for a value now, or soon
        recorder.subscription.request(0);
        recorder.until(1);
        var refusal = assertInstanceOf(IllegalArgumentException.class, recorder.signals.peek());
        assertEquals("request: 0 (expected: more than 0)", refusal.getMessage());
        channel.send(1);
        recorder.subscription.request(1);
        recorder.subscription.cancel();
        recorder.subscription.cancel();
        assertEquals(1, channel.receive(), "nobody else took it");
        assertEquals(1, recorder.signals.size());
    }

    @Test
    void cancellingStopsAndLosesNoValue() throws Exception {
        for (int round = 0; round < 100; round++) {
            Channel<Integer> channel = Channel.buffered(100);
            for (int i = 0; i < 100; i++) channel.send(i);
            var first = new Recorder() {
                @Override
                public void onNext(Integer value) {
                    super.onNext(value);
                    if (value == 10) subscription.cancel();
                }
            };
            first.subscribedTo(channel);
            first.subscription.request(Long.MAX_VALUE);
            if (round % 2 == 0) first.subscription.cancel();
            channel.close();
            List<Object> all = new ArrayList<>();
            if (round % 2 == 1) first.until(11);
            var second = new Recorder().subscribedTo(channel);
            second.subscription.request(Long.MAX_VALUE);
            Crowd.until(() -> second.signals.contains("complete"));
            Crowd.until(() -> first.signals.size() + second.signals.size() >= 101);
            all.addAll(first.signals);
            all.addAll(second.signals);
            all.remove("complete");
            all.sort(null);
            assertEquals(IntStream.range(0, 100).boxed().toList(), all);
        }
    }

    @Test
    void manyRequestsFromManyThreadsAddUp() throws Exception {
        Channel<Integer> channel = Channel.buffered(1000);
        for (int i = 0; i < 1000; i++) channel.send(i);
        var recorder = new Recorder().subscribedTo(channel);
        Crowd.run(4, index -> {
            for (int i = 0; i < 50; i++) recorder.subscription.request(1 + i % 2);
        });
        recorder.until(300);
        Crowd.until(() -> channel.toString().equals("Channel[700 of 1000 held]"));
        assertEquals(IntStream.range(0, 300).boxed().toList(), List.copyOf(recorder.signals));
        recorder.subscription.cancel();
    }

    /** Rule 1.10 of reactive streams, and what the JDK's {@link Flow.Publisher} says of it. */
    @Test
    void whoSubscribesTwiceGetsAnErrorAndNoSecondSubscription() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        Flow.Publisher<Integer> publisher = channel.asPublisher();
        var subscriptions = new AtomicInteger();
        var recorder = new Recorder() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                subscriptions.incrementAndGet();
                super.onSubscribe(given);
            }

            @Override
            public String toString() {
                return "the recorder";
            }
        };
        publisher.subscribe(recorder);
        recorder.subscribed.await();
        publisher.subscribe(recorder);
        recorder.until(1);
        var refusal = assertInstanceOf(IllegalStateException.class, recorder.signals.peek());
        assertEquals(
                "subscribed twice: the recorder (expected: once, or another subscriber each time)",
                refusal.getMessage());
        assertEquals(1, subscriptions.get());
        channel.send(7);
        recorder.subscription.request(1);
        assertEquals(7, channel.receive(), "nobody else took it");
        assertEquals(1, recorder.signals.size());
    }

    @Test
    void manyWhoSubscribeOneSubscriberAtOnceGiveItOneSubscriptionAndOneError() throws Exception {
        for (int round = 0; round < 200; round++) {
            Flow.Publisher<Integer> publisher = Channel.<Integer>buffered(3).asPublisher();
            var recorder = new Recorder();
            Crowd.run(3, _ -> publisher.subscribe(recorder));
            recorder.until(1);
            assertInstanceOf(IllegalStateException.class, recorder.signals.peek());
        }
    }

    @Test
    void afterItsSubscriptionHasEndedASubscriberMayComeAgain() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        for (int i = 0; i < 3; i++) channel.send(i);
        channel.close();
        Flow.Publisher<Integer> publisher = channel.asPublisher();
        var recorder = new Recorder() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                super.onSubscribe(given);
                given.request(1);
            }

            @Override
            public void onNext(Integer value) {
                super.onNext(value);
                subscription.cancel();
                publisher.subscribe(this);
            }

            @Override
            public void onComplete() {
                super.onComplete();
                if (signals.size() < 6) publisher.subscribe(this);
            }
        };
        publisher.subscribe(recorder);
        recorder.until(6);
        assertEquals(List.of(0, 1, 2, "complete", "complete", "complete"), List.copyOf(recorder.signals));
    }

    @Test
    void anExecutorThatRefusesTheFiberIsAnErrorToTheSubscriber() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        channel.send(1);
        var recorder = new Recorder();
        onAnExecutorThatTakesOnlyOne(() -> channel.asPublisher().subscribe(recorder));
        assertEquals(
                "full",
                assertInstanceOf(RejectedExecutionException.class, recorder.signals.poll())
                        .getMessage());
        assertTrue(recorder.signals.isEmpty());
        recorder.subscription.request(1);
        assertEquals(1, channel.receive());
    }

    /** Runs it in a fiber whose executor has taken that fiber, and takes none after. */
    private static void onAnExecutorThatTakesOnlyOne(Runnable body) {
        var taken = new AtomicInteger();
        Executor executor = task -> {
            if (taken.getAndIncrement() > 0) throw new RejectedExecutionException("full");
            new Thread(task).start();
        };
        Fiber.go(executor, body).join();
    }

    @Test
    void nullSubscribersAreRefused() {
        assertThrows(
                NullPointerException.class,
                () -> Channel.<Integer>rendezvous().asPublisher().subscribe(null));
    }

    // ---- a channel as a subscriber ---------------------------------------------------------------------------------

    @Test
    void whatAPublisherOfTheJdkPublishesArrivesInOrder() throws Exception {
        for (Channel<Integer> channel :
                List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(7), Channel.<Integer>unlimited())) {
            try (var publisher = new SubmissionPublisher<Integer>()) {
                publisher.subscribe(channel.asSubscriber());
                var source = Crowd.start("source", i -> {
                    for (int n = 0; n < 2_000; n++) publisher.submit(n);
                    publisher.close();
                });
                int expected = 0;
                for (int each : channel.untilClosed()) assertEquals(expected++, each);
                assertEquals(2_000, expected);
                source.get();
            }
        }
    }

    @Test
    void aChannelCanBePumpedIntoAnother() throws Exception {
        Channel<Integer> from = Channel.buffered(3);
        Channel<Integer> into = Channel.rendezvous();
        from.asPublisher().subscribe(into.asSubscriber());
        var source = Crowd.start("source", i -> {
            try (from) {
                for (int n = 0; n < 500; n++) from.send(n);
            }
        });
        int expected = 0;
        for (int each : into.untilClosed()) assertEquals(expected++, each);
        assertEquals(500, expected);
        source.get();
    }

    /** A publisher that only counts what is requested of it. */
    private static class Counted implements Flow.Subscription {
        final AtomicLong requested = new AtomicLong();
        volatile boolean cancelled;

        @Override
        public void request(long n) {
            requested.addAndGet(n);
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    @Test
    void noMoreIsRequestedThanThereIsRoomFor() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
        var subscriber = channel.asSubscriber();
        var source = new Counted();
        subscriber.onSubscribe(source);
        Crowd.until(() -> source.requested.get() == 4);
        int sent = 0;
        while (sent < source.requested.get() || sent < 8) {
            if (sent < source.requested.get()) subscriber.onNext(sent++);
            else Thread.yield();
        }
        Crowd.until(() -> channel.toString().startsWith("Channel[4 of 4 held, 1 sending"));
        assertTrue(source.requested.get() <= 8, "4 in the channel, 4 on their way");
        for (int i = 0; i < 8; i++) assertEquals(i, channel.receive());
        Crowd.until(() -> source.requested.get() == 12);
        subscriber.onComplete();
        assertThrows(ChannelClosedException.class, channel::receive);
    }

    @Test
    void anErrorClosesTheChannelWithItsCause() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
        var subscriber = channel.asSubscriber();
        subscriber.onSubscribe(new Counted());
        subscriber.onNext(1);
        var why = new IOException("why");
        subscriber.onError(why);
        assertEquals(1, channel.receive());
        assertSame(
                why,
                assertThrows(ChannelClosedException.class, channel::receive).getCause());
    }

    @Test
    void closingTheChannelCancelsTheSubscription() {
        Channel<Integer> channel = Channel.rendezvous();
        var subscriber = channel.asSubscriber();
        var source = new Counted();
        subscriber.onSubscribe(source);
        channel.close();
        assertFalse(source.cancelled);
        subscriber.onNext(1);
        Crowd.until(() -> source.cancelled);
    }

    @Test
    void aSecondSubscriptionIsCancelled() {
        var subscriber = Channel.<Integer>buffered(1).asSubscriber();
        var first = new Counted();
        var second = new Counted();
        subscriber.onSubscribe(first);
        subscriber.onSubscribe(second);
        assertTrue(second.cancelled);
        assertFalse(first.cancelled);
        assertEquals(0, second.requested.get());
        subscriber.onComplete();
    }

    @Test
    void aPublisherThatSendsMoreThanRequestedIsCutOff() throws Exception {
        Channel<Integer> channel = Channel.buffered(2);
        var subscriber = channel.asSubscriber();
        subscriber.onSubscribe(new Counted());
        for (int i = 0; i < 100; i++) subscriber.onNext(i);
        var closed = assertThrows(ChannelClosedException.class, () -> {
            while (true) channel.receive();
        });
        assertEquals(
                "the publisher sent more than the 2 requested",
                closed.getCause().getMessage());
    }

    /** Whatever a publisher does, who receives does not wait for ever. */
    @ParameterizedTest
    @ValueSource(longs = {0, 4}) // already when it is first asked, or later
    void aPublisherThatThrowsWhenItIsAskedClosesTheChannelWithThat(long afterSoMany) {
        Channel<Integer> channel = Channel.buffered(4);
        var subscriber = channel.asSubscriber();
        var source = new Counted() {
            @Override
            public void request(long n) {
                if (requested.get() == afterSoMany) throw new AssertionError("broken publisher");
                super.request(n);
            }

            @Override
            public void cancel() {
                super.cancel();
                throw new IllegalStateException("broken as well");
            }
        };
        subscriber.onSubscribe(source);
        Crowd.until(() -> source.requested.get() == afterSoMany);
        for (int i = 0; i < afterSoMany; i++) subscriber.onNext(i);
        var closed = assertThrows(ChannelClosedException.class, () -> {
            while (true) channel.receive();
        });
        assertEquals("broken publisher", closed.getCause().getMessage());
        Crowd.until(() -> source.cancelled);
    }

    @Test
    void anExecutorThatRefusesTheFiberClosesTheChannelWithThat() {
        Channel<Integer> channel = Channel.buffered(4);
        var source = new Counted();
        onAnExecutorThatTakesOnlyOne(() -> channel.asSubscriber().onSubscribe(source));
        var closed = assertThrows(ChannelClosedException.class, channel::receive);
        assertEquals("full", closed.getCause().getMessage());
        assertTrue(source.cancelled);
    }

    @Test
    void nullSignalsAreRefused() {
        var subscriber = Channel.<Integer>buffered(1).asSubscriber();
        assertThrows(NullPointerException.class, () -> subscriber.onSubscribe(null));
        assertThrows(NullPointerException.class, () -> subscriber.onNext(null));
        assertThrows(NullPointerException.class, () -> subscriber.onError(null));
    }
}
