package dev.coir.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Callers;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What select does, state by state, and how it chooses. */
class SelectTest {
    private static Clause<String> late() {
        return Select.timeout(Duration.ofNanos(1000), () -> "late");
    }

    private static Clause<String> otherwise() {
        return Select.otherwise(() -> "otherwise");
    }

    // ---- closed, empty, full against the clauses -------------------------------------------------------------------

    @Test
    void anEmptyChannelIsReadyForSendingOnly() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        assertEquals("otherwise", Select.select(channel.onReceive(v -> "got " + v), otherwise()));
        assertEquals("late", Select.select(channel.onReceive(v -> "got " + v), late()));
        assertEquals("sent", Select.select(channel.onReceive(v -> "got " + v), channel.onSend(1, () -> "sent")));
        assertEquals("got 1", Select.select(channel.onReceive(v -> "got " + v), otherwise()));
    }

    @Test
    void aFullChannelIsReadyForReceivingOnly() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        channel.send(1);
        assertEquals("otherwise", Select.select(channel.onSend(2, () -> "sent"), otherwise()));
        assertEquals("late", Select.select(channel.onSend(2, () -> "sent"), late()));
        assertEquals("got 1", Select.select(channel.onSend(2, () -> "sent"), channel.onReceive(v -> "got " + v)));
        assertEquals(Optional.empty(), channel.tryReceive());
    }

    @Test
    void aRendezvousIsReadyWhenTheOtherSideWaits() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        assertEquals("otherwise", Select.select(channel.onSend(1, () -> "sent"), otherwise()));
        var receiver = Crowd.start("receiver", i -> assertEquals(1, channel.receive()));
        Crowd.until(() -> channel.toString().contains("receiving"));
        assertEquals("sent", Select.select(channel.onSend(1, () -> "sent"), otherwise()));
        receiver.get();
        var sender = Crowd.start("sender", i -> channel.send(2));
        Crowd.until(() -> channel.toString().contains("sending"));
        assertEquals("got 2", Select.select(channel.onReceive(v -> "got " + v), otherwise()));
        sender.get();
    }

    @Test
    void aClosedChannelIsReadyAndSelectThrows() throws Exception {
        var why = new IOException("why");
        Channel<Integer> channel = Channel.buffered(1);
        channel.send(1);
        channel.close(why);
        assertThrows(ChannelClosedException.class, () -> Select.select(channel.onSend(2, () -> "sent"), otherwise()));
        assertEquals("got 1", Select.select(channel.onReceive(v -> "got " + v), otherwise()), "the rest comes first");
        var closed = assertThrows(
                ChannelClosedException.class,
                () -> Select.select(channel.onReceive(v -> "got " + v), otherwise(), late()));
        assertSame(why, closed.getCause());
        assertEquals("closed", Select.select(channel.onReceive(v -> "got " + v, () -> "closed"), otherwise()));
    }

    @Test
    void anotherReadyClauseMayBeTakenInsteadOfTheClosedOne() throws Exception {
        Channel<Integer> closed = Channel.rendezvous();
        closed.close();
        Channel<Integer> open = Channel.unlimited();
        int sent = 0;
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            try {
                sent += Select.<Integer>select(closed.onReceive(v -> 0), open.onSend(i, () -> 1));
            } catch (ChannelClosedException expected) {
                refused++;
            }
        }
        assertTrue(sent > 0 && refused > 0, sent + " sent, " + refused + " refused");
    }

    @Test
    void otherwiseComesBeforeTheTimeout() throws Exception {
        assertEquals("otherwise", Select.select(Select.timeout(Duration.ZERO, () -> "late"), otherwise()));
        assertEquals("late", Select.select(Select.timeout(Duration.ofSeconds(-1), () -> "late")));
        assertEquals("late", Select.select(Select.timeout(Duration.ofDays(1), () -> "later"), late()));
    }

    @Test
    void theResultMayBeNullAndWhatTheFunctionThrowsLeaves() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        channel.send(1);
        channel.send(2);
        assertNull(Select.<String>select(channel.onReceive(v -> null)));
        var thrown = new IllegalStateException("mine");
        assertSame(
                thrown,
                assertThrows(
                        IllegalStateException.class,
                        () -> Select.<String>select(channel.onReceive(v -> {
                            throw thrown;
                        }))));
        assertEquals(Optional.empty(), channel.tryReceive(), "it had happened before the function ran");
    }

    @Test
    void misuseIsRefused() {
        assertEquals(
                "a select without clauses would wait for ever",
                assertThrows(IllegalArgumentException.class, Select::select).getMessage());
        assertThrows(IllegalArgumentException.class, () -> Select.select(otherwise(), otherwise()));
        assertThrows(NullPointerException.class, () -> Select.select(otherwise(), null));
        assertThrows(NullPointerException.class, () -> Select.timeout(null, () -> 1));
        assertThrows(NullPointerException.class, () -> Select.timeout(Duration.ZERO, null));
        assertThrows(NullPointerException.class, () -> Select.otherwise(null));
    }

    @Test
    void clausesMayBeUsedAgainAndAreOfDifferentTypes() throws Exception {
        Channel<Integer> numbers = Channel.buffered(3);
        Channel<String> words = Channel.buffered(3);
        Clause<Object> number = numbers.onReceive(v -> v);
        Clause<String> word = words.onReceive(v -> v);
        numbers.send(1);
        numbers.send(2);
        words.send("three");
        List<Object> got = new ArrayList<>();
        for (int i = 0; i < 3; i++) got.add(Select.<Object>select(number, word));
        assertEquals(
                List.of(1, 2), got.stream().filter(Integer.class::isInstance).toList());
        assertTrue(got.contains("three"));
    }

    // ---- one channel more than once --------------------------------------------------------------------------------

    @Test
    void bothEndsOfOneChannelDoNotMeetInOneSelect() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        assertEquals(
                "late", Select.select(channel.onSend(1, () -> "sent"), channel.onReceive(v -> "got " + v), late()));
        assertEquals("Channel[rendezvous]", channel.toString());
    }

    @ParameterizedTest
    @EnumSource
    void twoSelectsOverBothEndsOfOneChannelMeet(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        Channel<Integer> channel = Channel.rendezvous();
        List<Callers.Call<Integer>> calls = new ArrayList<>();
        for (int side = 0; side < 2; side++) {
            calls.add(callers.start(scheduler, () -> {
                int balance = 0;
                for (int i = 0; i < 200; i++) {
                    balance += Select.<Integer>select(
                            channel.onSend(1, () -> -1), channel.onReceive(v -> v), channel.onReceive(v -> v));
                }
                return balance;
            }));
        }
        assertEquals(0, calls.get(0).get() + calls.get(1).get(), "each sent value was received");
        assertEquals("Channel[rendezvous]", channel.toString());
        Schedulers.close(scheduler);
    }

    /** Channels in opposite order: guards taken in the order of the clauses would block each other. */
    @Test
    void selectsOverTheSameChannelsInOppositeOrderDoNotBlockEachOther() throws Exception {
        Channel<Integer> a = Channel.buffered(1);
        Channel<Integer> b = Channel.buffered(1);
        Crowd.run(4, index -> {
            for (int i = 0; i < 2_000; i++) {
                if (index % 2 == 0)
                    Select.<Integer>select(a.onSend(1, () -> 1), b.onReceive(v -> v), Select.otherwise(() -> 0));
                else Select.<Integer>select(b.onSend(1, () -> 1), a.onReceive(v -> v), Select.otherwise(() -> 0));
            }
        });
    }

    // ---- fairness --------------------------------------------------------------------------------------------------

    /**
     * With n trials and probability p the count of each clause stays within six standard deviations of n p, but for one run in
     * five hundred million.
     */
    @Test
    void readyClausesAreChosenWithTheSameProbability() throws Exception {
        int trials = 12_000;
        for (int ready : new int[] {2, 3, 5}) {
            List<Channel<Integer>> channels = new ArrayList<>();
            for (int i = 0; i < 6; i++) channels.add(Channel.unlimited());
            int[] counts = new int[6];
            List<Clause<Integer>> clauses = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int index = i;
                clauses.add(channels.get(i).onReceive(v -> index));
            }
            for (int i = 0; i < ready; i++) channels.get(i).send(0);
            for (int trial = 0; trial < trials; trial++) {
                int chosen = Select.select(
                        clauses.get(0), clauses.get(1), clauses.get(2), clauses.get(3), clauses.get(4), clauses.get(5));
                counts[chosen]++;
                channels.get(chosen).send(0);
            }
            double p = 1.0 / ready;
            double bound = 6 * Math.sqrt(trials * p * (1 - p));
            for (int i = 0; i < 6; i++) {
                double expected = i < ready ? trials * p : 0;
                assertEquals(expected, counts[i], bound, "clause " + i + " of " + ready + " ready");
            }
        }
    }

    @Test
    void theSameChannelTwiceIsTwoChances() throws Exception {
        int trials = 9_000;
        Channel<Integer> one = Channel.unlimited();
        Channel<Integer> other = Channel.unlimited();
        one.send(0);
        other.send(0);
        int chosen = 0;
        for (int i = 0; i < trials; i++) {
            Channel<Integer> from =
                    Select.select(one.onReceive(v -> one), other.onReceive(v -> other), one.onReceive(v -> one));
            if (from == one) chosen++;
            from.send(0);
        }
        assertEquals(trials * 2 / 3.0, chosen, 6 * Math.sqrt(trials * 2 / 9.0));
    }

    // ---- traces ----------------------------------------------------------------------------------------------------

    @Test
    void aMillionSelectsLeaveNoTrace() throws Exception {
        Channel<Integer> idle = Channel.rendezvous();
        Channel<Integer> busy = Channel.rendezvous();
        Scheduler scheduler = Schedulers.start(1);
        int rounds = 500_000;
        var fibers = Fiber.builder().on(scheduler).kind(Fiber.Kind.LIGHT);
        Fiber<Integer> one = fibers.start(() -> {
            int got = 0;
            for (int i = 0; i < rounds; i++) {
                got += Select.<Integer>select(idle.onReceive(v -> 0), busy.onReceive(v -> v));
            }
            return got;
        });
        Fiber<Integer> other = fibers.start(() -> {
            int sent = 0;
            for (int i = 0; i < rounds; i++) {
                sent += Select.<Integer>select(busy.onSend(1, () -> 1), idle.onReceive(v -> 0));
            }
            return sent;
        });
        assertEquals(rounds, one.join());
        assertEquals(rounds, other.join());
        assertEquals("Channel[rendezvous]", idle.toString());
        assertEquals("Channel[rendezvous]", busy.toString());
        Schedulers.close(scheduler);
    }

    @Test
    void waitsThatEndByTimeOrInterruptLeaveNoTrace() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        for (int i = 0; i < 2_000; i++) {
            assertEquals("late", Select.select(channel.onReceive(v -> "got"), channel.onReceive(v -> "got"), late()));
            assertEquals(Optional.empty(), channel.receive(Duration.ofNanos(1)));
            assertEquals(false, channel.send(1, Duration.ofNanos(1)));
        }
        assertEquals("Channel[rendezvous]", channel.toString());
    }

    /** A place in the middle of a queue is given up, and those behind it move up. */
    @Test
    void whoGivesUpInTheMiddleHoldsNobodyUp() throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        Channel<Integer> channel = Channel.rendezvous();
        List<Callers.Call<Integer>> receivers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boolean selects = i % 2 == 0;
            receivers.add(Callers.VIRTUAL_FIBER.start(
                    scheduler, () -> selects ? Select.<Integer>select(channel.onReceive(v -> v)) : channel.receive()));
            String text = "Channel[rendezvous, " + (i + 1) + " receiving]";
            Crowd.until(() -> channel.toString().equals(text));
        }
        for (int i : new int[] {1, 2, 5}) {
            receivers.get(i).interrupt();
            assertThrows(InterruptedException.class, receivers.get(i)::get);
        }
        assertEquals("Channel[rendezvous, 3 receiving]", channel.toString());
        for (int i : new int[] {0, 3, 4}) {
            assertTrue(channel.trySend(i));
            assertEquals(i, receivers.get(i).get());
        }
        Schedulers.close(scheduler);
    }

    // ---- races -----------------------------------------------------------------------------------------------------

    /** Time-outs of a few microseconds race with a sender that is just as quick: what one side sent the other got. */
    @ParameterizedTest
    @EnumSource
    void timeoutsRacingWithHandOversLoseAndDoubleNothing(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        Channel<Integer> a = Channel.rendezvous();
        Channel<Integer> b = Channel.buffered(1);
        int rounds = 1_500;
        Callers.Call<Integer> sender = callers.start(scheduler, () -> {
            int sent = 0;
            for (int i = 0; i < rounds; i++) {
                int value = i;
                Duration limit = Duration.ofNanos(i % 7 * 2_000L);
                if (i % 2 == 0 && a.send(value, limit)) sent += value;
                if (i % 2 == 1) {
                    sent += Select.<Integer>select(
                            a.onSend(value, () -> value), b.onSend(value, () -> value), Select.timeout(limit, () -> 0));
                }
            }
            a.close();
            b.close();
            return sent;
        });
        Callers.Call<Integer> receiver = callers.start(scheduler, () -> {
            int got = 0;
            for (int i = 0; ; i++) {
                Duration limit = Duration.ofNanos(i % 5 * 3_000L);
                int value = Select.<Integer>select(
                        a.onReceive(v -> v, () -> -1), b.onReceive(v -> v, () -> -1), Select.timeout(limit, () -> 0));
                if (value < 0) break;
                got += value;
                got += receivedIn(limit, a);
            }
            for (int rest : b.untilClosed()) got += rest;
            return got;
        });
        assertEquals(sender.get(), receiver.get());
        Schedulers.close(scheduler);
    }

    private static int receivedIn(Duration limit, Channel<Integer> from) throws InterruptedException {
        try {
            return from.receive(limit).orElse(0);
        } catch (ChannelClosedException over) {
            return 0;
        }
    }

    /** A select is cancelled just when a value comes: it takes the value or the cancellation, never both, never neither. */
    @ParameterizedTest
    @EnumSource
    void cancelRacingAHandOverLosesNoValue(Callers callers) throws Exception {
        Scheduler scheduler = Schedulers.start(2);
        for (int round = 0; round < 300; round++) {
            Channel<Integer> channel = Channel.rendezvous();
            Channel<Integer> other = Channel.rendezvous();
            boolean selects = round % 2 == 0;
            Callers.Call<Integer> receiver = callers.start(
                    scheduler,
                    () -> selects
                            ? Select.<Integer>select(channel.onReceive(v -> v), other.onReceive(v -> v))
                            : channel.receive());
            if (round % 3 == 0) receiver.untilWaiting();
            FutureTask<Void> canceller = Crowd.start("canceller", i -> receiver.interrupt());
            boolean sent = channel.trySend(1);
            boolean got;
            try {
                got = receiver.get() == 1;
            } catch (InterruptedException cancelled) {
                got = false;
            }
            canceller.get();
            assertEquals(sent, got);
            assertEquals("Channel[rendezvous]", channel.toString());
            assertEquals("Channel[rendezvous]", other.toString());
        }
        Schedulers.close(scheduler);
    }
}
