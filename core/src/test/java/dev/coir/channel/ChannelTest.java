package dev.coir.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Callers;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a channel does, state by state. */
class ChannelTest {
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration A_BLINK = Duration.ofNanos(1000);

    // ---- closed, empty, full against send and receive --------------------------------------------------------------

    @Test
    void anEmptyChannelTakesAValueAndGivesNone() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        assertEquals(Optional.empty(), channel.tryReceive());
        assertEquals(Optional.empty(), channel.receive(NO_TIME));
        assertEquals(Optional.empty(), channel.receive(A_BLINK));
        assertTrue(channel.trySend(1));
        assertEquals(1, channel.receive());
        assertTrue(channel.send(2, NO_TIME));
        assertEquals(Optional.of(2), channel.receive(NO_TIME));
        assertTrue(channel.send(3, A_BLINK));
        assertEquals(Optional.of(3), channel.receive(A_BLINK));
        channel.send(4);
        assertEquals(Optional.of(4), channel.tryReceive());
    }

    @Test
    void aFullChannelTakesNoValueAndGivesOne() throws Exception {
        Channel<Integer> channel = Channel.buffered(2);
        channel.send(1);
        channel.send(2);
        assertFalse(channel.trySend(3));
        assertFalse(channel.send(3, NO_TIME));
        assertFalse(channel.send(3, A_BLINK));
        assertFalse(channel.send(3, Duration.ofSeconds(Long.MIN_VALUE)));
        assertEquals(1, channel.receive());
        assertTrue(channel.trySend(3));
        assertEquals(List.of(2, 3), List.of(channel.receive(), channel.receive()));
    }

    @Test
    void aClosedChannelTakesNoValueAndGivesTheRest() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        channel.send(1);
        channel.send(2);
        channel.send(3);
        assertFalse(channel.isClosed());
        channel.close();
        assertTrue(channel.isClosed());
        assertThrows(ChannelClosedException.class, () -> channel.send(4));
        assertThrows(ChannelClosedException.class, () -> channel.trySend(4));
        assertThrows(ChannelClosedException.class, () -> channel.send(4, NO_TIME));
        assertThrows(ChannelClosedException.class, () -> channel.send(4, Duration.ofHours(1)));
        assertEquals(1, channel.receive());
        assertEquals(Optional.of(2), channel.tryReceive());
        assertEquals(Optional.of(3), channel.receive(A_BLINK));
        assertThrows(ChannelClosedException.class, channel::receive);
        assertThrows(ChannelClosedException.class, channel::tryReceive);
        assertThrows(ChannelClosedException.class, () -> channel.receive(NO_TIME));
        assertThrows(ChannelClosedException.class, () -> channel.receive(Duration.ofHours(1)));
        assertTrue(channel.isClosed());
    }

    @Test
    void aRendezvousHoldsNothing() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        assertFalse(channel.trySend(1));
        assertFalse(channel.send(1, A_BLINK));
        assertEquals(Optional.empty(), channel.tryReceive());
        channel.close();
        assertThrows(ChannelClosedException.class, () -> channel.trySend(1));
        assertThrows(ChannelClosedException.class, channel::tryReceive);
    }

    @Test
    void aBufferOfZeroIsARendezvous() {
        assertFalse(Channel.buffered(0).trySend("value"));
        assertEquals("Channel[rendezvous]", Channel.buffered(0).toString());
    }

    @Test
    void anUnlimitedChannelHoldsAnyNumber() throws Exception {
        Channel<Integer> channel = Channel.unlimited();
        for (int i = 0; i < 100_000; i++) assertTrue(channel.trySend(i));
        channel.close();
        int expected = 0;
        for (int each : channel.untilClosed()) assertEquals(expected++, each);
        assertEquals(100_000, expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64, 100, 1024, 1025, 5000})
    void aBufferHoldsExactlyItsNumber(int capacity) {
        Channel<Integer> channel = Channel.buffered(capacity);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < capacity; i++) assertTrue(channel.trySend(i));
            assertFalse(channel.trySend(-1));
            for (int i = 0; i < capacity; i++) assertEquals(Optional.of(i), channel.tryReceive());
            assertEquals(Optional.empty(), channel.tryReceive());
            channel.trySend(0); // so that the next round begins elsewhere
            channel.tryReceive();
        }
    }

    @Test
    void theFirstCauseOfClosingCounts() {
        Channel<Integer> channel = Channel.rendezvous();
        var why = new IOException("why");
        channel.close(why);
        channel.close();
        channel.close(new IOException("another"));
        assertSame(
                why,
                assertThrows(ChannelClosedException.class, channel::receive).getCause());
        assertSame(
                why,
                assertThrows(ChannelClosedException.class, () -> channel.send(1))
                        .getCause());
        Channel<Integer> plain = Channel.rendezvous();
        plain.close();
        plain.close(why);
        assertNull(assertThrows(ChannelClosedException.class, plain::receive).getCause());
    }

    @Test
    void nullAndNegativeAreRefused() {
        Channel<String> channel = Channel.buffered(1);
        assertThrows(NullPointerException.class, () -> channel.send(null));
        assertThrows(NullPointerException.class, () -> channel.trySend(null));
        assertThrows(NullPointerException.class, () -> channel.send(null, NO_TIME));
        assertThrows(NullPointerException.class, () -> channel.close(null));
        assertThrows(NullPointerException.class, () -> channel.onSend(null, () -> 1));
        assertThrows(NullPointerException.class, () -> channel.onReceive(null));
        assertEquals(Optional.empty(), channel.tryReceive());
        assertFalse(channel.isClosed());
        var refusal = assertThrows(IllegalArgumentException.class, () -> Channel.buffered(-1));
        assertEquals("n: -1 (expected: 0 or more)", refusal.getMessage());
    }

    @Test
    void itsTextTellsWhatItHoldsAndWhoWaits() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        assertEquals("Channel[0 of 3 held]", channel.toString());
        var receiver = Crowd.start("receiver", i -> channel.receive());
        Crowd.until(() -> channel.toString().equals("Channel[0 of 3 held, 1 receiving]"));
        channel.send(1);
        receiver.get();
        channel.send(2);
        channel.close();
        assertEquals("Channel[1 of 3 held, closed]", channel.toString());
        assertEquals("Channel[unlimited, 0 held]", Channel.unlimited().toString());
    }

    // ---- order -----------------------------------------------------------------------------------------------------

    @Test
    void thoseWhoWaitAreServedInTheOrderInWhichTheyCame() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        List<FutureTask<Void>> receivers = new ArrayList<>();
        int[] got = new int[5];
        for (int i = 0; i < got.length; i++) {
            int index = i;
            receivers.add(Crowd.start("receiver " + i, _ -> got[index] = channel.receive()));
            String text = "Channel[rendezvous, " + (i + 1) + " receiving]";
            Crowd.until(() -> channel.toString().equals(text));
        }
        for (int i = 0; i < got.length; i++) assertTrue(channel.trySend(10 + i));
        for (var each : receivers) each.get();
        assertEquals(List.of(10, 11, 12, 13, 14), IntStream.of(got).boxed().toList());
    }

    @Test
    void aSenderThatWaitsKeepsItsPlaceBehindWhatTheBufferHolds() throws Exception {
        Channel<Integer> channel = Channel.buffered(2);
        channel.send(0);
        channel.send(1);
        List<FutureTask<Void>> senders = new ArrayList<>();
        for (int i = 2; i < 6; i++) {
            int value = i;
            senders.add(Crowd.start("sender " + i, _ -> channel.send(value)));
            String text = "Channel[2 of 2 held, " + (i - 1) + " sending]";
            Crowd.until(() -> channel.toString().equals(text));
        }
        assertEquals(Optional.of(0), channel.tryReceive());
        assertFalse(channel.trySend(99), "the room belongs to the first that waits");
        for (int i = 1; i < 6; i++) assertEquals(Optional.of(i), channel.tryReceive());
        for (var each : senders) each.get();
        assertEquals(Optional.empty(), channel.tryReceive());
    }

    // ---- interrupts ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void anInterruptBeforehandEndsWhatMightWaitAndOnlyThat(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(1);
        Channel<Integer> channel = Channel.buffered(10);
        channel.send(0);
        callers.start(scheduler, () -> {
                    assertThrows(InterruptedException.class, () -> interrupted(() -> channel.send(1)));
                    assertThrows(InterruptedException.class, () -> interrupted(() -> channel.send(1, NO_TIME)));
                    assertThrows(InterruptedException.class, () -> interrupted(channel::receive));
                    assertThrows(InterruptedException.class, () -> interrupted(() -> channel.receive(NO_TIME)));
                    assertThrows(
                            InterruptedException.class,
                            () -> interrupted(() -> Select.select(channel.onReceive(v -> v))));
                    assertEquals(Optional.of(0), channel.tryReceive(), "and nothing was taken");
                    interrupted(() -> channel.trySend(5));
                    assertEquals(Optional.of(5), channel.tryReceive());
                    return assertThrows(InterruptedException.class, channel::receive);
                })
                .get();
        assertEquals(Optional.empty(), channel.tryReceive());
        Schedulers.close(scheduler);
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void interrupted(Action action) throws Exception {
        Interrupts.restore();
        action.run();
    }

    @Test
    void anInterruptEndsIterationAndIsKept() {
        Channel<Integer> channel = Channel.rendezvous();
        Thread.currentThread().interrupt();
        var values = channel.untilClosed().iterator();
        var end = assertThrows(CancellationException.class, values::hasNext);
        assertTrue(end.getCause() instanceof InterruptedException);
        assertTrue(Thread.interrupted());
    }

    // ---- iteration -------------------------------------------------------------------------------------------------

    @Test
    void iterationEndsWhenClosedAndThrowsWhatItWasClosedWith() {
        Channel<Integer> channel = Channel.buffered(2);
        channel.trySend(1);
        channel.trySend(2);
        channel.close();
        var values = channel.untilClosed().iterator();
        assertTrue(values.hasNext());
        assertTrue(values.hasNext(), "asking twice takes one value");
        assertEquals(1, values.next());
        assertEquals(2, values.next());
        assertFalse(values.hasNext());
        assertThrows(NoSuchElementException.class, values::next);
        Channel<Integer> failed = Channel.buffered(2);
        failed.trySend(1);
        failed.close(new IOException("why"));
        List<Integer> got = new ArrayList<>();
        var closed = assertThrows(
                ChannelClosedException.class, () -> failed.untilClosed().forEach(got::add));
        assertEquals("why", closed.getCause().getMessage());
        assertEquals(List.of(1), got);
    }

    @Test
    void tryWithResourcesCloses() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        try (channel) {
            channel.send(1);
        }
        assertTrue(channel.isClosed());
        assertEquals(1, channel.receive());
    }

    // ---- programs --------------------------------------------------------------------------------------------------

    /** The concurrent prime sieve of the Go documentation: a chain of filters, one fiber each. */
    @ParameterizedTest
    @EnumSource
    void thePrimeSieveFindsPrimes(Fiber.Kind kind) throws Exception {
        for (int workers : new int[] {1, 2, 4, 8}) {
            Scheduler scheduler = Schedulers.start(workers);
            var fibers = Fiber.builder().on(scheduler).kind(kind);
            Channel<Integer> numbers = Channel.rendezvous();
            List<Fiber<?>> all = new ArrayList<>();
            all.add(fibers.start(() -> {
                for (int i = 2; ; i++) numbers.send(i);
            }));
            List<Integer> primes = new ArrayList<>();
            Channel<Integer> last = numbers;
            for (int i = 0; i < 40; i++) {
                int prime = last.receive();
                primes.add(prime);
                Channel<Integer> in = last;
                Channel<Integer> out = i % 2 == 0 ? Channel.rendezvous() : Channel.buffered(3);
                all.add(fibers.start(() -> {
                    while (true) {
                        int number = in.receive();
                        if (number % prime != 0) out.send(number);
                    }
                }));
                last = out;
            }
            assertEquals(List.of(2, 3, 5, 7, 11), primes.subList(0, 5));
            assertEquals(173, primes.getLast());
            all.forEach(each -> each.cancel(true));
            Schedulers.close(scheduler);
        }
    }

    /** Senders race with closing: what was sent is received, and what was refused is not. */
    @ParameterizedTest
    @EnumSource
    void noValueIsLostWhenTheChannelIsClosed(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        for (int round = 0; round < 60; round++) {
            Channel<Integer> channel = round % 3 == 0 ? Channel.rendezvous() : Channel.buffered(round % 5 + 1);
            List<Callers.Call<List<Integer>>> senders = new ArrayList<>();
            for (int s = 0; s < 3; s++) {
                int base = 1000 * s;
                senders.add(callers.start(scheduler, () -> {
                    List<Integer> sent = new ArrayList<>();
                    for (int i = base; ; i++) {
                        try {
                            channel.send(i);
                        } catch (ChannelClosedException closed) {
                            return sent;
                        }
                        sent.add(i);
                    }
                }));
            }
            int enough = round;
            Callers.Call<List<Integer>> receiver = callers.start(scheduler, () -> {
                List<Integer> got = new ArrayList<>();
                for (int each : channel.untilClosed()) {
                    got.add(each);
                    if (got.size() == enough) channel.close();
                }
                return got;
            });
            if (round == 0) channel.close();
            List<Integer> sent = new ArrayList<>();
            for (var each : senders) sent.addAll(each.get());
            List<Integer> got = receiver.get();
            sent.sort(null);
            got.sort(null);
            assertEquals(sent, got);
        }
        Schedulers.close(scheduler);
    }

    @ParameterizedTest
    @EnumSource
    void channelsWorkOverAManualExecutor(Fiber.Kind kind) {
        var manual = new ManualExecutor();
        var fibers = Fiber.builder().on(manual).kind(kind);
        Channel<Integer> channel = Channel.rendezvous();
        Fiber<Integer> receiver = fibers.start(() -> channel.receive());
        manual.drain();
        assertEquals("receive from a channel", receiver.waitReason().orElseThrow());
        Fiber<Void> sender = fibers.start(() -> assertTrue(channel.trySend(7)));
        manual.drain();
        sender.join();
        assertEquals(7, receiver.join());
    }

    @Test
    void aThreadThatIsBoundWorksWhileItWaits() throws Exception {
        Scheduler scheduler = Schedulers.start(0);
        try (var _ = scheduler.bind()) {
            Channel<Integer> channel = Channel.rendezvous();
            Fiber<Void> sender = Fiber.builder().on(scheduler).start(() -> {
                channel.send(1);
                channel.send(2);
                return null;
            });
            assertEquals(1, channel.receive());
            assertEquals(2, Select.<Integer>select(channel.onReceive(v -> v)));
            sender.join();
        }
        Schedulers.close(scheduler);
    }
}
