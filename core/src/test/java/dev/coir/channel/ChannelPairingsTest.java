package dev.coir.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.testing.Callers.Call;
import dev.coir.testing.Pairing;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Channels between whoever may stand at their ends. */
@ParameterizedClass
@MethodSource("dev.coir.testing.Pairing#all")
class ChannelPairingsTest {
    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(2);

    @Parameter
    Pairing pairing;

    private Scheduler scheduler;

    @BeforeEach
    void start() {
        scheduler = Schedulers.start(pairing.workers());
    }

    @AfterEach
    void close() {
        Schedulers.close(scheduler);
    }

    private <T> Call<T> first(Callable<T> body) {
        return pairing.first().start(scheduler, body);
    }

    private <T> Call<T> second(Callable<T> body) {
        return pairing.second().start(scheduler, body);
    }

    private static Stream<Channel<Integer>> everyKind() {
        return Stream.of(Channel.rendezvous(), Channel.buffered(1), Channel.buffered(7), Channel.unlimited());
    }

    /** Nobody stands in it any more. */
    private static void assertNobodyWaits(Channel<?> channel) {
        assertFalse(channel.toString().contains("ing"), channel::toString);
    }

    @Test
    void valuesArriveInOrderUntilTheChannelIsClosed() throws Exception {
        for (Channel<Integer> channel : everyKind().toList()) {
            Call<Void> sender = first(() -> {
                for (int i = 0; i < 200; i++) channel.send(i);
                channel.close();
                return null;
            });
            Call<List<Integer>> receiver = second(() -> {
                List<Integer> got = new ArrayList<>();
                for (int each : channel.untilClosed()) got.add(each);
                return got;
            });
            sender.get();
            assertEquals(IntStream.range(0, 200).boxed().toList(), receiver.get());
            assertEquals(true, channel.isClosed());
        }
    }

    @Test
    void twoChannelsPlayPingPong() throws Exception {
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        Call<Integer> ping = first(() -> {
            int ball = 0;
            for (int i = 0; i < 100; i++) {
                there.send(ball);
                ball = back.receive();
            }
            return ball;
        });
        Call<Void> pong = second(() -> {
            for (int i = 0; i < 100; i++) back.send(there.receive() + 1);
            return null;
        });
        assertEquals(100, ping.get());
        pong.get();
    }

    @Test
    void whoWaitsFirstIsServedByWhoComesLater() throws Exception {
        Channel<String> channel = Channel.rendezvous();
        Call<String> receiver = second(channel::receive).untilWaiting();
        first(() -> {
                    channel.send("for the receiver that waits");
                    return null;
                })
                .get();
        assertEquals("for the receiver that waits", receiver.get());
        Call<Void> sender = first(() -> {
            channel.send("from the sender that waits");
            return null;
        });
        sender.untilWaiting();
        assertEquals("from the sender that waits", second(channel::receive).get());
        sender.get();
        assertNobodyWaits(channel);
    }

    @Test
    void manySendAndManyReceiveAndNothingIsLostOrDoubled() throws Exception {
        for (Channel<Integer> channel : everyKind().toList()) {
            List<Call<Void>> senders = new ArrayList<>();
            List<Call<List<Integer>>> receivers = new ArrayList<>();
            for (int s = 0; s < 4; s++) {
                int base = 50 * s;
                senders.add(first(() -> {
                    for (int i = 0; i < 50; i++) channel.send(base + i);
                    return null;
                }));
            }
            for (int r = 0; r < 3; r++) {
                receivers.add(second(() -> {
                    List<Integer> got = new ArrayList<>();
                    channel.untilClosed().forEach(got::add);
                    return got;
                }));
            }
            for (Call<Void> each : senders) each.get();
            channel.close();
            List<Integer> all = new ArrayList<>();
            for (Call<List<Integer>> each : receivers) {
                assertEachSenderInOrder(each.get());
                all.addAll(each.get());
            }
            Collections.sort(all);
            assertEquals(IntStream.range(0, 200).boxed().toList(), all);
        }
    }

    private static void assertEachSenderInOrder(List<Integer> got) {
        int[] last = {-1, -1, -1, -1};
        for (int each : got) {
            assertTrue(last[each / 50] < each, got::toString);
            last[each / 50] = each;
        }
    }

    @Test
    void selectsAtBothEndsMeet() throws Exception {
        Channel<Integer> a = Channel.rendezvous();
        Channel<Integer> b = Channel.buffered(1);
        Call<Integer> sender = first(() -> {
            int sent = 0;
            for (int i = 1; i <= 100; i++) {
                int value = i;
                sent += Select.<Integer>select(a.onSend(value, () -> value), b.onSend(value, () -> value));
            }
            a.close();
            b.close();
            return sent;
        });
        Call<Integer> receiver = second(() -> {
            int got = 0;
            boolean open = true;
            while (open) {
                int value = Select.<Integer>select(a.onReceive(v -> v, () -> 0), b.onReceive(v -> v, () -> 0));
                got += value;
                open = value != 0;
            }
            for (int rest : b.untilClosed()) got += rest;
            return got;
        });
        assertEquals(5050, sender.get());
        assertEquals(5050, receiver.get());
        assertNobodyWaits(a);
        assertNobodyWaits(b);
    }

    // ---- the end of a wait -----------------------------------------------------------------------------------------

    @Test
    void closingEndsEveryWait() throws Exception {
        var why = new IllegalArgumentException("why");
        Channel<Integer> receiving = Channel.buffered(1);
        Channel<Integer> sending = Channel.buffered(1);
        sending.send(0);
        List<Call<?>> calls = List.of(
                first(receiving::receive),
                second(() -> receiving.receive(AN_HOUR)),
                first(() -> Select.select(receiving.onReceive(v -> v))),
                second(() -> {
                    sending.send(1);
                    return null;
                }),
                first(() -> sending.send(2, AN_HOUR)),
                second(() -> Select.select(sending.onSend(3, () -> 3), receiving.onReceive(v -> v))));
        calls.forEach(Call::untilWaiting);
        receiving.close(why);
        sending.close(why);
        for (Call<?> each : calls) {
            var closed = assertThrows(ChannelClosedException.class, each::get);
            assertEquals(why, closed.getCause());
        }
        assertNobodyWaits(receiving);
        assertNobodyWaits(sending);
        assertEquals(0, sending.receive(), "what was sent before is still there, and nothing else");
        assertThrows(ChannelClosedException.class, sending::receive);
    }

    @Test
    void interruptingEndsEveryWaitAndTakesNothing() throws Exception {
        Channel<Integer> empty = Channel.rendezvous();
        Channel<Integer> full = Channel.buffered(1);
        full.send(0);
        List<Call<?>> calls = List.of(
                first(empty::receive),
                second(() -> empty.receive(AN_HOUR)),
                first(() -> Select.select(empty.onReceive(v -> v), full.onSend(1, () -> 1))),
                second(() -> Select.select(empty.onReceive(v -> v), Select.timeout(AN_HOUR, () -> 0))),
                first(() -> {
                    full.send(1);
                    return null;
                }),
                second(() -> full.send(2, AN_HOUR)));
        calls.forEach(Call::untilWaiting);
        calls.forEach(Call::interrupt);
        for (Call<?> each : calls) assertThrows(InterruptedException.class, each::get);
        assertNobodyWaits(empty);
        assertNobodyWaits(full);
        assertEquals(Optional.empty(), empty.tryReceive());
        assertEquals(Optional.of(0), full.tryReceive());
        assertEquals(Optional.empty(), full.tryReceive());
    }

    @Test
    void timeEndsEveryTimedWaitAndTakesNothing() throws Exception {
        Channel<Integer> empty = Channel.rendezvous();
        Channel<Integer> full = Channel.buffered(1);
        full.send(0);
        long start = System.nanoTime();
        Call<Optional<Integer>> receiver = first(() -> empty.receive(SOON));
        Call<Boolean> sender = second(() -> full.send(1, SOON));
        Call<Boolean> rendezvous = first(() -> empty.send(1, SOON));
        Call<String> select = second(() -> Select.select(
                empty.onReceive(v -> "received"),
                full.onSend(1, () -> "sent"),
                Select.timeout(SOON, () -> "late"),
                Select.timeout(AN_HOUR, () -> "later")));
        boolean sent = rendezvous.get();
        String selected = select.get();
        Optional<Integer> received = receiver.get();
        assertEquals(sent, received.isPresent() || selected.equals("received"), "they may have met");
        assertEquals(false, sender.get());
        assertTrue(System.nanoTime() - start >= SOON.toNanos());
        assertNobodyWaits(empty);
        assertNobodyWaits(full);
        assertEquals(0, full.receive());
        assertEquals(Optional.empty(), full.tryReceive());
    }
}
